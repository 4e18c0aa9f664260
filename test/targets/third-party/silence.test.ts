import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { likenesses } from '../../../targets/third-party/differences.ts'
import { observeExports } from '../../../targets/third-party/exports.ts'
import { ledgerFile, ledgerPage, observeDialects, openPoints, recordedOf } from '../../../targets/third-party/ledger.ts'

const observed = await observeDialects()
const exported = await observeExports()
const open = openPoints('deployment')

test('the ledger of silence is as `npm run ledger` writes it', async () => {
  expect(await readFile(ledgerFile, 'utf8')).toBe(await ledgerPage(observed, exported))
})

test.each(observed)('$name is observed on every open point', ({ observed: points }) => {
  expect(open.map(({ id }) => id).filter((id) => points[id] === undefined)).toEqual([])
})

test('every open point of bulk exports is observed', () => {
  expect(openPoints('export').flatMap(({ id }) => (exported.observed[id] === undefined ? [id] : []))).toEqual([])
})

test.each(likenesses)('$dialect does what $peer does, but where it says why not', async (likeness) => {
  const dialect = observed.find(({ name }) => name === likeness.dialect)?.observed ?? {}
  const peer = (await recordedOf(likeness.peer)).observed
  const unlike = open.filter(({ id }) => JSON.stringify(dialect[id]) !== JSON.stringify(peer[id]))

  const declared = Object.keys(likeness.differences)
  const pairs = (ids: readonly string[]) => ids.map((id) => ({ id, dialect: dialect[id], peer: peer[id] }))
  expect(pairs(unlike.map(({ id }) => id).filter((id) => !declared.includes(id)))).toEqual([])
  expect(pairs(declared.filter((id) => !unlike.some((row) => row.id === id)))).toEqual([])
})
