import { expect, test } from 'vitest'
import { compareReports } from '../../reporters/diff/compare.ts'
import { diffFormats } from '../../reporters/diff/index.ts'
import type { Report, ReportEndpoint, RequirementResult } from '../../reporters/model/report.ts'
import { exampleReport, outcome, reportOf, requirement } from './example-report.ts'

const endpoints: ReportEndpoint[] = ['open', 'custom-auth'].map((name) => ({
  name,
  url: `http://127.0.0.1/${name}`,
  headers: {},
  profiles: [name],
}))

function report(requirements: RequirementResult[], more: Partial<Report> = {}): Report {
  return reportOf(requirements, { target: { name: 'example', version: '1.2.0', endpoints }, ...more })
}

const laterSuite = { name: 'touchstone', version: '0.2.0', catalogHash: 'beef'.repeat(16), seed: '42' } as const

function failing(id: string, endpoint: string, message: string): RequirementResult {
  return requirement(id, 'fail', { outcomes: [outcome('fail', { endpoint, failure: { message } })] })
}

test('lists requirements that broke and requirements that were fixed', () => {
  const diff = compareReports(
    report([requirement('a.one', 'pass'), failing('a.two', 'open', 'no status'), requirement('a.three', 'pass')]),
    report([failing('a.one', 'open', 'no id'), requirement('a.two', 'pass'), requirement('a.three', 'pass')]),
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

test('lists a SHOULD that fails now as broken', () => {
  const diff = compareReports(
    report([requirement('a', 'pass', { level: 'SHOULD' })]),
    report([requirement('a', 'warning', { level: 'SHOULD' })]),
  )
  expect(diff.broke.map(({ id }) => id)).toEqual(['a'])
})

test('compares each endpoint: a failing requirement can break on another endpoint', () => {
  const open = outcome('fail', { failure: { message: 'no status' } })
  const guarded = (verdict: 'pass' | 'fail') =>
    outcome(verdict, { endpoint: 'custom-auth', ...(verdict === 'fail' && { failure: { message: 'status is null' } }) })
  const diff = compareReports(
    report([requirement('a', 'fail', { outcomes: [open, guarded('pass')] })]),
    report([requirement('a', 'fail', { outcomes: [open, guarded('fail')] })]),
  )
  expect(diff.broke).toMatchObject([{ id: 'a', endpoints: ['custom-auth'], after: { why: 'status is null' } }])
})

test('does not list a failure on a new endpoint as broken', () => {
  const [open] = endpoints
  const before = report([requirement('a', 'pass')], { target: { name: 'example', endpoints: open ? [open] : [] } })
  const after = report([
    requirement('a', 'fail', { outcomes: [outcome('pass'), outcome('fail', { endpoint: 'custom-auth' })] }),
  ])
  const diff = compareReports(before, after)
  expect(diff).toMatchObject({ broke: [], changed: [{ id: 'a' }] })
  expect(diff.warnings).toEqual(['Only the later run had the endpoint custom-auth.'])
})

test('lists a requirement of another catalog as new, with any verdict', () => {
  const diff = compareReports(
    report([requirement('a', 'pass'), requirement('gone', 'fail')]),
    report([requirement('a', 'pass'), failing('fresh', 'open', 'no id')], { suite: laterSuite }),
  )
  expect(diff).toMatchObject({ broke: [], newChecks: [{ id: 'fresh' }], retired: [{ id: 'gone' }] })
  const text = diffFormats.console(diff)
  expect(text).toContain('nothing broke, nothing was fixed, 1 new requirement, 1 removed requirement, 1 unchanged')
  expect(text).toContain('New requirements (1)\n  fresh: fail (MUST)\n    no id')
  expect(text).not.toContain('regression')
})

test('does not list an unselected requirement as new or removed', () => {
  const part = { selection: '--id a' }
  const whole = report([requirement('a', 'pass'), requirement('b', 'pass')])
  expect(compareReports(report([requirement('a', 'pass')], part), whole)).toMatchObject({
    newChecks: [],
    onlyAfter: [{ id: 'b' }],
    warnings: ['The earlier run tested a part of the requirements only (--id a).'],
  })
  expect(compareReports(whole, report([requirement('a', 'pass')], { ...part, suite: laterSuite }))).toMatchObject({
    retired: [],
    onlyBefore: [{ id: 'b' }],
  })
})

test('does not list a change from inconclusive to fail as broken', () => {
  const before = requirement('a', 'inconclusive', { outcomes: [outcome('inconclusive', { unlock: 'graphs.slow' })] })
  const diff = compareReports(report([before]), report([failing('a', 'open', 'no id')]))
  expect(diff).toMatchObject({ broke: [], changed: [{ id: 'a', before: { why: 'to test: graphs.slow' } }] })
})

test('does not list a known failure as broken, but as fixed once it passes', () => {
  const known = requirement('a', 'expected-fail', { reason: 'known', outcomes: [outcome('fail')] })
  expect(compareReports(report([requirement('a', 'pass')]), report([known]))).toMatchObject({
    broke: [],
    changed: [{ id: 'a' }],
  })
  expect(compareReports(report([known]), report([requirement('a', 'pass')]))).toMatchObject({ fixed: [{ id: 'a' }] })
})

test('lists a changed observation, and ignores ids and times in it', () => {
  const observed = (observation: string) =>
    report([requirement('a', 'observed', { level: 'UNSPECIFIED', outcomes: [outcome('observed', { observation })] })])
  const before = observed('404, run 01a1fd3c-a3ef-7133-913e-56f353943766 at 2026-03-01T10:00:00.123Z')
  const after = observed('404, run 01a1fd6c-fc50-77c3-a6e9-9ef2ab988ee0 at 2026-03-02T11:30:00+01:00')
  expect(compareReports(before, after).unchanged).toBe(1)
  const { changed } = compareReports(before, observed('409'))
  expect(changed).toMatchObject([{ id: 'a', endpoints: ['open'], after: { why: '409' } }])
})

test('marks a reworded requirement', () => {
  const diff = compareReports(
    report([requirement('a', 'pass')]),
    report([{ ...failing('a', 'open', 'no id'), statement: 'now stricter' }], { suite: laterSuite }),
  )
  expect(diff.broke).toMatchObject([{ id: 'a', reworded: true }])
  expect(diffFormats.console(diff)).toContain('a: pass → fail (MUST) on open, the requirement was reworded')
})

test('compares all endpoints together if the reports have none in common', () => {
  const renamed = {
    name: 'example',
    endpoints: endpoints.slice(0, 1).map((endpoint) => ({ ...endpoint, name: 'main' })),
  }
  const after = report([failing('a', 'main', 'no id')], { target: renamed })
  expect(compareReports(report([requirement('a', 'pass')]), after)).toMatchObject({
    broke: [{ id: 'a' }],
    warnings: [expect.stringMatching(/no endpoint in common/)],
  })
})

test('warns about differences between the runs', () => {
  const target = {
    name: 'another',
    endpoints: endpoints.map((endpoint) => ({ ...endpoint, url: `${endpoint.url}/v2`, testGraphsRevision: '2' })),
  }
  const suite = { ...laterSuite, seed: '43' }
  const { warnings } = compareReports(report([]), report([], { target, suite, repeat: 5, interrupted: 'SIGINT' }))
  expect(warnings).toEqual([
    'The targets differ: example and another.',
    'The URL of the endpoint open was http://127.0.0.1/open and is now http://127.0.0.1/open/v2.',
    'The revision of the test graphs on the endpoint open was unknown and is now 2.',
    'The URL of the endpoint custom-auth was http://127.0.0.1/custom-auth and is now http://127.0.0.1/custom-auth/v2.',
    'The revision of the test graphs on the endpoint custom-auth was unknown and is now 2.',
    'The requirement catalogs differ: requirements were added, removed or reworded.',
    'The seeds differ (42, 43), so the checks made other random choices.',
    'The earlier run ran each check once, the later run 5 times.',
    'The later run was interrupted (SIGINT).',
  ])
})

test('escapes texts from a target for terminals and Markdown', () => {
  const diff = compareReports(reportOf([]), { ...exampleReport, suite: laterSuite })
  expect(diffFormats.console(diff).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  const text = diffFormats.markdown(diff)
  expect(text.replaceAll(/`+[^`\n]*`+/g, '')).not.toContain('<script>')
})

test('shortens Markdown to the size of a comment on GitHub', () => {
  const requirements = (verdict: 'pass' | 'fail') =>
    Array.from({ length: 900 }, (_, index) =>
      requirement(`a.${index}`, verdict, {
        outcomes: [outcome(verdict, verdict === 'fail' ? { failure: { message: 'no status '.repeat(30) } } : {})],
      }),
    )
  const text = diffFormats.markdown(compareReports(report(requirements('pass')), report(requirements('fail'))))
  expect(text).toMatch(/^## ❌ 900 requirements broke, /)
  expect(Buffer.byteLength(text)).toBeLessThan(65_536)
  expect(text).toMatch(/Left out: \d+ of 900 under "Broke"/)
})

test('renders the complete comparison as JSON', () => {
  const diff = compareReports(report([requirement('a', 'pass')]), report([requirement('a', 'fail')]))
  expect(JSON.parse(diffFormats.json(diff))).toEqual(diff)
})
