import { Client, type ClientConfig } from '@langchain/langgraph-sdk'
import { fetch as fetchOfUndici } from 'undici'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '../../../mock-server/adapters/node.ts'
import { dispatcher } from '../../../mock-server/adapters/undici.ts'
import type { Fault } from '../../../mock-server/control/faults/fault.ts'
import { createMockServer, type MockServer, type MockServerOptions } from '../../../mock-server/index.ts'
import { manualClock } from '../../../mock-server/runtime/manual-clock.ts'
import { say } from '../../fixtures/mock-client.ts'

// The table of docs/guides/faults-and-journal.md, row by row: what the public SDK makes of each fault, with its own settings.

const STREAM = 'POST /threads/{thread_id}/runs/stream'

const GREETING = { ...say('Grüße'), streamMode: 'values' as const }

const doors = ['TCP', 'mock.fetch', 'undici'] as const

interface Settings extends MockServerOptions {
  readonly timeoutMs?: number
  /** @default 'TCP' */
  readonly door?: (typeof doors)[number]
}

type StreamSettings = Pick<
  NonNullable<Parameters<Client['runs']['stream']>[2]>,
  'signal' | 'streamIdleReconnect' | 'streamResumable'
>

interface Scene {
  readonly mock: MockServer
  readonly client: Client
  /** How often the SDK called the route of the first fault. */
  calls(): number
  /** Streams a run of `echo` that was greeted in German: the names of the events in the order in which they came. */
  stream(settings?: StreamSettings, onEvent?: (names: readonly string[]) => void): Promise<string[]>
}

/** The SDK and a server with this fault; the SDK's pauses between its attempts pass at once, by the clock of `Date`. */
async function scene(fault: Fault, { timeoutMs, door = 'TCP', ...options }: Settings = {}): Promise<Scene> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }).setTimerTickMode('nextTimerAsync')
  const mock = createMockServer({ ...options, faults: [fault] })
  onTestFinished(async () => {
    vi.useRealTimers()
    await mock.close()
  })
  const timeout = timeoutMs === undefined ? {} : { timeoutMs }
  const client = new Client({ apiKey: null, ...timeout, ...(await through(door, mock)) })
  return {
    mock,
    client,
    calls: () => mock.faults.list()[0]?.calls ?? 0,
    stream: async (settings, onEvent) => {
      const { thread_id } = await client.threads.create()
      const names: string[] = []
      for await (const { event, data } of client.runs.stream(thread_id, 'echo', { ...GREETING, ...settings })) {
        names.push(JSON.stringify(data).includes('\uFFFD') ? `${event} with U+FFFD` : event)
        onEvent?.(names)
      }
      return names
    },
  }
}

async function through(door: (typeof doors)[number], mock: MockServer): Promise<ClientConfig> {
  const apiUrl = 'http://agent.test'
  if (door === 'mock.fetch') return { apiUrl, callerOptions: { fetch: mock.fetch } }
  if (door === 'undici') {
    const service = dispatcher(mock, { url: apiUrl })
    const fetch = (url: string, init: object): unknown => fetchOfUndici(url, { ...init, dispatcher: service })
    return { apiUrl, callerOptions: { fetch: fetch as typeof globalThis.fetch } }
  }
  const server = await listen(mock, { port: 0 })
  onTestFinished(() => server.close())
  return { apiUrl: server.url }
}

const WHOLE = ['metadata', 'values', 'values', 'values']

test('latency: it waits', async () => {
  const { client, calls } = await scene({ type: 'latency', ms: 50, route: 'POST /threads' })
  expect(await client.threads.create()).toMatchObject({ status: 'idle' })
  expect(calls()).toBe(1)
})

// Where nothing but the SDK's pauses lets the time of `Date` pass: without timers of sockets or of the server.
const timeless: Settings = { door: 'mock.fetch', clock: manualClock(0) }
// 1, 2, 4 and 8 seconds, each of them up to twice as long.
const LEAST_PAUSE_MS = 15_000
const LONGEST_PAUSE_MS = 30_000

test('latency beyond its timeoutMs: throws a TimeoutError after one request and all of its pauses', async () => {
  const latency: Fault = { type: 'latency', ms: 1, route: 'POST /threads' }
  const { client, calls } = await scene(latency, { timeoutMs: 50, ...timeless })
  const before = Date.now()
  await expect(client.threads.create()).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(calls()).toBe(1)
  expect(Date.now() - before).toBeGreaterThanOrEqual(LEAST_PAUSE_MS)
  expect(Date.now() - before).toBeLessThanOrEqual(LONGEST_PAUSE_MS)
})

test('latency and a signal that is aborted meanwhile: throws its reason after one request and all of its pauses', async () => {
  const { stream, calls } = await scene({ type: 'latency', ms: 1, route: STREAM }, timeless)
  const before = Date.now()
  await expect(stream({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(calls()).toBe(1)
  expect(Date.now() - before).toBeGreaterThanOrEqual(LEAST_PAUSE_MS)
})

test('status 503: its pauses take from 15 to 30 seconds', async () => {
  const { client } = await scene({ type: 'status', status: 503, route: 'POST /threads' }, timeless)
  const before = Date.now()
  await expect(client.threads.create()).rejects.toMatchObject({ status: 503 })
  expect(Date.now() - before).toBeGreaterThanOrEqual(LEAST_PAUSE_MS)
  expect(Date.now() - before).toBeLessThanOrEqual(LONGEST_PAUSE_MS)
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

test('status 503 and maxRetries: 0: throws at once', async () => {
  const { mock, calls } = await scene({ type: 'status', status: 503, route: 'POST /threads' }, timeless)
  const client = new Client({ apiUrl: 'http://agent.test', callerOptions: { fetch: mock.fetch, maxRetries: 0 } })
  await expect(client.threads.create()).rejects.toMatchObject({ status: 503 })
  expect(calls()).toBe(1)
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

test('malformed JSON in an event: throws a SyntaxError', async () => {
  const { stream } = await scene({ type: 'malformed-json', event: 3, route: STREAM })
  await expect(stream()).rejects.toThrow(SyntaxError)
})

test('a cut stream: ends without an error, and the rest is missing', async () => {
  const { stream } = await scene({ type: 'cut', after: 2, route: STREAM })
  expect(await stream()).toEqual(WHOLE.slice(0, 2))
  const there = await scene({ type: 'cut', after: 2, route: STREAM }, { dialect: 'agent-server' })
  expect(await there.stream()).toEqual(WHOLE.slice(0, 2))
})

test.each(doors)('a stalled stream by %s: waits until its signal is aborted, and throws the reason', async (door) => {
  const { stream } = await scene({ type: 'stall', after: 2, route: STREAM }, { door })
  const names: string[] = []
  const waiting = stream({ signal: AbortSignal.timeout(50) }, (all) => names.splice(0, 9, ...all))
  await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(names).toEqual(WHOLE.slice(0, 2))

  const leaving = new AbortController()
  const left = stream({ signal: leaving.signal }, ({ length }) => length === 2 && setImmediate(() => leaving.abort()))
  await expect(left).rejects.toMatchObject({ name: 'AbortError' })
})

test.each(doors)('a stream by %s whose signal is aborted between two events: ends without an error', async (door) => {
  const { stream } = await scene({ type: 'stall', after: 2, route: STREAM }, { door })
  const leaving = new AbortController()
  const names = await stream({ signal: leaving.signal }, ({ length }) => length === 2 && leaving.abort())
  expect(names).toEqual(WHOLE.slice(0, 2))
})

test('a stalled stream with streamIdleReconnect: throws', async () => {
  const { stream } = await scene({ type: 'stall', after: 2, route: STREAM })
  await expect(stream({ streamIdleReconnect: 300 })).rejects.toMatchObject({ name: 'StreamIdleTimeoutError' })
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

test.each(doors)('a stream by %s that breaks off: throws', async (door) => {
  const { stream } = await scene({ type: 'reset', after: 2, route: STREAM }, { door })
  await expect(stream()).rejects.toThrow('terminated')
})

const breaks: Record<string, [fault: Fault, settings: StreamSettings]> = {
  'breaks off': [{ type: 'reset', after: 2, route: STREAM }, {}],
  stalls: [{ type: 'stall', after: 2, route: STREAM }, { streamIdleReconnect: 300 }],
  'has malformed JSON': [{ type: 'malformed-json', event: 3, route: STREAM }, {}],
}

describe.each(Object.entries(breaks))('a stream with a Location that %s', (_, [fault, settings]) => {
  test('and is resumable: reads on from the last event, and nothing is lost', async () => {
    const { stream } = await scene(fault, { dialect: 'agent-server' })
    // Else the SDK's patience would be over before anything can arrive.
    if (settings.streamIdleReconnect !== undefined) vi.useRealTimers()
    expect(await stream({ ...settings, streamResumable: true })).toEqual(WHOLE)
  })

  test('as it is by default: ends without an error, and the rest is missing', async () => {
    const { stream, mock } = await scene(fault, { dialect: 'agent-server', journal: true })
    if (settings.streamIdleReconnect !== undefined) vi.useRealTimers()
    expect(await stream(settings)).toEqual(WHOLE.slice(0, 2))
    const [again] = mock.journal.calls({ route: 'GET /threads/{thread_id}/runs/{run_id}/stream' })
    expect(again).toMatchObject({ events: [] })
    expect(again?.requestHeaders).not.toHaveProperty('last-event-id')
  })
})
