import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { catalog } from '../../suites/catalog/catalog.ts'
import { requirementIds } from '../../suites/catalog/generated/ids.ts'
import { renderRequirements } from '../../suites/catalog/markdown.ts'
import { situations } from '../../suites/evaluate/situations.ts'
import { scenarios } from '../../suites/scenarios/index.ts'
import { mutants } from '../../targets/mutants/index.ts'
import { renderDefects } from '../../targets/mutants/write-defects.ts'

const decided = new Set<string>(scenarios.flatMap((scenario) => scenario.exercises))

test('every requirement is tested, excluded with a reason, or observed', () => {
  const unaccounted = catalog.filter(
    (requirement) => requirement.excluded === undefined && !decided.has(requirement.id),
  )

  const ids = unaccounted.map(({ id }) => id)
  expect(ids, 'add these ids to a scenario in suites/scenarios/').toEqual([])
})

test('what decides a requirement is described for ids that exist', () => {
  const unused = Object.keys(situations).filter((beginning) => !requirementIds.some((id) => id.startsWith(beginning)))

  expect(unused).toEqual([])
})

test('no check decides a requirement that is excluded', () => {
  const contradictory = catalog.filter(
    (requirement) => requirement.excluded !== undefined && decided.has(requirement.id),
  )

  expect(contradictory.map(({ id }) => id)).toEqual([])
})

test('every tested MUST and SHOULD requirement has a mutant', () => {
  const proved = new Set<string>(mutants.flatMap((mutant) => mutant.requirements))
  const owed = catalog.filter(
    (requirement) => ['MUST', 'SHOULD'].includes(requirement.level) && requirement.excluded === undefined,
  )

  const unproved = owed.filter(({ id }) => !proved.has(id)).map(({ id }) => id)
  expect(unproved, 'add a mutant for these ids in targets/mutants/').toEqual([])
})

test('ids are unique, dotted names', () => {
  const ids = catalog.map(({ id }) => id)

  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !/^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)+$/.test(id))).toEqual([])
})

test('the catalog and the generated list of ids agree', () => {
  expect(catalog.map(({ id }) => id).sort()).toEqual(requirementIds.toSorted())
})

test('the public list of requirements is up to date', async () => {
  const folder = new URL('../../docs/reference/requirements/', import.meta.url)
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))

  const pages = Object.fromEntries(names.map((name, index) => [name, texts[index]]))
  expect(pages).toEqual(Object.fromEntries(renderRequirements(catalog)))
})

test('every section has its own page', () => {
  const sections = new Set(catalog.map(({ section }) => section))

  expect(renderRequirements(catalog).size).toBe(sections.size + 1)
})

test('the list of defects is up to date (run npm run generate)', async () => {
  const file = await readFile(new URL('../../suites/catalog/generated/defects.ts', import.meta.url), 'utf8')

  expect(file).toBe(renderDefects(mutants))
})

test('names of mutants are unique', () => {
  const ids = mutants.map(({ id }) => id)

  expect(ids.filter((id, position) => ids.indexOf(id) !== position)).toEqual([])
})
