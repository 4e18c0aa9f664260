import { expect, test } from 'vitest'
import { headings, inDocumentOrder } from '../../../reporters/html/document-order.ts'
import { catalog } from '../../../suites/catalog/catalog.ts'
import { row } from '../example-report.ts'

const of = (section: string) => row(section, 'pass', { section })
const orderOf = (sections: readonly string[]) => inDocumentOrder(sections.map(of)).map(([section]) => section)

test('sections come as in the document, whatever the order of the rows', () => {
  expect(
    orderOf(['Events', 'Endpoints / A. Deployment API / GET /threads', 'Resources and their fields / Thread']),
  ).toEqual(['Resources and their fields / Thread', 'Endpoints / A. Deployment API / GET /threads', 'Events'])
})

test('a section that is no heading follows its own heading, or comes last', () => {
  expect(orderOf(['Elsewhere', 'Versioning', 'Errors / Codes', 'Errors', 'Limits'])).toEqual([
    'Errors',
    'Errors / Codes',
    'Limits',
    'Versioning',
    'Elsewhere',
  ])
})

test('every section of the catalog is a heading', () => {
  const sections = new Set(catalog.map(({ section }) => section))
  expect([...sections].filter((section) => !headings.includes(section))).toEqual([])
})
