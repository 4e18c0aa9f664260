import { expect, test } from 'vitest'
import { lineWidth, renderConsole, wantsColor } from '../../reporters/console.ts'
import { wrapped } from '../../reporters/wrap.ts'
import { exampleReport, exchange, greenReport, outcome, reportOf, requirement, withLevel } from './example-report.ts'

const text = renderConsole(exampleReport)

test('renders the sentence, the identity and the table of a conformant run', () => {
  expect(renderConsole(greenReport)).toBe(
    [
      'example 1.2.0: open http://127.0.0.1:8123',
      'touchstone 0.1.0, catalog f00df00df00d, seed 42, 2.3 s',
      '',
      'A    MUST  2 pass',
      'all        2 pass',
      '',
      'Conformant: 2 of 2 tested requirements pass (open, custom-auth)',
      '',
    ].join('\n'),
  )
})

test('shows what the options of the run left out', () => {
  const notRun = 'Not run without --thorough: long streams'

  expect(renderConsole({ ...greenReport, notRun })).toContain(`\n\n${notRun}\n\nConformant:`)
})

test('ends with the verdict, the cause of each failure and what to do next', () => {
  const rendered = renderConsole(exampleReport, {
    width: 200,
    report: 'reports/report.html',
    rerun: 'npx touchstone test --failed reports/report.json',
    replay: (id) => (id === 'run.join.waits' ? { sh: `replay/${id}.sh`, har: `replay/${id}.har` } : undefined),
  })
  const end = rendered.slice(rendered.indexOf('Not conformant'))
  expect(end.replace(/^(✗ thread.create.(?:id-uuid|long)).*\n.*/gm, '$1 …')).toMatchInlineSnapshot(`
    "Not conformant for the selection (shard 1/2; --area A): 3 of 6 tested requirements fail (open, custom-auth), 1 of them flaky, 1 stale baseline entry, 1 error in Touchstone, 1 problem of the run,
    interrupted (SIGINT), 1 inconclusive, 1 blocked, 1 known failure in the baseline, 1 accepted gap, 1 warning

    ✗ the target did not respond for 30 s

    ✗ thread.create.id-uuid …
        blocks 1: run.list.order

    ✗ thread.create.long …
        a long response 👩‍🚀 a l…

    ✗ run.join.waits  join responded while the run was pending

    ✗ run.cancel.wait  TypeError: run is undefined

    report: reports/report.html
    re-run: npx touchstone test --failed reports/report.json
    replay: bash replay/run.join.waits.sh
    "
  `)
})

test('breaks a long JSON value after commas', () => {
  const received = JSON.stringify(Array.from({ length: 20 }, (_, index) => `message ${index}`.replace(' ', '_')))

  const lines = wrapped(`expected [], received ${received}`, 80).split('\n')

  expect(lines.every(({ length }) => length <= 80)).toBe(true)
  expect(lines.join('')).toContain(received)
})

test('breaks a long path after slashes, and any other long word anywhere', () => {
  const text = `key ${'0123456789/'.repeat(9)}${'👩'.repeat(60)}`

  const lines = wrapped(text, 40).split('\n')

  expect(lines.every(({ length }) => length <= 40)).toBe(true)
  expect(lines.slice(0, 2)).toEqual(['key 0123456789/0123456789/0123456789/', '0123456789/0123456789/0123456789/'])
  expect(lines.join('')).toBe(text)
})

test('the environment variable COLUMNS sets the width where there is no terminal', () => {
  expect(lineWidth({}, { COLUMNS: '80' })).toBe(80)
  expect(lineWidth({ columns: 120 }, { COLUMNS: '80' })).toBe(120)
  expect(lineWidth({}, { COLUMNS: 'wide' })).toBeUndefined()
})

test.for([60, 80, 200])('breaks sentences at a width of %d', (width) => {
  const blocked = Array.from({ length: 60 }, (_, index) =>
    requirement(`a.long.name.${index}`, 'blocked', { outcomes: [outcome('blocked', { blockedBy: 'a.b' })] }),
  )
  const failure = { message: 'expected a word, received another word '.repeat(9) }
  const report = reportOf([requirement('a.b', 'fail', { outcomes: [outcome('fail', { failure })] }), ...blocked])
  for (const verbose of [false, true]) {
    const lines = renderConsole(report, { width, verbose }).split('\n')
    expect(lines.filter((line) => line.length > width)).toEqual([])
    const all = renderConsole(exampleReport, { width, verbose }).split('\n')
    // Commands are on one line, so that they can be copied.
    expect(all.filter((line) => line.length > width && !/^ {2}curl /.test(line))).toEqual([])
  }
})

test('cuts a long header, so that the body is seen', () => {
  const long = exchange({ responseHeaders: { 'x-trace': 'a'.repeat(6000) }, responseBody: '{"run_id":1}' })
  const outcomes = [outcome('fail', { evidence: { exchanges: [long] } })]
  const rendered = renderConsole(reportOf([requirement('run.create.answers-run', 'fail', { outcomes })]))

  expect(rendered).toContain('"run_id": 1')
  // Long lines are wrapped.
  expect(rendered.replaceAll(/\s/g, '')).not.toContain('a'.repeat(201))
})

test('shows who sent a request, and the earlier one whose response has the received id', () => {
  const id = '5e000000-0000-4000-8000-000000000001'
  const origin = exchange({ user: 'alice', url: 'http://server/origin', responseBody: `{"run_id":"${id}"}` })
  const others = Array.from({ length: 7 }, (_, index) => exchange({ user: 'bob', url: `http://server/${index}` }))
  const failure = { message: `\`run_id\`: expected a new id, received ${id}`, expected: 'a new id', received: id }
  const outcomes = [outcome('fail', { failure, evidence: { exchanges: [origin, ...others] } })]

  const lines = renderConsole(reportOf([requirement('a.b', 'fail', { outcomes })])).split('\n')

  const shown = lines.flatMap((line) => /^ +(\[\w+\] POST .*)/.exec(line)?.[1] ?? [])
  expect(shown).toEqual([
    `[alice] POST http://server/origin → 200 with ${id}`,
    ...[2, 3, 4, 5].map((index) => `[bob] POST http://server/${index} → 200`),
    '[bob] POST http://server/6',
  ])
})

test('lists five blocked requirements of a cause, or all with the option verbose', () => {
  const blocked = Array.from({ length: 7 }, (_, index) =>
    requirement(`b.${index}`, 'blocked', {
      outcomes: [outcome('blocked', { blockedBy: index === 0 ? 'a.b' : `b.${index - 1}` })],
    }),
  )
  const report = reportOf([requirement('a.b', 'fail'), ...blocked])
  expect(renderConsole(report)).toContain('blocks 7: b.0, b.1, b.2, b.3, b.4 and 2 more\n')
  expect(renderConsole(report, { verbose: true })).toContain('blocks 7: b.0, b.1, b.2, b.3, b.4, b.5, b.6\n')
})

test('orders the sections by importance', () => {
  const titles = text.split('\n').filter((line) => /^[A-Z][\w ,]+ \(\d+\)$/.test(line))
  expect(titles).toEqual([
    'Stale baseline entries (1)',
    'Inconclusive (1)',
    'Accepted gaps (1)',
    'Known failures in the baseline (1)',
  ])
})

test('shows all details of a failure with the option verbose', () => {
  const text = renderConsole(exampleReport, { verbose: true, width: 200 })
  const start = text.indexOf('FAIL thread.create.id-uuid')
  expect(text.slice(start, text.indexOf('FAIL thread.create.long'))).toMatchInlineSnapshot(`
    "FAIL thread.create.id-uuid
      requirement     The id of a thread is a UUID
      interpretation  Any version of UUID is allowed
      section         Threads & runs (area A, MUST)
      verdicts        custom-auth: 1 pass; open: 1 fail
      where           in the check "a thread is created" on the endpoint open
      cause           thread_id is not a UUID: expected a UUID as a string, received \\x1b[2J\\x1b]0;owned\\x07 \\x9b31m </failure>]]> <script>alert("x")</script> \`\`\` # heading | cell & \\x00 \\u{202e} \\u{d800}
                      \\u{ffff} 👩‍🚀
      expected        a UUID as a string
      received        \\x1b[2J\\x1b]0;owned\\x07 \\x9b31m </failure>]]> <script>alert("x")</script> \`\`\`
                      # heading | cell & \\x00 \\u{202e} \\u{d800} \\u{ffff} 👩‍🚀
      exchange
        GET http://127.0.0.1:8123/assistants → 200
        deciding exchange:
        POST http://127.0.0.1:8123/threads
        content-type: application/json
        x-api-key: $TOUCHSTONE_API_KEY

        {}
        → 200 after 3 ms
        content-type: application/json

        \\x1b[2J\\x1b]0;owned\\x07 \\x9b31m </failure>]]> <script>alert("x")</script> \`\`\`
        # heading | cell & \\x00 \\u{202e} \\u{d800} \\u{ffff} 👩‍🚀
      stream
        http://127.0.0.1:8123/threads/t/runs/stream
        4 ms  metadata (id 0)  {"run_id":"r"}
        9 ms  updates  \\x1b[2J\\x1b]0;owned\\x07 \\x9b31m </failure>]]> <script>alert("x")</script> \`\`\`
        # heading | cell & \\x00 \\u{202e} \\u{d800} \\u{ffff} 👩‍🚀
      curl            curl -sS -i -X POST 'http://127.0.0.1:8123/threads' -H "x-api-key: $TOUCHSTONE_API_KEY" --data-binary '{}'

    "
  `)
})

test('counts the verdicts of a flaky requirement and shows a repeated failure once', () => {
  expect(text).toContain('verdicts        open: 1 pass, 2 fail')
  expect(text).toContain('where           in the check "a thread is created" (2 times) on the endpoint open')
  expect(text.match(/join responded while the run was pending/g)).toHaveLength(2)
})

test('groups inconclusive requirements by missing setting', () => {
  expect(text).toContain(
    '  to test: set endpoints.open.users in the configuration (1 requirement)\n    because the endpoint declares no users\n    auth.scope.threads',
  )
})

test('groups requirements by the known failure that blocks them', () => {
  const blocked = requirement('a.two', 'blocked', { outcomes: [outcome('blocked', { blockedBy: 'a.one' })] })
  const rendered = renderConsole(reportOf([requirement('a.one', 'expected-fail'), blocked]))
  expect(rendered).toContain('Blocked by other requirements (1)\n  by a.one (1 requirement)\n    a.two')
})

test('lists a flaky SHOULD as a warning with its failure message', () => {
  const flaky = withLevel('SHOULD', 'flaky', {
    outcomes: [outcome('pass'), outcome('warning', { failure: { message: 'updates came late' } })],
  })
  const rendered = renderConsole(reportOf([requirement('a.passing', 'pass'), flaky]))
  expect(rendered).toMatch(/^FLAKY should\.flaky\n.*\n.*\n.*\n {2}where .*\n {2}cause {11}updates came late\n/m)
  expect(rendered).not.toContain('Failures')
})

test('shows five failures and warnings with details, and further warnings on one line each', () => {
  const warnings = Array.from({ length: 6 }, (_, n) =>
    withLevel('SHOULD', 'warning', { outcomes: [outcome('warning', { failure: { message: `late ${n}` } })] }),
  )
  const rendered = renderConsole(reportOf([requirement('a.b', 'fail'), ...warnings]))

  expect(rendered.match(/^WARNING .*/gm)).toHaveLength(4)
  expect(rendered).toContain('Further warnings (2)\n  should.warning: late 4\n  should.warning: late 5\n')
})

test('shows warnings with the same cause together', () => {
  const warnings = Array.from({ length: 3 }, (_, n) => ({
    ...withLevel('SHOULD', 'warning', { outcomes: [outcome('warning', { failure: { message: 'late' } })] }),
    id: `should.${n}`,
  }))
  const rendered = renderConsole(reportOf([requirement('a.b', 'pass'), ...warnings]))
  expect(rendered).toMatch(/^WARNING should\.1 \(same cause\): .*\nWARNING should\.2 \(same cause\): /m)

  const failures = Array.from({ length: 5 }, (_, n) =>
    requirement(`a.${n}`, 'fail', { outcomes: [outcome('fail', { failure: { message: `wrong ${n}` } })] }),
  )
  expect(renderConsole(reportOf([...failures, ...warnings]))).toContain(
    'Warnings (3)\n  should.0, should.1, should.2: late\n',
  )
})

test('shows accepted gaps and known failures on one line each', () => {
  expect(text).toContain('  auth.studio: no studio users here\n')
  expect(text).toContain('  run.kwargs.created-by: known since 1.2, fixed in 1.3\n')
})

test('escapes control characters from a server', () => {
  expect(text.replace(/[\n]/g, '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Cs}]/u)
  expect(renderConsole(exampleReport, { color: true })).not.toContain('\u001b[2J')
})

test('shows that two texts differ in their Unicode normalization', () => {
  const message = `expected ${'é'.normalize('NFC')}, received ${'é'.normalize('NFD')}`
  const report = reportOf([requirement('a.b', 'fail', { outcomes: [outcome('fail', { failure: { message } })] })])

  expect(renderConsole(report)).toContain('expected é, received e\\u{301}')
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
  const rendered = renderConsole(report, { verbose: true })
  expect(rendered.match(/cause {11}no status/g)).toHaveLength(1)
  expect(rendered).toMatch(/more {12}1 more check with the same result:\n {18}open: check 1/)
  expect(rendered).toContain('cause           a wrong status')
})

test('shows three results with different received values and names the others', () => {
  const outcomes = ['200', '201', '202', '203'].map((received) =>
    outcome('fail', { check: `check ${received}`, failure: { message: 'no refusal', received } }),
  )
  const rendered = renderConsole(reportOf([requirement('a.b', 'fail', { outcomes })]), { verbose: true })
  expect(rendered.match(/cause {11}no refusal/g)).toHaveLength(3)
  expect(rendered).toMatch(/1 more check with a similar result:\n {18}open: check 203/)
})

test('shows equal failures once, with the ids and statements of the other requirements', () => {
  const failing = (id: string, message: string) =>
    requirement(id, 'fail', { statement: `Statement of ${id}.`, outcomes: [outcome('fail', { failure: { message } })] })
  const report = reportOf([failing('a.one', 'refused'), failing('a.two', 'refused'), failing('a.three', 'late')])
  const rendered = renderConsole(report)
  expect(rendered.match(/cause {11}refused/g)).toHaveLength(1)
  expect(rendered).toContain('FAIL a.two (same cause): Statement of a.two.')
  expect(rendered).toMatch(/FAIL a\.three\n {2}requirement/)
})

test('summarizes requirements of a profile that the target does not have', () => {
  const reason = 'the target has no endpoint with the profile custom-auth'
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
