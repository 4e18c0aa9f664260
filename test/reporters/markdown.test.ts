import { expect, test } from 'vitest'
import { renderMarkdown } from '../../reporters/markdown.ts'
import { exampleReport, exchange, greenReport, longBody, outcome, reportOf, requirement } from './example-report.ts'

const text = renderMarkdown(exampleReport)

test('renders the sentence, the identity and the table of a conformant run', () => {
  expect(renderMarkdown(greenReport)).toBe(
    [
      '## ✅ Conformant: 2 of 2 tested requirements pass (open, custom-auth)',
      '',
      'example 1.2.0: `open` `http://127.0.0.1:8123`. touchstone 0.1.0, catalog `f00df00df00d`, seed `42`, 2.3 s.',
      '',
      '| area | level | pass | all |',
      '| --- | --- | ---: | ---: |',
      '| A | MUST | 2 | 2 |',
      '| all |  | 2 | 2 |',
      '',
    ].join('\n'),
  )
})

test('orders the sections by importance', () => {
  expect(text.split('\n').filter((line) => line.startsWith('### '))).toEqual([
    '### Problems of the run (1)',
    '### Failures (4)',
    '### Stale baseline entries (1)',
    '### Inconclusive (1)',
    '### Warnings (1)',
    '### Accepted gaps (1)',
    '### Known failures in the baseline (1)',
  ])
  expect(text).toContain('Unspecified behavior was observed for 1 requirement.')
})

test('shows requirement, interpretation, expected, received, exchange and curl of a failure', () => {
  const start = text.indexOf('<details><summary><code>thread.create.id-uuid</code>')
  expect(text.slice(start, text.indexOf('</details>', start))).toMatchInlineSnapshot(`
    "<details><summary><code>thread.create.id-uuid</code> fail</summary>

    - **requirement**: The id of a thread is a UUID
    - **interpretation**: Any version of UUID is allowed
    - **section**: Threads &#38; runs (area A, MUST)
    - **verdicts**: custom-auth: 1 pass; open: 1 fail

    - **where**: in the check "a thread is created" on the endpoint open
    - **cause**: \`thread_id is not a UUID: expected a UUID as a string, received \\x1b[2J\\x1b]0;owned\\x07 \\x9b31m </failure>]]> <script>alert("x")</script> # heading | cell & \\x00 \\u{202e} \\u{d800} \\u{ffff} 👩‍🚀\`

    **expected**

    \`\`\`
    a UUID as a string
    \`\`\`


    **received**

    \`\`\`\`
    \\x1b[2J\\x1b]0;owned\\x07 \\x9b31m </failure>]]> <script>alert("x")</script> \`\`\`
    # heading | cell & \\x00 \\u{202e} \\u{d800} \\u{ffff} 👩‍🚀
    \`\`\`\`


    **exchange**

    \`\`\`\`http
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
    \`\`\`\`


    **stream**

    \`\`\`\`
    http://127.0.0.1:8123/threads/t/runs/stream
    4 ms  metadata (id 0)  {"run_id":"r"}
    9 ms  updates  \\x1b[2J\\x1b]0;owned\\x07 \\x9b31m </failure>]]> <script>alert("x")</script> \`\`\`
    # heading | cell & \\x00 \\u{202e} \\u{d800} \\u{ffff} 👩‍🚀
    \`\`\`\`


    **curl**

    \`\`\`sh
    curl -sS -i -X POST 'http://127.0.0.1:8123/threads' -H "x-api-key: $TOUCHSTONE_API_KEY" --data-binary '{}'
    \`\`\`


    "
  `)
})

test('renders texts from a server as code with a fence that is long enough', () => {
  expect(text).toContain('````\n\\x1b[2J')
  expect(text.match(/<script>/g)?.length).toBe(text.match(/^.*\\x1b\[2J.*<script>.*$/gm)?.length)
  expect(text).not.toMatch(/[\p{Bidi_Control}\p{Cs}]/u)
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})

test('renders text in backticks as code', () => {
  const rendered = renderMarkdown(reportOf([requirement('a.b', 'fail', { statement: 'Each `id` is *new*.' })]))
  expect(rendered).toContain('- **requirement**: Each `id` is &#42;new&#42;.\n')
})

test('escapes markup in ids and statements', () => {
  const report = reportOf([
    requirement('a`b|c', 'fail', {
      statement: '<img src=x> *bold* [link](http://x) | cell',
      outcomes: [outcome('fail')],
    }),
  ])
  const rendered = renderMarkdown(report)
  expect(rendered.replace(/`<img[^`]*`/g, '')).not.toContain('<img')
  expect(rendered).toContain('&#60;img src=x&#62; &#42;bold&#42; &#91;link&#93;(http://x) &#124; cell')
  expect(rendered).toContain('<code>a&#96;b&#124;c</code>')
})

test('shows one of the checks with the same result and names the others', () => {
  const outcomes = ['one', 'two', 'three', 'four'].map((check) =>
    outcome('fail', { check, failure: { message: 'no status' } }),
  )
  const rendered = renderMarkdown(reportOf([requirement('a.b', 'fail', { outcomes })]))
  expect(rendered.match(/\*\*cause\*\*: `no status`/g)).toHaveLength(1)
  expect(rendered).toMatch(/\*\*more\*\*: 3 more checks with the same result:\s+open: two\s+open: three\s+open: four/)
})

test('shows equal failures once, with the ids, statements and replays of the other requirements', () => {
  const failing = (id: string) =>
    requirement(id, 'fail', {
      statement: `Statement of ${id}.`,
      outcomes: [outcome('fail', { failure: { message: 'refused' } })],
    })
  const replay = (id: string) => ({ sh: `replay/${id}.sh`, har: `replay/${id}.har` })
  const rendered = renderMarkdown(reportOf([failing('a.one'), failing('a.two')]), { replay })
  expect(rendered.match(/\*\*cause\*\*/g)).toHaveLength(1)
  expect(rendered).toContain('- `a.one`: `refused`. Same cause: `a.two`.\n')
  expect(rendered).toContain('  - `a.two`: Statement of a.two. ([replay](replay/a.two.sh))')
})

test('shows an endpoint with another port in each shard once', () => {
  const { target } = greenReport
  const elsewhere = target.endpoints.map((endpoint) => ({ ...endpoint, url: 'http://127.0.0.1:8124' }))
  const report = { ...greenReport, target: { ...target, endpoints: [...target.endpoints, ...elsewhere] } }
  expect(renderMarkdown(report)).toBe(renderMarkdown(greenReport))
})

test('keeps a huge report below 60,000 characters and lists what was left out', () => {
  const failing = (index: number) =>
    outcome('fail', {
      failure: { message: `${index} ${longBody}`, expected: longBody, received: longBody },
      evidence: { exchanges: [exchange({ responseBody: longBody })] },
    })
  const failures = Array.from({ length: 400 }, (_, index) =>
    requirement(`a.${index}`, 'fail', { outcomes: [failing(index)] }),
  )
  const observed = Array.from({ length: 30 }, (_, index) =>
    requirement(`o.${index}`, 'observed', { level: 'UNSPECIFIED' }),
  )
  const summary = renderMarkdown(reportOf([...failures, ...observed, requirement('w', 'warning', { level: 'SHOULD' })]))
  expect(Buffer.byteLength(summary)).toBeLessThan(60_000)
  const [, left] =
    summary.match(/Left out to fit into a comment: (\d+) of 400 causes, \d+ of 400 details of causes\./) ?? []
  expect(summary.match(/^- `a\.\d+`:/gm)).toHaveLength(400 - Number(left))
  expect(summary).toContain('Warnings (1)')
})
