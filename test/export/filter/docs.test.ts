import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { FILTER_FIELDS } from '../../../mock-server/export/filter/fields.ts'
import { parseFilter } from '../../../mock-server/export/filter/parse.ts'

const page = await readFile(new URL('../../../docs/reference/export-filters.md', import.meta.url), 'utf8')

test('every filter in the docs parses', () => {
  const examples = page.split('```text\n')[1]?.split('\n```')[0]?.split('\n') ?? []
  expect(examples.length).toBeGreaterThan(5)
  for (const example of examples) expect(() => parseFilter(example)).not.toThrow()
})

test('the docs list every field of filters', () => {
  expect([...FILTER_FIELDS.keys()].filter((field) => !page.includes(`\`${field}\``))).toEqual([])
})
