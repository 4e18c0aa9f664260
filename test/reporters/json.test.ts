import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { renderJson, renderNdjson } from '../../reporters/json.ts'
import { readReport } from '../../reporters/model/read.ts'
import { reportJsonSchema } from '../../reporters/model/report.ts'
import { exampleReport, exchange, outcome, reportOf, requirement, requirements } from './example-report.ts'

test('renders a report that reads back unchanged', () => {
  // A lone surrogate and other hostile characters survive JSON.
  expect(readReport(renderJson(exampleReport), 'report.json')).toEqual(exampleReport)
  expect(exampleReport.$schema).toBe('urn:touchstone:report:2')
})

test('renders equal reports as equal text, in any order of keys', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, item]) => [key, reversed(item)]),
    )
  }
  const other = readReport(JSON.stringify(reversed(exampleReport)), 'reversed')
  expect(renderJson(other)).toBe(renderJson(exampleReport))
  expect(Object.keys(JSON.parse(renderJson(other)))).toEqual([
    '$schema',
    'version',
    'suite',
    'startedAt',
    'durationMs',
    'repeat',
    'shard',
    'selection',
    'interrupted',
    'target',
    'verdict',
    'staleBaseline',
    'problems',
    'requirements',
    'specification',
  ])
})

test('the published schema is up to date (run npm run generate)', async () => {
  const published = await readFile(new URL('../../reporters/model/report.schema.json', import.meta.url), 'utf8')
  expect(published).toBe(reportJsonSchema())
})

test('the published schema accepts a rendered report and rejects an invalid one', async () => {
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(JSON.parse(reportJsonSchema()))
  const report = JSON.parse(renderJson(exampleReport))
  expect(validate(report)).toBe(true)
  expect(validate.errors).toBe(null)

  report.requirements[0].verdict = 'green'
  report.requirements[1].outcomes[1].evidence.exchanges[0].secret = 'x'
  delete report.suite.seed
  expect(validate(report)).toBe(false)
  expect(validate.errors?.map((error) => error.instancePath)).toEqual(
    expect.arrayContaining(['/suite', '/requirements/0/verdict', '/requirements/1/outcomes/1/evidence/exchanges/0']),
  )
})

test('renders no status for a request without a response', () => {
  const { status: _, ...lost } = exchange({ error: 'ECONNRESET' })
  const report = reportOf([
    requirement('a.b', 'fail', { outcomes: [outcome('fail', { evidence: { exchanges: [lost] } })] }),
  ])
  expect(renderJson(report)).not.toContain('"status"')
})

test('renders NDJSON with the identity, each requirement and the verdict', () => {
  const lines = renderNdjson(exampleReport).trimEnd().split('\n')
  const [head, ...rest] = lines.map((line) => JSON.parse(line))
  expect(head).toMatchObject({ type: 'head', version: 2, suite: { seed: '42' }, target: { name: 'example' } })
  expect(rest.slice(0, -1).map(({ type, id }) => [type, id])).toEqual(requirements.map(({ id }) => ['requirement', id]))
  expect(rest.at(-1)).toMatchObject({
    type: 'verdict',
    result: 'non-conformant',
    exitCode: 1,
    counts: { fail: 2, pass: 1 },
    problems: ['the target did not respond for 30 s'],
  })
})
