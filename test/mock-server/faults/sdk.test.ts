import { Client } from '@langchain/langgraph-sdk'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '../../../mock-server/adapters/node.ts'
import type { Fault } from '../../../mock-server/control/faults/fault.ts'
import { createMockServer, type MockServer, type MockServerOptions } from '../../../mock-server/index.ts'
import { say } from '../../fixtures/mock-client.ts'

// The table of docs/faults.md, row by row: what the public SDK makes of each fault over TCP, with its own settings.

const STREAM = 'POST /threads/{thread_id}/runs/stream'

const GREETING = { ...say('Grüße'), streamMode: 'values' as const, streamResumable: true }

interface Scene {
  readonly mock: MockServer
  readonly client: Client
  /** How often the SDK called the route of the first fault. */
  calls(): number
  /** Streams a run of `echo` that was greeted in German: the names of the events in the order in which they came. */
  stream(settings?: { streamIdleReconnect: number }): Promise<string[]>
}

/** The SDK and a listening server with this fault; the SDK's pauses between its attempts pass at once. */
async function scene(fault: Fault, options: MockServerOptions & { timeoutMs?: number } = {}): Promise<Scene> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }).setTimerTickMode('nextTimerAsync')
  const mock = createMockServer({ ...options, faults: [fault] })
  const server = await listen(mock, { port: 0 })
  onTestFinished(async () => {
    vi.useRealTimers()
    await server.close()
    await mock.close()
  })
  const timeout = options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }
  const client = new Client({ apiUrl: server.url, apiKey: null, ...timeout })
  return {
    mock,
    client,
    calls: () => mock.faults.list()[0]?.calls ?? 0,
    stream: async (settings) => {
      const { thread_id } = await client.threads.create()
      const names: string[] = []
      for await (const { event, data } of client.runs.stream(thread_id, 'echo', { ...GREETING, ...settings })) {
        names.push(JSON.stringify(data).includes('\uFFFD') ? `${event} with U+FFFD` : event)
      }
      return names
    },
  }
}

const WHOLE = ['metadata', 'values', 'values', 'values']

test('latency: it waits', async () => {
  const { client, calls } = await scene({ type: 'latency', ms: 50, route: 'POST /threads' })
  expect(await client.threads.create()).toMatchObject({ status: 'idle' })
  expect(calls()).toBe(1)
})

test('latency beyond its timeoutMs: throws a TimeoutError; its further attempts end before they are sent', async () => {
  const { client, calls } = await scene({ type: 'latency', ms: 3_600_000, route: 'POST /threads' }, { timeoutMs: 50 })
  await expect(client.threads.create()).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(calls()).toBe(1)
})

test.each([500, 502, 503, 504, 429])('status %i: tries again, four times', async (status) => {
  const { client, calls } = await scene({ type: 'status', status, route: 'POST /threads' })
  await expect(client.threads.create()).rejects.toMatchObject({ status, message: expect.stringContaining(`${status}`) })
  expect(calls()).toBe(5)
})

test('status 503 that passes: the caller sees nothing of it', async () => {
  const { client, calls } = await scene({ type: 'status', status: 503, route: 'POST /threads', first: 2 })
  expect(await client.threads.create()).toMatchObject({ status: 'idle' })
  expect(calls()).toBe(3)
})

test.each([400, 401, 403, 404, 408, 409, 422])('status %i: throws at once', async (status) => {
  const { client, calls } = await scene({ type: 'status', status, route: 'POST /threads' })
  await expect(client.threads.create()).rejects.toMatchObject({ status })
  expect(calls()).toBe(1)
})

test('rate limit: tries again after its own pauses, whatever Retry-After says', async () => {
  const { client, calls } = await scene({ type: 'rate-limit', retryAfter: 3600, route: 'POST /threads', first: 1 })
  expect(await client.threads.create()).toMatchObject({ status: 'idle' })
  expect(calls()).toBe(2)
})

test('malformed JSON in an answer: throws a SyntaxError and does not try again', async () => {
  const { client, calls } = await scene({ type: 'malformed-json', route: 'POST /threads' })
  await expect(client.threads.create()).rejects.toThrow(SyntaxError)
  expect(calls()).toBe(1)
})

test('malformed JSON in an event: throws a SyntaxError; where there is a Location, reads on from there', async () => {
  const { stream } = await scene({ type: 'malformed-json', event: 3, route: STREAM })
  await expect(stream()).rejects.toThrow(SyntaxError)
  const there = await scene({ type: 'malformed-json', event: 3, route: STREAM }, { dialect: 'agent-server' })
  expect(await there.stream()).toEqual(WHOLE)
})

test('a cut stream: ends without an error, and the rest is missing', async () => {
  const { stream } = await scene({ type: 'cut', after: 2, route: STREAM })
  expect(await stream()).toEqual(WHOLE.slice(0, 2))
  const there = await scene({ type: 'cut', after: 2, route: STREAM }, { dialect: 'agent-server' })
  expect(await there.stream()).toEqual(WHOLE.slice(0, 2))
})

test('a stalled stream: waits until its caller gives up, and then ends without an error', async () => {
  const { client } = await scene({ type: 'stall', after: 2, route: STREAM })
  const { thread_id } = await client.threads.create()
  const leaving = new AbortController()
  const names: string[] = []
  for await (const { event } of client.runs.stream(thread_id, 'echo', { ...GREETING, signal: leaving.signal })) {
    names.push(event)
    if (names.length === 2) leaving.abort()
  }
  expect(names).toEqual(WHOLE.slice(0, 2))
})

test('a stalled stream with streamIdleReconnect: throws; where there is a Location, reads on from there', async () => {
  const idle = { streamIdleReconnect: 300 }
  const { stream } = await scene({ type: 'stall', after: 2, route: STREAM })
  await expect(stream(idle)).rejects.toMatchObject({ name: 'StreamIdleTimeoutError' })
  const there = await scene({ type: 'stall', after: 2, route: STREAM }, { dialect: 'agent-server' })
  // Else its patience would be over before anything can arrive.
  vi.useRealTimers()
  expect(await there.stream(idle)).toEqual(WHOLE)
})

test('an event that comes twice: handed over twice', async () => {
  const { stream } = await scene({ type: 'duplicate', event: 2, route: STREAM })
  expect(await stream()).toEqual(['metadata', 'values', 'values', 'values', 'values'])
})

test('half a character: replaced by U+FFFD without an error', async () => {
  const { stream } = await scene({ type: 'broken-utf8', event: 2, route: STREAM })
  expect(await stream()).toEqual(['metadata', 'values with U+FFFD', 'values', 'values'])
})

test('a character in two pieces: whole', async () => {
  const { stream } = await scene({ type: 'split-utf8', event: 2, route: STREAM })
  expect(await stream()).toEqual(WHOLE)
})

test('a reset connection: tries again, four times, then throws a ConnectionError', async () => {
  const { client, calls } = await scene({ type: 'reset', route: 'POST /threads' })
  await expect(client.threads.create()).rejects.toMatchObject({ name: 'ConnectionError' })
  expect(calls()).toBe(5)
})

test('a reset after the request was carried out: sends it again, so that there are two threads', async () => {
  const { client, mock } = await scene({ type: 'reset', route: 'POST /threads', first: 1, carriedOut: true })
  await client.threads.create()
  const answer = await mock.fetch(new Request('http://mock/threads'))
  expect(await answer.json()).toHaveLength(2)
})

test('a stream that breaks off: throws; where there is a Location, reads on from there without losing an event', async () => {
  const { stream } = await scene({ type: 'reset', after: 2, route: STREAM })
  await expect(stream()).rejects.toThrow('terminated')
  const there = await scene({ type: 'reset', after: 2, route: STREAM }, { dialect: 'agent-server' })
  expect(await there.stream()).toEqual(WHOLE)
})
