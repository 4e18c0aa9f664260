import { expect, test } from 'vitest'
import { catalog } from '../../suites/catalog/catalog.ts'
import { describeSelection, inShard, parseShard, selectRequirements } from '../../suites/evaluate/selection.ts'

test('selects ids by their prefix', () => {
  const ids = selectRequirements(catalog, { ids: ['thread.create.*'] }).map(({ id }) => id)

  expect(ids).toContain('thread.create.fresh-id')
  expect(ids.every((id) => id.startsWith('thread.create.'))).toBe(true)
})

test('selects requirements that meet all conditions', () => {
  const rows = selectRequirements(catalog, { ids: ['thread.*'], levels: ['UNSPECIFIED'] })

  expect(rows.length).toBeGreaterThan(0)
  expect(new Set(rows.map(({ level }) => level))).toEqual(new Set(['UNSPECIFIED']))
})

test('rejects a pattern without matches and names it', () => {
  expect(() => selectRequirements(catalog, { ids: ['thread.craete'] })).toThrow(/thread\.craete.*touchstone list/)
})

test('shards cover the whole list', () => {
  const items = Array.from({ length: 10 }, (_, index) => index)
  const parts = [1, 2, 3].map((index) => inShard(items, { index, count: 3 }))

  expect(parts.flat().sort((a, b) => a - b)).toEqual(items)
})

test.each(['0/2', '3/2', 'x', '1', '1/2/x'])('rejects the shard %s', (text) => {
  expect(() => parseShard(text)).toThrow(/--shard: expected i\/n .*received/)
})

test('a selection is described for the report', () => {
  expect(describeSelection({})).toBeUndefined()
  expect(describeSelection({ levels: ['MUST'], areas: ['deployment'] })).toBe('area deployment; level MUST')
})
