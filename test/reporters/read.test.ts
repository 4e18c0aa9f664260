import { expect, test } from 'vitest'
import { renderJson } from '../../reporters/json.ts'
import { readReport } from '../../reporters/model/read.ts'
import { exampleReport, greenReport } from './example-report.ts'

test('reads a report, also with a byte order mark', () => {
  expect(readReport(`\ufeff${renderJson(greenReport)}`, 'report.json')).toMatchObject(greenReport)
})

test('reads a report of version 1 under the names of version 2', () => {
  const { suite, target, requirements, ...rest } = JSON.parse(renderJson(greenReport))
  const { catalogHash, ...identity } = suite
  const version1 = {
    ...rest,
    $schema: 'urn:touchstone:report:1',
    version: 1,
    verdict: { result: 'harness-error', sentence: 'harness error: no requirement was judged', exitCode: 2 },
    suite: { ...identity, registerHash: catalogHash },
    target: {
      ...target,
      endpoints: [{ name: 'open', url: 'http://a', headers: {}, claims: ['open'], kitRevision: '7' }],
    },
    requirements: [
      {
        ...{ id: 'a.b', area: 'deployment', section: 'Thread', level: 'OPEN', statement: 'S', reading: 'R' },
        ...{ account: 'checked', verdict: 'could-not-run' },
        outcomes: [{ endpoint: 'open', check: 'c', verdict: 'warn', durationMs: 1 }],
      },
    ],
  }

  const report = readReport(JSON.stringify(version1), 'old.json')
  expect(report).toMatchObject({
    $schema: 'urn:touchstone:report:2',
    version: 2,
    suite: { catalogHash },
    target: { endpoints: [{ profiles: ['open'], testGraphsRevision: '7' }] },
    verdict: { result: 'error', exitCode: 2 },
    requirements: [
      {
        ...{ level: 'UNSPECIFIED', interpretation: 'R', coverage: 'tested', verdict: 'inconclusive' },
        outcomes: [{ verdict: 'warning' }],
      },
    ],
  })
})

test('rejects a text that is not JSON', () => {
  expect(() => readReport('<html>', 'report.json')).toThrow(
    /^report\.json is not valid JSON: Unexpected token .*\. Pass the report\.json that touchstone test wrote\.$/,
  )
})

test('rejects JSON that is not a report', () => {
  expect(() => readReport('[]', 'list.json')).toThrow(
    'list.json: expected the report.json of a run, received an array without "version". Pass the report.json that touchstone test wrote.',
  )
  expect(() => readReport('null', 'null.json')).toThrow('received null without "version"')
  expect(() => readReport('{"name":"x","version":"1.0.0"}', 'package.json')).toThrow(
    'package.json: expected the report.json of a run, received an object with "version": "1.0.0".',
  )
})

test('rejects a report of an unknown version', () => {
  expect(() => readReport('{"version":3}', 'new.json')).toThrow(
    'new.json: expected a report of version 1 or 2, received version 3. Use the version of touchstone that wrote it.',
  )
})

test('names each place of a broken report with the value expected and received', () => {
  const report = JSON.parse(renderJson(exampleReport))
  report.requirements[1].outcomes[0].verdict = 'green'
  report.repeat = 0
  expect(() => readReport(JSON.stringify(report), 'broken.json')).toThrow(
    /^broken\.json is not a valid report: at repeat: Too small.*, received 0; at requirements\[1\]\.outcomes\[0\]\.verdict: Invalid option.*, received "green"\.$/,
  )
})

test('lists three problems and counts the rest', () => {
  expect(() => readReport('{"version":2}', 'empty.json')).toThrow(
    /at suite: .*, received nothing; .* \(and \d+ more\)\.$/,
  )
})
