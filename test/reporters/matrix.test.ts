import { describe, expect, test } from 'vitest'
import { matrixFiles } from '../../reporters/html/matrix.ts'
import { differs, emptyMatrix, type Matrix, withReport } from '../../reporters/matrix/matrix.ts'
import { compareVersions } from '../../reporters/matrix/versions.ts'
import type { Report, RequirementResult } from '../../reporters/model/report.ts'
import { outcome, reportOf, requirement } from './example-report.ts'

const failing = requirement('a', 'fail', {
  outcomes: [outcome('fail', { failure: { message: 'wrong status', expected: '200', received: '500' } })],
})
const observed = (...texts: string[]) =>
  requirement('b', 'observed', {
    level: 'UNSPECIFIED',
    outcomes: texts.map((observation, index) => outcome('observed', { endpoint: `e${index + 1}`, observation })),
  })

function reportNamed(name: string, version: string, ...requirements: RequirementResult[]): Report {
  return reportOf(requirements, { target: { name, version, endpoints: [] } })
}

function matrixOf(...reports: Report[]): Matrix {
  return reports.reduce((matrix, report) => withReport(matrix, report), emptyMatrix)
}

function idsOf({ servers }: Matrix): string[] {
  return servers.map(({ id }) => id)
}

test('has the versions of a server next to each other, oldest first, and a report of the reader first', () => {
  const matrix = matrixOf(
    reportNamed('@scope/api', '1.10.0'),
    reportNamed('other', '1.0'),
    reportNamed('@scope/api', '1.9.0'),
  )
  const own = withReport(matrix, reportNamed('other', '1.0'), { isOwn: true })

  expect(idsOf(matrix)).toEqual(['scope-api-1-9-0', 'scope-api-1-10-0', 'other-1-0'])
  expect(idsOf(own)).toEqual(['other-1-0-2', 'scope-api-1-9-0', 'scope-api-1-10-0', 'other-1-0'])
})

test('shows what was expected and received, what was observed, and what a report does not have', () => {
  const { requirements } = matrixOf(
    reportNamed('x', '1', failing, observed('404', '404')),
    reportNamed('y', '1', observed('404', '200'), requirement('c', 'not-applicable', { reason: 'no exports' })),
  )

  expect(requirements.map(({ id, results }) => [id, ...results])).toEqual([
    ['a', { verdict: 'fail', text: 'wrong status: expected 200, received 500' }, null],
    ['b', { verdict: 'observed', text: '404' }, { verdict: 'observed', text: 'e1: 404; e2: 200' }],
    ['c', null, { verdict: 'not-applicable', text: 'no exports' }],
  ])
})

test('orders requirements by the sections of the specification, with those of any report', () => {
  const late = requirement('late', 'pass', { section: 'Errors' })
  const early = requirement('early', 'pass', { section: 'What the service does' })

  const { requirements } = matrixOf(reportNamed('x', '1', late), reportNamed('y', '1', early))

  expect(requirements.map(({ id }) => id)).toEqual(['early', 'late'])
})

test('names the first version that passes after one that does not', () => {
  const versions = (...verdicts: ('pass' | 'fail' | 'not-applicable')[]) =>
    matrixOf(...verdicts.map((verdict, index) => reportNamed('x', `${index}.0`, requirement('a', verdict))))

  expect(versions('fail', 'pass', 'pass').requirements[0]?.firstPassing).toEqual({ x: '1.0' })
  expect(versions('fail', 'fail').requirements[0]).not.toHaveProperty('firstPassing')
  expect(versions('pass', 'fail').requirements[0]).not.toHaveProperty('firstPassing')
  expect(versions('not-applicable', 'pass').requirements[0]).not.toHaveProperty('firstPassing')
})

describe('rows that differ', () => {
  const row = (...results: RequirementResult[]) =>
    matrixOf(...results.map((result, index) => reportNamed(`s${index}`, '1', { ...result, id: 'a' }))).requirements

  test.each([
    ['verdicts', true, failing, requirement('a', 'pass')],
    ['observations', true, observed('404'), observed('200')],
    ['nothing', false, observed('404'), observed('404')],
    ['what was not tested', false, requirement('a', 'pass'), requirement('a', 'not-applicable')],
  ])('%s: %s', (_, expected, one, other) => {
    expect(row(one, other).map(differs)).toEqual([expected])
  })
})

test('orders versions by their numbers, with a prerelease before its release', () => {
  const versions = ['2.0.0', '1.10.0', '2.0.0-rc.10', 'v1.9', '2.0.0-rc.2', '0.16.7', '2.0.0rc1']

  expect(versions.toSorted(compareVersions).slice(0, 3)).toEqual(['0.16.7', 'v1.9', '1.10.0'])
  expect(versions.toSorted(compareVersions).at(-1)).toBe('2.0.0')
  expect(compareVersions('2.0.0-rc.2', '2.0.0-rc.10')).toBeLessThan(0)
})

test('writes JSON, and a page that no text of a report can end', () => {
  const attack = '</script><script>alert(1)</script>'
  const matrix = matrixOf(reportNamed(attack, attack, { ...failing, statement: attack, section: attack }))
  const files = matrixFiles(matrix)

  expect(JSON.parse(files['matrix.json'] ?? '')).toEqual(matrix)
  expect(files['matrix.html']?.match(/<\/script>/g)).toHaveLength(2)
})
