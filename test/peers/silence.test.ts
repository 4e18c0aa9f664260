import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { likenesses } from '../../peers/differences.ts'
import { ledgerFile, ledgerPage, observeDialects, recordedOf } from '../../peers/ledger.ts'
import { register } from '../../suites/requirements/register.ts'

const observed = await observeDialects()
const open = register.filter(
  ({ level, excluded, area }) => level === 'OPEN' && excluded === undefined && area === 'deployment',
)

test('the ledger of silence is as `npm run ledger` writes it', async () => {
  expect(await readFile(ledgerFile, 'utf8')).toBe(await ledgerPage(observed))
})

test.each(observed)('$name is observed on every open point', ({ observed: points }) => {
  expect(open.map(({ id }) => id).filter((id) => points[id] === undefined)).toEqual([])
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
