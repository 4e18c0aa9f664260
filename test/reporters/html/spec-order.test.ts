import { expect, test } from 'vitest'
import { headings, inSpecOrder } from '../../../reporters/html/spec-order.ts'
import { catalog } from '../../../suites/catalog/catalog.ts'
import { requirement } from '../example-report.ts'

const requirementOf = (section: string) => requirement(section, 'pass', { section })
const orderOf = (sections: readonly string[]) => inSpecOrder(sections.map(requirementOf)).map(([section]) => section)

test('orders sections as in the specification', () => {
  expect(
    orderOf(['Events', 'Endpoints / A. Deployment API / GET /threads', 'Resources and their fields / Thread']),
  ).toEqual(['Resources and their fields / Thread', 'Endpoints / A. Deployment API / GET /threads', 'Events'])
})

test('puts a section that is not a heading after its parent heading, or last', () => {
  expect(orderOf(['Elsewhere', 'Versioning', 'Errors / Codes', 'Errors', 'Limits'])).toEqual([
    'Errors',
    'Errors / Codes',
    'Limits',
    'Versioning',
    'Elsewhere',
  ])
})

test('has a heading for every section of the catalog', () => {
  const sections = new Set(catalog.map(({ section }) => section))
  expect([...sections].filter((section) => !headings.includes(section))).toEqual([])
})
