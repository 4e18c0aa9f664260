import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Har } from 'har-format'
import { expect, test } from 'vitest'
import { replayFiles, replaysIn } from '../../reporters/replay/index.ts'
import { harSchema } from '../fixtures/har-schema.ts'
import { recordedReport } from '../fixtures/recorded-report.ts'
import { bash } from '../fixtures/replay-scripts.ts'
import { temporaryFolder } from '../fixtures/touchstone.ts'
import { exampleReport, exchange, outcome, reportOf, requirement } from './example-report.ts'

function har(files: readonly { name: string; text: string }[], name: string): Har {
  return JSON.parse(files.find((file) => file.name === `${name}.har`)?.text ?? '')
}

test('renders replay files for each requirement that did not pass and has requests', () => {
  expect(replayFiles(exampleReport).map(({ name }) => name)).toEqual([
    'thread.create.id-uuid.sh',
    'thread.create.id-uuid.har',
    'thread.create.long.sh',
    'thread.create.long.har',
  ])
  const replay = replaysIn('replay', exampleReport)
  expect(replay('thread.create.id-uuid')?.sh).toBe('replay/thread.create.id-uuid.sh')
  expect(replay('thread.create.id')).toBeUndefined()
})

test.each(['langgraph-js', 'langgraph-py'] as const)('renders valid scripts and HAR files for %s', async (server) => {
  const report = await recordedReport(server)
  const folder = await temporaryFolder()
  const files = replayFiles(report)
  const isHar = harSchema()

  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warning')
  expect(files.length).toBe(failed.length * 2)
  for (const { name, text } of files.filter((file) => file.name.endsWith('.har'))) {
    expect(isHar(JSON.parse(text)), `${name}: ${JSON.stringify(isHar.errors)}`).toBe(true)
  }
  const scripts = files.filter((file) => file.name.endsWith('.sh'))
  for (const { name, text } of scripts) await writeFile(join(folder, name), text)
  await promisify(execFile)('bash', ['-c', 'for f in *.sh; do bash -n "$f" || exit 1; done'], { cwd: folder })
  expect(scripts.filter(({ text }) => text.includes('touchstone-alice'))).toEqual([])
})

test('writes the text of a stream and the arrival times of its events', () => {
  const url = 'http://127.0.0.1:8123/threads/t/runs/stream'
  const events = [
    { atMs: 4, event: 'metadata', data: '{"run_id":"r"}', id: '0' },
    { atMs: 900, event: 'updates', data: '{"first":null}' },
  ]
  const head = { 'content-type': 'text/event-stream; charset=utf-8' }
  const { responseBody: _, ...open } = exchange({ url, responseHeaders: head, durationMs: 3 })
  const failing = outcome('fail', {
    failure: { message: 'no end' },
    evidence: { exchanges: [open], streams: [{ url: `POST ${url}`, events }] },
  })
  const [entry] = har(
    replayFiles(reportOf([requirement('stream.ends', 'fail', { outcomes: [failing] })])),
    'stream.ends',
  ).log.entries
  expect(entry).toMatchObject({
    time: 900,
    timings: { send: 0, wait: 3, receive: 897 },
    response: {
      content: {
        mimeType: head['content-type'],
        text: 'event: metadata\ndata: {"run_id":"r"}\nid: 0\n\nevent: updates\ndata: {"first":null}\n\n',
      },
    },
    _events: events,
  })
})

test('renders valid HAR for texts that need escaping', () => {
  const isHar = harSchema()
  for (const { name, text } of replayFiles(exampleReport).filter((file) => file.name.endsWith('.har'))) {
    expect(isHar(JSON.parse(text)), `${name}: ${JSON.stringify(isHar.errors)}`).toBe(true)
  }
  expect(isHar({ log: { version: '1.2' } })).toBe(false)
})

test('never runs a text from a server or a report as a command', async () => {
  const folder = await temporaryFolder()
  const attack = "';touch pwned;'\"$(touch pwned)`touch pwned`\n touch pwned #"
  const evil = exchange({
    method: `GET ${attack}`,
    url: `http://127.0.0.1:1/${attack}/${attack}`,
    requestHeaders: { [`x-a${attack}`]: attack, [`x-token${attack}`]: '[redacted]' },
    requestBody: attack,
    responseBody: `{"thread_id":"${attack}"}`,
    curl: `curl -H "x-token: $TOUCHSTONE_X"${attack}`,
  })
  const failure = { message: attack, expected: attack, received: attack }
  const failing = outcome('fail', { check: attack, failure, evidence: { exchanges: [evil, evil] } })
  const report = reportOf([requirement(`../../a${attack}`, 'fail', { statement: attack, outcomes: [failing] })])
  const endpoints = [{ name: 'open', url: `http://127.0.0.1:1/${attack}`, headers: {}, profiles: [] }]
  const files = replayFiles({ ...report, startedAt: attack, target: { name: attack, endpoints } })

  const [script] = files
  expect(script?.name).toMatch(/^[\w.-]+\.sh$/)
  await writeFile(join(folder, 'replay.sh'), script?.text ?? '')
  const set = [...(script?.text ?? '').matchAll(/"\$\{(TOUCHSTONE_\w+):\?/g)].map(([, name = '']) => [name, 'x'])
  const { stdout } = await bash(join(folder, 'replay.sh'), Object.fromEntries(set), folder)

  expect(stdout).toContain('--- received in the recorded run')
  expect(await readdir(folder)).toEqual(['replay.sh'])
})

test('lists the differences from the recorded run', () => {
  const unknown = '01a1fd3c-a3ef-7133-913e-56f353943766'
  const failing = outcome('fail', {
    evidence: {
      exchanges: [
        exchange({ url: `http://127.0.0.1:8123/threads/${unknown}`, requestBody: 'long… (90000 characters)' }),
        exchange({ requestBody: '{"token":"[redacted]"}', error: 'ECONNRESET: gone' }),
      ],
    },
  })
  const [script] = replayFiles(reportOf([requirement('a.b', 'fail', { outcomes: [failing] })]))
  const comment = script?.text
    .split('\n')
    .filter((line) => line.startsWith('#   '))
    .join('\n')
  expect(comment).toContain(`1 id that no recorded response has: sent as recorded (${unknown})`)
  expect(comment).toContain('1 request body truncated in the report')
  expect(comment).toContain('1 request with a secret inside another text')
  expect(comment).toContain('1 request without a complete response in the recorded run (ECONNRESET: gone)')
})
