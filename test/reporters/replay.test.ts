import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Har } from 'har-format'
import { expect, test } from 'vitest'
import { replayFiles, replaysIn } from '../../reporters/replay/index.ts'
import { harSchema } from '../fixtures/har-schema.ts'
import { recorded } from '../fixtures/recorded.ts'
import { bash } from '../fixtures/replay.ts'
import { temporaryFolder } from '../fixtures/touchstone.ts'
import { exampleReport, exchange, outcome, reportOf, row } from './example-report.ts'

function har(files: readonly { name: string; text: string }[], name: string): Har {
  return JSON.parse(files.find((file) => file.name === `${name}.har`)?.text ?? '')
}

test('every row that went wrong with requests to show is replayed, and no other', () => {
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

test.each(['langgraph-js', 'langgraph-py'] as const)('the replays of %s: sound scripts and HAR', async (peer) => {
  const report = await recorded(peer)
  const folder = await temporaryFolder()
  const files = replayFiles(report)
  const isHar = harSchema()

  const unmet = report.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'warning')
  expect(files.length).toBe(unmet.length * 2)
  for (const { name, text } of files.filter((file) => file.name.endsWith('.har'))) {
    expect(isHar(JSON.parse(text)), `${name}: ${JSON.stringify(isHar.errors)}`).toBe(true)
  }
  const scripts = files.filter((file) => file.name.endsWith('.sh'))
  for (const { name, text } of scripts) await writeFile(join(folder, name), text)
  await promisify(execFile)('bash', ['-c', 'for f in *.sh; do bash -n "$f" || exit 1; done'], { cwd: folder })
  expect(scripts.filter(({ text }) => text.includes('touchstone-alice'))).toEqual([])
})

test('a stream is told with its text and the arrival of its events', () => {
  const url = 'http://127.0.0.1:8123/threads/t/runs/stream'
  const events = [
    { atMs: 4, event: 'metadata', data: '{"run_id":"r"}', id: '0' },
    { atMs: 900, event: 'updates', data: '{"first":null}' },
  ]
  const head = { 'content-type': 'text/event-stream; charset=utf-8' }
  const { responseBody: _, ...open } = exchange({ url, responseHeaders: head, durationMs: 3 })
  const seen = outcome('fail', {
    failure: { message: 'no end' },
    evidence: { exchanges: [open], streams: [{ url: `POST ${url}`, events }] },
  })
  const [entry] = har(replayFiles(reportOf([row('stream.ends', 'fail', { outcomes: [seen] })])), 'stream.ends').log
    .entries
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

test('the example with all that is hard to write is HAR too', () => {
  const isHar = harSchema()
  for (const { name, text } of replayFiles(exampleReport).filter((file) => file.name.endsWith('.har'))) {
    expect(isHar(JSON.parse(text)), `${name}: ${JSON.stringify(isHar.errors)}`).toBe(true)
  }
  expect(isHar({ log: { version: '1.2' } })).toBe(false)
})

test('nothing that a server or a report says runs as a command', async () => {
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
  const seen = outcome('fail', { check: attack, failure, evidence: { exchanges: [evil, evil] } })
  const report = reportOf([row(`../../a${attack}`, 'fail', { statement: attack, outcomes: [seen] })])
  const endpoints = [{ name: 'open', url: `http://127.0.0.1:1/${attack}`, headers: {}, profiles: [] }]
  const files = replayFiles({ ...report, startedAt: attack, target: { name: attack, endpoints } })

  const [script] = files
  expect(script?.name).toMatch(/^[\w.-]+\.sh$/)
  await writeFile(join(folder, 'replay.sh'), script?.text ?? '')
  const set = [...(script?.text ?? '').matchAll(/"\$\{(TOUCHSTONE_\w+):\?/g)].map(([, name = '']) => [name, 'x'])
  const { stdout } = await bash(join(folder, 'replay.sh'), Object.fromEntries(set), folder)

  expect(stdout).toContain('--- received when it was recorded')
  expect(await readdir(folder)).toEqual(['replay.sh'])
})

test('what cannot be replayed as it was is told', () => {
  const unknown = '01a1fd3c-a3ef-7133-913e-56f353943766'
  const seen = outcome('fail', {
    evidence: {
      exchanges: [
        exchange({ url: `http://127.0.0.1:8123/threads/${unknown}`, requestBody: 'long… (90000 characters)' }),
        exchange({ requestBody: '{"token":"[redacted]"}', error: 'ECONNRESET: gone' }),
      ],
    },
  })
  const [script] = replayFiles(reportOf([row('a.b', 'fail', { outcomes: [seen] })]))
  const comment = script?.text
    .split('\n')
    .filter((line) => line.startsWith('#   '))
    .join('\n')
  expect(comment).toContain(
    `1 id that no recorded answer gave, made by the check or before: sent as recorded (${unknown})`,
  )
  expect(comment).toContain('1 request body cut in the report')
  expect(comment).toContain('1 request with a secret inside another text')
  expect(comment).toContain('1 request without a whole answer when it was recorded (ECONNRESET: gone)')
})
