import { expect, test } from 'vitest'
import { renderMarkdown } from '../../reporters/markdown.ts'
import { exampleReport, exchange, greenReport, longBody, outcome, reportOf, row } from './example-report.ts'

const text = renderMarkdown(exampleReport)

test('a conformant run: sentence, identity and table', () => {
  expect(renderMarkdown(greenReport)).toBe(
    [
      '## ✅ Conformant: 2 of 2 tested requirements pass (open, custom-auth)',
      '',
      'example 1.2.0: `open` `http://127.0.0.1:8123`. touchstone 0.1.0, register `f00df00df00d`, seed `42`, 2.3 s.',
      '',
      '| area | level | pass | all |',
      '| --- | --- | ---: | ---: |',
      '| A | MUST | 2 | 2 |',
      '| all |  | 2 | 2 |',
      '',
    ].join('\n'),
  )
})

test('sections come in the order in which a reader acts on them', () => {
  expect(text.split('\n').filter((line) => line.startsWith('### '))).toEqual([
    '### Problems of the run (1)',
    '### Stale baseline entries (1)',
    '### Failures (4)',
    '### Blocked (1)',
    '### Could not run (1)',
    '### Advised, not met (1)',
    '### Accepted gaps (1)',
    '### Known failures in the baseline (1)',
  ])
  expect(text).toContain('<details><summary>Observed, not judged: what the document leaves open (1)</summary>')
})

test('a failure folds requirement, interpretation, expected, received, exchange and curl', () => {
  const start = text.indexOf('<details><summary><code>thread.create.id-uuid</code>')
  expect(text.slice(start, text.indexOf('</details>', start))).toMatchInlineSnapshot(`
    "<details><summary><code>thread.create.id-uuid</code> fail on open: thread&#95;id is no UUID</summary>

    - **requirement**: The id of a thread is a UUID
    - **interpretation**: Any version of UUID will do
    - **section**: Threads &#38; runs (area A, MUST)
    - **verdicts**: custom-auth: 1 pass; open: 1 fail

    - **endpoint**: open: a thread is created
    - **cause**: \`thread_id is no UUID\`

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
    deciding:
    POST http://127.0.0.1:8123/threads
    x-api-key: [redacted]
    content-type: application/json

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

test('text of a server is code: its fence is longer than any in it', () => {
  expect(text).toContain('````\n\\x1b[2J')
  expect(text.match(/<script>/g)?.length).toBe(text.match(/^.*\\x1b\[2J.*<script>.*$/gm)?.length)
  expect(text).not.toMatch(/[\p{Bidi_Control}\p{Cs}]/u)
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
})

test('an observation keeps to its cell', () => {
  const line = text.split('\n').find((it) => it.includes('run.reject.answer'))
  expect(line?.replaceAll('\\|', '').match(/\|/g)).toHaveLength(4)
})

test('names and statements are no markup', () => {
  const report = reportOf([
    row('a`b|c', 'fail', { statement: '<img src=x> *bold* [link](http://x) | cell', outcomes: [outcome('fail')] }),
  ])
  const rendered = renderMarkdown(report)
  expect(rendered).not.toContain('<img')
  expect(rendered).toContain('&#60;img src=x&#62; &#42;bold&#42; &#91;link&#93;(http://x) &#124; cell')
  expect(rendered).toContain('<code>a&#96;b&#124;c</code>')
})

test('of checks that met the same one is shown and the others are named', () => {
  const outcomes = ['one', 'two', 'three', 'four'].map((check) =>
    outcome('fail', { check, failure: { message: 'no status' } }),
  )
  const rendered = renderMarkdown(reportOf([row('a.b', 'fail', { outcomes })]))
  expect(rendered.match(/\*\*cause\*\*: `no status`/g)).toHaveLength(1)
  expect(rendered).toMatch(/\*\*more\*\*: 3 more checks met the same:\s+open: two\s+open: three\s+open: four/)
})

test('rows with equal failures are told once, with the ids, statements and replays of the others', () => {
  const failing = (id: string) =>
    row(id, 'fail', { statement: `What ${id} says.`, outcomes: [outcome('fail', { failure: { message: 'refused' } })] })
  const replay = (id: string) => ({ sh: `replay/${id}.sh`, har: `replay/${id}.har` })
  const rendered = renderMarkdown(reportOf([failing('a.one'), failing('a.two')]), { replay })
  expect(rendered.match(/\*\*cause\*\*/g)).toHaveLength(1)
  expect(rendered).toContain('<summary><code>a.one</code> and 1 more row fail on open: refused</summary>')
  expect(rendered).toContain('  - `a.two`: What a.two says. ([replay](replay/a.two.sh))')
})

test('an endpoint that shards met at several ports is told once', () => {
  const { target } = greenReport
  const elsewhere = target.endpoints.map((it) => ({ ...it, url: 'http://127.0.0.1:8124' }))
  const report = { ...greenReport, target: { ...target, endpoints: [...target.endpoints, ...elsewhere] } }
  expect(renderMarkdown(report)).toBe(renderMarkdown(greenReport))
})

test('a huge report stays under 1 MB and says what was left out', () => {
  const failing = (index: number) =>
    outcome('fail', {
      failure: { message: `${index} ${longBody}`, expected: longBody, received: longBody },
      evidence: { exchanges: [exchange({ responseBody: longBody })] },
    })
  const failures = Array.from({ length: 400 }, (_, index) => row(`a.${index}`, 'fail', { outcomes: [failing(index)] }))
  const observed = Array.from({ length: 30 }, (_, index) => row(`o.${index}`, 'observed', { level: 'UNSPECIFIED' }))
  const summary = renderMarkdown(reportOf([...failures, ...observed, row('w', 'warning', { level: 'SHOULD' })]))
  expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(1_000_000)
  const [, left] = summary.match(/\*\*Shortened\*\* to stay under 1 MB. Left out: (\d+) of 400 failures\./) ?? []
  expect(summary.match(/<code>a\.\d+<\/code>/g)).toHaveLength(400 - Number(left))
  expect(summary).toContain('Advised, not met (1)')
  expect(summary).toContain('`o.29`')
})
