import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { register } from '../../suites/catalog/catalog.ts'
import { requirementIds } from '../../suites/catalog/generated/ids.ts'
import { renderRequirements } from '../../suites/catalog/markdown.ts'
import { checks } from '../../suites/checks.ts'
import { mutants } from '../../targets/mutants/catalogue.ts'
import { renderCounts } from '../../targets/mutants/counts.ts'

const decided = new Set<string>(checks.flatMap((check) => check.rows))

test('every requirement is accounted for: checked, excluded with a reason, or observed', () => {
  const unaccounted = register.filter((row) => row.excluded === undefined && !decided.has(row.id))

  expect(unaccounted.map(({ id }) => id)).toEqual([])
})

test('no check decides a row that is excluded', () => {
  const contradictory = register.filter((row) => row.excluded !== undefined && decided.has(row.id))

  expect(contradictory.map(({ id }) => id)).toEqual([])
})

test('every MUST and SHOULD row that is checked has a mutant', () => {
  const proved = new Set<string>(mutants.flatMap((mutant) => mutant.rows))
  const owed = register.filter((row) => ['MUST', 'SHOULD'].includes(row.level) && row.excluded === undefined)

  expect(owed.filter(({ id }) => !proved.has(id)).map(({ id }) => id)).toEqual([])
})

test('ids are unique, dotted names', () => {
  const ids = register.map(({ id }) => id)

  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+$/.test(id))).toEqual([])
})

test('ids are frozen: the register and the generated list agree', () => {
  expect(register.map(({ id }) => id)).toEqual([...requirementIds])
})

test('the public list of requirements is up to date', async () => {
  const file = await readFile(new URL('../../docs/reference/requirements.md', import.meta.url), 'utf8')

  expect(file).toBe(renderRequirements(register))
})

test('the count of mutants a row is up to date', async () => {
  const file = await readFile(new URL('../../suites/catalog/generated/mutants.ts', import.meta.url), 'utf8')

  expect(file).toBe(renderCounts(mutants))
})

test('mutants have names of their own', () => {
  const ids = mutants.map(({ id }) => id)

  expect(ids.filter((id, position) => ids.indexOf(id) !== position)).toEqual([])
})

test('the register by level and coverage: what a change of these figures means belongs into the changelog', () => {
  const coverage = (row: (typeof register)[number]) =>
    row.excluded !== undefined ? 'excluded' : row.level === 'UNSPECIFIED' ? 'observed' : 'tested'
  const counts = Map.groupBy(register, (row) => `${row.level} ${coverage(row)}`)

  expect(Object.fromEntries([...counts].map(([key, rows]) => [key, rows.length]))).toEqual({
    'MUST tested': 661,
    'MUST excluded': 27,
    'SHOULD tested': 53,
    'MAY tested': 1,
    'MAY excluded': 1,
    'UNSPECIFIED observed': 286,
    'UNSPECIFIED excluded': 1,
  })
})
