import { expect, test } from 'vitest'
import { wantsColor } from '../../reporters/color.ts'
import { renderConsole } from '../../reporters/console.ts'
import { exampleReport, exchange, greenReport, levelled, outcome, reportOf, row } from './example-report.ts'

const text = renderConsole(exampleReport)

test('a conformant run: sentence, identity, table, and no more', () => {
  expect(renderConsole(greenReport)).toBe(
    [
      'Conformant: 2 of 2 tested requirements pass (open, custom-auth)',
      '',
      'example 1.2.0: open http://127.0.0.1:8123',
      'touchstone 0.1.0, register f00df00df00d, seed 42, 2.3 s',
      '',
      'area  level  pass  all',
      'A     MUST      2    2',
      'all             2    2',
      '',
    ].join('\n'),
  )
})

test('the verdict stands first and, below all details, last', () => {
  const lines = text.trimEnd().split('\n')
  expect(lines[0]).toBe(exampleReport.verdict.sentence)
  expect(lines.at(-1)).toBe(exampleReport.verdict.sentence)
})

test('what a reader acts on comes in order', () => {
  const titles = text.split('\n').filter((line) => /^[A-Z][\w ,]+ \(\d+\)$/.test(line))
  expect(titles).toEqual([
    'Problems of the run (1)',
    'Stale baseline entries (1)',
    'Failures (4)',
    'Blocked (1)',
    'Could not run (1)',
    'Advised, not met (1)',
    'Accepted gaps (1)',
    'Known failures in the baseline (1)',
  ])
})

test('a failure names its cause', () => {
  const start = text.indexOf('FAIL thread.create.id-uuid')
  expect(text.slice(start, text.indexOf('FAIL thread.create.long'))).toMatchInlineSnapshot(`
    "FAIL thread.create.id-uuid
      requirement     The id of a thread is a UUID
      interpretation  Any version of UUID will do
      section         Threads & runs (area A, MUST)
      verdicts        custom-auth: 1 pass; open: 1 fail
      endpoint        open: a thread is created
      cause           thread_id is no UUID
      expected        a UUID as a string
      received        \\x1b[2J\\x1b]0;owned\\x07 \\x9b31m </failure>]]> <script>alert("x")</script> \`\`\`
                      # heading | cell & \\x00 \\u{202e} \\u{d800} \\u{ffff} 👩‍🚀
      exchange        GET http://127.0.0.1:8123/assistants → 200
                      deciding:
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

test('a flaky row tells how often, and repeats of one finding are told once', () => {
  expect(text).toContain('verdicts        open: 1 pass, 2 fail')
  expect(text).toContain('endpoint        open: a thread is created (seen 2 times)')
  expect(text.match(/join answered while the run was pending/g)).toHaveLength(1)
})

test('blocked rows are grouped by what blocks them, others by the setting that unlocks them', () => {
  expect(text).toContain('  by thread.create.id-uuid (1 requirement)\n    run.list.order')
  expect(text).toContain(
    '  to run: endpoints.open.users in the configuration (1 requirement)\n    because the endpoint declares no users\n    auth.scope.threads',
  )
})

test('a SHOULD that flips under repetition is advice, with what was seen when it did not hold', () => {
  const flipping = levelled('SHOULD', 'flaky', {
    outcomes: [outcome('pass'), outcome('warning', { failure: { message: 'updates came late' } })],
  })
  const rendered = renderConsole(reportOf([row('a.held', 'pass'), flipping]))
  expect(rendered).toContain('Advised, not met (1)\n  should.flaky: updates came late')
  expect(rendered).not.toContain('Failures')
})

test('warnings, gaps and known failures take a line each', () => {
  expect(text).toContain('  stream.progressive: all updates came at the end\n')
  expect(text).toContain('  auth.studio: no studio users here\n')
  expect(text).toContain('  run.kwargs.created-by: known since 1.2, mended in 1.3\n')
})

test('no control character of a server reaches the terminal', () => {
  expect(text.replace(/[\n]/g, '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Cs}]/u)
  expect(renderConsole(exampleReport, { color: true })).not.toContain('\u001b[2J')
})

test('a long answer is cut, and the cut is told', () => {
  expect(text.length).toBeLessThan(60_000)
  expect(text).toMatch(/… \(cut: \d+ characters, whole in the JSON report\)/)
})

test('a failing row without details is never bare', () => {
  const bare = renderConsole(reportOf([row('a.b', 'fail', { outcomes: [] })]))
  expect(bare).toContain('requirement     What a.b asks for')
  expect(bare).toContain('cause           the report holds no details of what was seen')
})

test('a request without an answer says so', () => {
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
  expect(renderConsole(reportOf([row('a.b', 'fail', { outcomes: [lost] })]))).toContain(
    '→ no answer, the connection was reset after 30000 ms',
  )
})

test('a request that nobody waited for is still under way', () => {
  const { status: _, ...sent } = exchange()
  const open = outcome('fail', { evidence: { exchanges: [sent, exchange()] } })
  expect(renderConsole(reportOf([row('a.b', 'fail', { outcomes: [open] })]))).toContain(
    'POST http://127.0.0.1:8123/threads → still under way',
  )
})

test('of checks that met the same, ids apart, one is shown and the others are named', () => {
  const ids = ['0d1b7e3e-52ab-4f0f-9d55-1f4b6f1c1a11', '5c0c8f6e-13a0-4a9b-8a52-0b7a8a0a2b22']
  const failing = (check: string, message: string) => outcome('fail', { check, failure: { message } })
  const same = ids.map((id, index) => failing(`check ${index}`, `no status in ${id}`))
  const report = reportOf([row('a.b', 'fail', { outcomes: [...same, failing('another', 'a wrong status')] })])
  const rendered = renderConsole(report)
  expect(rendered.match(/cause {11}no status/g)).toHaveLength(1)
  expect(rendered).toMatch(/more {12}1 more check met the same:\n {18}open: check 1/)
  expect(rendered).toContain('cause           a wrong status')
})

test('of findings that differ in what came three are shown, the others are named', () => {
  const outcomes = ['200', '201', '202', '203'].map((received) =>
    outcome('fail', { check: `check ${received}`, failure: { message: 'no refusal', received } }),
  )
  const rendered = renderConsole(reportOf([row('a.b', 'fail', { outcomes })]))
  expect(rendered.match(/cause {11}no refusal/g)).toHaveLength(3)
  expect(rendered).toMatch(/1 more check met the like:\n {18}open: check 203/)
})

test('rows with equal failures are told once, with the ids and statements of the others', () => {
  const failing = (id: string, message: string) =>
    row(id, 'fail', { statement: `What ${id} says.`, outcomes: [outcome('fail', { failure: { message } })] })
  const report = reportOf([failing('a.one', 'refused'), failing('a.two', 'refused'), failing('a.three', 'late')])
  const rendered = renderConsole(report)
  expect(rendered).toContain('Failures (3)')
  expect(rendered.match(/cause {11}refused/g)).toHaveLength(1)
  expect(rendered).toContain('FAIL a.two (the same): What a.two says.')
  expect(rendered).toMatch(/FAIL a\.three\n {2}requirement/)
})

test('rows about an endpoint that is not declared take a line', () => {
  const reason = 'the configuration has no endpoint for custom-auth'
  const absent = ['a.one', 'a.two'].map((id) => row(id, 'not-applicable', { reason, outcomes: [] }))
  const rendered = renderConsole(reportOf([row('a.held', 'pass'), ...absent]))
  expect(rendered).toContain(`\n\n2 requirements not applicable: ${reason}\n`)
})

test('an endpoint that shards met at several ports is told once', () => {
  const { target } = greenReport
  const elsewhere = target.endpoints.map((it) => ({ ...it, url: 'http://127.0.0.1:8124' }))
  const report = { ...greenReport, target: { ...target, endpoints: [...target.endpoints, ...elsewhere] } }
  expect(renderConsole(report)).toBe(renderConsole(greenReport))
})

test('colors are for a terminal whose user has not refused them', () => {
  expect(wantsColor({ isTTY: true }, {})).toBe(true)
  expect(wantsColor({ isTTY: true }, { NO_COLOR: '1' })).toBe(false)
  expect(wantsColor({}, {})).toBe(false)
  expect(renderConsole(greenReport, { color: true })).toContain('\u001b[32m')
  expect(renderConsole(greenReport)).not.toContain('\u001b')
})
