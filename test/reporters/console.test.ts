import { expect, test } from 'vitest'
import { renderConsole, wantsColor } from '../../reporters/console.ts'
import { exampleReport, exchange, greenReport, outcome, reportOf, requirement, withLevel } from './example-report.ts'

const text = renderConsole(exampleReport)

test('renders the sentence, the identity and the table of a conformant run', () => {
  expect(renderConsole(greenReport)).toBe(
    [
      'Conformant: 2 of 2 tested requirements pass (open, custom-auth)',
      '',
      'example 1.2.0: open http://127.0.0.1:8123',
      'touchstone 0.1.0, catalog f00df00df00d, seed 42, 2.3 s',
      '',
      'area  level  pass  all',
      'A     MUST      2    2',
      'all             2    2',
      '',
    ].join('\n'),
  )
})

test('shows what the options of the run left out', () => {
  const notRun = 'Not run without --thorough: long streams'

  expect(
    renderConsole({ ...greenReport, notRun })
      .trimEnd()
      .split('\n')
      .at(-1),
  ).toBe(notRun)
})

test('shows the verdict at the start and at the end', () => {
  const lines = text.trimEnd().split('\n')
  expect(lines[0]).toBe(exampleReport.verdict.sentence)
  expect(lines.at(-1)).toBe(exampleReport.verdict.sentence)
})

test('orders the sections by importance', () => {
  const titles = text.split('\n').filter((line) => /^[A-Z][\w ,]+ \(\d+\)$/.test(line))
  expect(titles).toEqual([
    'Problems of the run (1)',
    'Stale baseline entries (1)',
    'Failures (4)',
    'Blocked (1)',
    'Inconclusive (1)',
    'Warnings (1)',
    'Accepted gaps (1)',
    'Known failures in the baseline (1)',
  ])
})

test('shows all details of a failure', () => {
  const start = text.indexOf('FAIL thread.create.id-uuid')
  expect(text.slice(start, text.indexOf('FAIL thread.create.long'))).toMatchInlineSnapshot(`
    "FAIL thread.create.id-uuid
      requirement     The id of a thread is a UUID
      interpretation  Any version of UUID is allowed
      section         Threads & runs (area A, MUST)
      verdicts        custom-auth: 1 pass; open: 1 fail
      endpoint        open: a thread is created
      cause           thread_id is not a UUID
      expected        a UUID as a string
      received        \\x1b[2J\\x1b]0;owned\\x07 \\x9b31m </failure>]]> <script>alert("x")</script> \`\`\`
                      # heading | cell & \\x00 \\u{202e} \\u{d800} \\u{ffff} 👩‍🚀
      exchange        GET http://127.0.0.1:8123/assistants → 200
                      deciding exchange:
                      POST http://127.0.0.1:8123/threads
                      x-api-key: [redacted]
                      content-type: application/json

                      {}
                      → 200 after 3 ms
                      content-type: application/json

                      \\x1b[2J\\x1b]0;owned\\x07 \\x9b31m </failure>]]> <script>alert("x")</script> \`\`\`
                      # heading | cell & \\x00 \\u{202e} \\u{d800} \\u{ffff} 👩‍🚀
      stream          http://127.0.0.1:8123/threads/t/runs/stream
                      4 ms  metadata (id 0)  {"run_id":"r"}
                      9 ms  updates  \\x1b[2J\\x1b]0;owned\\x07 \\x9b31m </failure>]]> <script>alert("x")</script> \`\`\`
                      # heading | cell & \\x00 \\u{202e} \\u{d800} \\u{ffff} 👩‍🚀
      curl            curl -sS -i -X POST 'http://127.0.0.1:8123/threads' -H "x-api-key: $TOUCHSTONE_API_KEY" --data-binary '{}'

    "
  `)
})

test('counts the verdicts of a flaky requirement and shows a repeated failure once', () => {
  expect(text).toContain('verdicts        open: 1 pass, 2 fail')
  expect(text).toContain('endpoint        open: a thread is created (2 times)')
  expect(text.match(/join responded while the run was pending/g)).toHaveLength(1)
})

test('groups blocked requirements by blocker and inconclusive ones by missing setting', () => {
  expect(text).toContain('  by thread.create.id-uuid (1 requirement)\n    run.list.order')
  expect(text).toContain(
    '  to test: set endpoints.open.users in the configuration (1 requirement)\n    because the endpoint declares no users\n    auth.scope.threads',
  )
})

test('lists a flaky SHOULD as a warning with its failure message', () => {
  const flaky = withLevel('SHOULD', 'flaky', {
    outcomes: [outcome('pass'), outcome('warning', { failure: { message: 'updates came late' } })],
  })
  const rendered = renderConsole(reportOf([requirement('a.passing', 'pass'), flaky]))
  expect(rendered).toContain('Warnings (1)\n  should.flaky: updates came late')
  expect(rendered).not.toContain('Failures')
})

test('shows warnings, accepted gaps and known failures on one line each', () => {
  expect(text).toContain('  stream.progressive: all updates came at the end\n')
  expect(text).toContain('  auth.studio: no studio users here\n')
  expect(text).toContain('  run.kwargs.created-by: known since 1.2, fixed in 1.3\n')
})

test('escapes control characters from a server', () => {
  expect(text.replace(/[\n]/g, '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Cs}]/u)
  expect(renderConsole(exampleReport, { color: true })).not.toContain('\u001b[2J')
})

test('truncates a long response and adds a note', () => {
  expect(text.length).toBeLessThan(60_000)
  expect(text).toMatch(/… \(truncated from \d+ characters; the JSON report has the full text\)/)
})

test('shows a failure that has no details', () => {
  const bare = renderConsole(reportOf([requirement('a.b', 'fail', { outcomes: [] })]))
  expect(bare).toContain('requirement     Statement of a.b')
  expect(bare).toContain('cause           the report has no details of this failure')
})

test('shows that a request got no response', () => {
  const lost = outcome('fail', {
    evidence: {
      exchanges: [
        {
          method: 'GET',
          url: 'http://127.0.0.1:8123/threads',
          requestHeaders: {},
          startedAt: '2026-03-01T10:00:00.000Z',
          durationMs: 30_000,
          error: 'the connection was reset',
          curl: "curl 'http://127.0.0.1:8123/threads'",
        },
      ],
    },
  })
  expect(renderConsole(reportOf([requirement('a.b', 'fail', { outcomes: [lost] })]))).toContain(
    '→ no response, the connection was reset after 30000 ms',
  )
})

test('shows that a request is still in flight', () => {
  const { status: _, ...sent } = exchange()
  const open = outcome('fail', { evidence: { exchanges: [sent, exchange()] } })
  expect(renderConsole(reportOf([requirement('a.b', 'fail', { outcomes: [open] })]))).toContain(
    'POST http://127.0.0.1:8123/threads → still in flight',
  )
})

test('shows one of the checks whose results differ only in ids, and names the others', () => {
  const ids = ['0d1b7e3e-52ab-4f0f-9d55-1f4b6f1c1a11', '5c0c8f6e-13a0-4a9b-8a52-0b7a8a0a2b22']
  const failing = (check: string, message: string) => outcome('fail', { check, failure: { message } })
  const same = ids.map((id, index) => failing(`check ${index}`, `no status in ${id}`))
  const report = reportOf([requirement('a.b', 'fail', { outcomes: [...same, failing('another', 'a wrong status')] })])
  const rendered = renderConsole(report)
  expect(rendered.match(/cause {11}no status/g)).toHaveLength(1)
  expect(rendered).toMatch(/more {12}1 more check with the same result:\n {18}open: check 1/)
  expect(rendered).toContain('cause           a wrong status')
})

test('shows three results with different received values and names the others', () => {
  const outcomes = ['200', '201', '202', '203'].map((received) =>
    outcome('fail', { check: `check ${received}`, failure: { message: 'no refusal', received } }),
  )
  const rendered = renderConsole(reportOf([requirement('a.b', 'fail', { outcomes })]))
  expect(rendered.match(/cause {11}no refusal/g)).toHaveLength(3)
  expect(rendered).toMatch(/1 more check with a similar result:\n {18}open: check 203/)
})

test('shows equal failures once, with the ids and statements of the other requirements', () => {
  const failing = (id: string, message: string) =>
    requirement(id, 'fail', { statement: `Statement of ${id}.`, outcomes: [outcome('fail', { failure: { message } })] })
  const report = reportOf([failing('a.one', 'refused'), failing('a.two', 'refused'), failing('a.three', 'late')])
  const rendered = renderConsole(report)
  expect(rendered).toContain('Failures (3)')
  expect(rendered.match(/cause {11}refused/g)).toHaveLength(1)
  expect(rendered).toContain('FAIL a.two (same failure): Statement of a.two.')
  expect(rendered).toMatch(/FAIL a\.three\n {2}requirement/)
})

test('summarizes requirements of a profile that the target does not have', () => {
  const reason = 'the configuration has no endpoint for custom-auth'
  const absent = ['a.one', 'a.two'].map((id) => requirement(id, 'not-applicable', { reason, outcomes: [] }))
  const rendered = renderConsole(reportOf([requirement('a.passing', 'pass'), ...absent]))
  expect(rendered).toContain(`\n\n2 requirements not applicable: ${reason}\n`)
})

test('shows an endpoint with another port in each shard once', () => {
  const { target } = greenReport
  const elsewhere = target.endpoints.map((endpoint) => ({ ...endpoint, url: 'http://127.0.0.1:8124' }))
  const report = { ...greenReport, target: { ...target, endpoints: [...target.endpoints, ...elsewhere] } }
  expect(renderConsole(report)).toBe(renderConsole(greenReport))
})

test('writes colors only to a terminal, and not if NO_COLOR is set', () => {
  expect(wantsColor({ isTTY: true }, {})).toBe(true)
  expect(wantsColor({ isTTY: true }, { NO_COLOR: '1' })).toBe(false)
  expect(wantsColor({}, {})).toBe(false)
  expect(renderConsole(greenReport, { color: true })).toContain('\u001b[32m')
  expect(renderConsole(greenReport)).not.toContain('\u001b')
})
