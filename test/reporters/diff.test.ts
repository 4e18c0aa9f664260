import { expect, test } from 'vitest'
import { compareReports } from '../../reporters/diff/compare.ts'
import { diffFormats } from '../../reporters/diff/index.ts'
import type { Report, ReportEndpoint, RequirementResult } from '../../reporters/model/report.ts'
import { exampleReport, outcome, reportOf, row } from './example-report.ts'

const endpoints: ReportEndpoint[] = ['open', 'custom-auth'].map((name) => ({
  name,
  url: `http://127.0.0.1/${name}`,
  headers: {},
  profiles: [name],
}))

function report(requirements: RequirementResult[], more: Partial<Report> = {}): Report {
  return reportOf(requirements, { target: { name: 'example', version: '1.2.0', endpoints }, ...more })
}

const later = { name: 'touchstone', version: '0.2.0', catalogHash: 'beef'.repeat(16), seed: '42' } as const

function failing(id: string, endpoint: string, message: string): RequirementResult {
  return row(id, 'fail', { outcomes: [outcome('fail', { endpoint, failure: { message } })] })
}

test('what held and fails now broke; what failed and holds now is fixed', () => {
  const diff = compareReports(
    report([row('a.one', 'pass'), failing('a.two', 'open', 'no status'), row('a.three', 'pass')]),
    report([failing('a.one', 'open', 'no id'), row('a.two', 'pass'), row('a.three', 'pass')]),
  )
  expect(diff.broke).toEqual([
    {
      id: 'a.one',
      before: { level: 'MUST', verdict: 'pass' },
      after: { level: 'MUST', verdict: 'fail', why: 'no id' },
      endpoints: ['open'],
    },
  ])
  expect(diff.fixed.map(({ id }) => id)).toEqual(['a.two'])
  expect(diff.unchanged).toBe(1)
  expect(diff.warnings).toEqual([])
})

test('an advised point that is no longer met broke too', () => {
  const diff = compareReports(
    report([row('a', 'pass', { level: 'SHOULD' })]),
    report([row('a', 'warning', { level: 'SHOULD' })]),
  )
  expect(diff.broke.map(({ id }) => id)).toEqual(['a'])
})

test('a requirement that fails as before on one endpoint can break on another', () => {
  const open = outcome('fail', { failure: { message: 'no status' } })
  const guarded = (verdict: 'pass' | 'fail') =>
    outcome(verdict, { endpoint: 'custom-auth', ...(verdict === 'fail' && { failure: { message: 'status is null' } }) })
  const diff = compareReports(
    report([row('a', 'fail', { outcomes: [open, guarded('pass')] })]),
    report([row('a', 'fail', { outcomes: [open, guarded('fail')] })]),
  )
  expect(diff.broke).toMatchObject([{ id: 'a', endpoints: ['custom-auth'], after: { why: 'status is null' } }])
})

test('a failure on an endpoint that the earlier run did not have broke nothing', () => {
  const [open] = endpoints
  const before = report([row('a', 'pass')], { target: { name: 'example', endpoints: open ? [open] : [] } })
  const after = report([
    row('a', 'fail', { outcomes: [outcome('pass'), outcome('fail', { endpoint: 'custom-auth' })] }),
  ])
  const diff = compareReports(before, after)
  expect(diff).toMatchObject({ broke: [], changed: [{ id: 'a' }] })
  expect(diff.warnings).toEqual(['Only the later run had the endpoint custom-auth.'])
})

test('a row of another register is a new check, however the server does on it', () => {
  const diff = compareReports(
    report([row('a', 'pass'), row('gone', 'fail')]),
    report([row('a', 'pass'), failing('fresh', 'open', 'no id')], { suite: later }),
  )
  expect(diff).toMatchObject({ broke: [], newChecks: [{ id: 'fresh' }], retired: [{ id: 'gone' }] })
  const text = diffFormats.console(diff)
  expect(text).toContain('nothing broke, nothing was fixed, 1 new check, 1 retired check, 1 unchanged')
  expect(text).toContain('New checks (1)\n  fresh: fail (MUST)\n    no id')
  expect(text).not.toContain('regression')
})

test('a row that a run left out is neither new nor retired', () => {
  const part = { selection: '--id a' }
  const whole = report([row('a', 'pass'), row('b', 'pass')])
  expect(compareReports(report([row('a', 'pass')], part), whole)).toMatchObject({
    newChecks: [],
    onlyAfter: [{ id: 'b' }],
    warnings: ['The earlier run judged a part only (--id a).'],
  })
  expect(compareReports(whole, report([row('a', 'pass')], { ...part, suite: later }))).toMatchObject({
    retired: [],
    onlyBefore: [{ id: 'b' }],
  })
})

test('what could not run before is no breakage when it fails now', () => {
  const before = row('a', 'inconclusive', { outcomes: [outcome('inconclusive', { unlock: 'graphs.slow' })] })
  const diff = compareReports(report([before]), report([failing('a', 'open', 'no id')]))
  expect(diff).toMatchObject({ broke: [], changed: [{ id: 'a', before: { why: 'to run it: graphs.slow' } }] })
})

test('a failure that the later baseline knows breaks nothing, and is fixed once it holds', () => {
  const known = row('a', 'expected-fail', { reason: 'known', outcomes: [outcome('fail')] })
  expect(compareReports(report([row('a', 'pass')]), report([known]))).toMatchObject({
    broke: [],
    changed: [{ id: 'a' }],
  })
  expect(compareReports(report([known]), report([row('a', 'pass')]))).toMatchObject({ fixed: [{ id: 'a' }] })
})

test('another observation is told; other ids and times in it are not', () => {
  const observed = (observation: string) =>
    report([row('a', 'observed', { level: 'UNSPECIFIED', outcomes: [outcome('observed', { observation })] })])
  const before = observed('404, run 01a1fd3c-a3ef-7133-913e-56f353943766 at 2026-03-01T10:00:00.123Z')
  const after = observed('404, run 01a1fd6c-fc50-77c3-a6e9-9ef2ab988ee0 at 2026-03-02T11:30:00+01:00')
  expect(compareReports(before, after).unchanged).toBe(1)
  const { changed } = compareReports(before, observed('409'))
  expect(changed).toMatchObject([{ id: 'a', endpoints: ['open'], after: { why: '409' } }])
})

test('a requirement worded differently is marked', () => {
  const diff = compareReports(
    report([row('a', 'pass')]),
    report([{ ...failing('a', 'open', 'no id'), statement: 'now stricter' }], { suite: later }),
  )
  expect(diff.broke).toMatchObject([{ id: 'a', reworded: true }])
  expect(diffFormats.console(diff)).toContain('a: pass → fail (MUST) on open, the requirement is worded differently')
})

test('reports without a common endpoint are compared over all', () => {
  const renamed = { name: 'example', endpoints: endpoints.slice(0, 1).map((it) => ({ ...it, name: 'main' })) }
  const after = report([failing('a', 'main', 'no id')], { target: renamed })
  expect(compareReports(report([row('a', 'pass')]), after)).toMatchObject({
    broke: [{ id: 'a' }],
    warnings: [expect.stringMatching(/no endpoint in common/)],
  })
})

test('what makes two runs hard to compare is told', () => {
  const target = {
    name: 'another',
    endpoints: endpoints.map((it) => ({ ...it, url: `${it.url}/v2`, testGraphsRevision: '2' })),
  }
  const suite = { ...later, seed: '43' }
  const { warnings } = compareReports(report([]), report([], { target, suite, repeat: 5, interrupted: 'SIGINT' }))
  expect(warnings).toEqual([
    'The targets differ: example and another.',
    'The endpoint open was http://127.0.0.1/open, then http://127.0.0.1/open/v2.',
    'Revision of the test graphs on the endpoint open: unknown, then 2.',
    'The endpoint custom-auth was http://127.0.0.1/custom-auth, then http://127.0.0.1/custom-auth/v2.',
    'Revision of the test graphs on the endpoint custom-auth: unknown, then 2.',
    'The registers differ: requirements or their wording changed between the two suites.',
    'The seeds differ (42, 43): random choices of the checks were others.',
    'The earlier run ran each check once, the later one 5 times.',
    'The later run was interrupted (SIGINT).',
  ])
})

test('no text of a target reaches a terminal or Markdown as it is', () => {
  const diff = compareReports(reportOf([]), { ...exampleReport, suite: later })
  expect(diffFormats.console(diff).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  const text = diffFormats.markdown(diff)
  expect(text.replaceAll(/`+[^`\n]*`+/g, '')).not.toContain('<script>')
})

test('a comparison in Markdown fits the comment of a pull request', () => {
  const rows = (verdict: 'pass' | 'fail') =>
    Array.from({ length: 900 }, (_, index) =>
      row(`a.${index}`, verdict, {
        outcomes: [outcome(verdict, verdict === 'fail' ? { failure: { message: 'no status '.repeat(30) } } : {})],
      }),
    )
  const text = diffFormats.markdown(compareReports(report(rows('pass')), report(rows('fail'))))
  expect(text).toMatch(/^## ❌ 900 requirements broke, /)
  expect(Buffer.byteLength(text)).toBeLessThan(65_536)
  expect(text).toMatch(/Left out: \d+ of 900 under "Broke"/)
})

test('JSON holds the whole comparison', () => {
  const diff = compareReports(report([row('a', 'pass')]), report([row('a', 'fail')]))
  expect(JSON.parse(diffFormats.json(diff))).toEqual(diff)
})
