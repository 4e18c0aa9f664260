import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { catalog } from '../../suites/catalog/catalog.ts'
import { decides, specification } from '../../suites/catalog/coverage/coverage.ts'
import { renderCoverage } from '../../suites/catalog/coverage/markdown.ts'
import { matching } from '../../suites/catalog/patterns.ts'

const statements = specification.flatMap(({ section, statements }) =>
  statements.map((statement) => ({ ...statement, name: `${section}: ${statement.position}` })),
)

test('every statement of the specification has a requirement that decides it, or the reason why none can', () => {
  const neither = statements.filter(
    ({ requirements, undecidable }) => !requirements.some(decides) && undecidable === undefined,
  )

  expect(neither.map(({ name }) => name)).toEqual([])
})

test('no statement has both', () => {
  const both = statements.filter(
    ({ requirements, undecidable }) => requirements.some(decides) && undecidable !== undefined,
  )

  expect(both.map(({ name }) => name)).toEqual([])
})

test('every requirement belongs to a statement', () => {
  const covered = new Set(statements.flatMap(({ requirements }) => requirements))

  const uncovered = catalog.filter((requirement) => !covered.has(requirement)).map(({ id }) => id)
  expect(uncovered, 'add these ids to a statement in suites/catalog/coverage/').toEqual([])
})

test('positions are unique within a section', () => {
  const names = statements.map(({ name }) => name)

  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('a pattern that names no requirement is an error', () => {
  expect(() => matching('thread.fields.no_such_field.*')).toThrow(
    'expected the id of a requirement or a pattern that ids match, received "thread.fields.no_such_field.*"',
  )
})

test('the pages of the reference are up to date; otherwise run `npm run generate`', async () => {
  const folder = new URL('../../docs/reference/specification/', import.meta.url)
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))

  const pages = Object.fromEntries(names.map((name, index) => [name, texts[index]]))
  expect(pages).toEqual(Object.fromEntries(renderCoverage(specification)))
})
