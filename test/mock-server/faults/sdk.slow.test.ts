import { Client, type ClientConfig } from '@langchain/langgraph-sdk'
import { fetch as undiciFetch } from 'undici'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '../../../mock-server/adapters/node.ts'
import { dispatcher } from '../../../mock-server/adapters/undici.ts'
import type { Fault } from '../../../mock-server/control/faults/fault.ts'
import { createMockServer, type MockServer, type MockServerOptions } from '../../../mock-server/index.ts'
import { manualClock } from '../../../mock-server/runtime/clock.ts'
import { say } from '../../fixtures/mock-client.ts'

// Verifies the table in docs/guides/faults-and-journal.md: how the public SDK reacts to each fault with its default settings.

const STREAM = 'POST /threads/{thread_id}/runs/stream'

const GREETING = { ...say('Grüße'), streamMode: 'values' as const }

const transports = ['TCP', 'mock.fetch', 'undici'] as const

interface Settings extends MockServerOptions {
  readonly timeoutMs?: number
  /** @default 'TCP' */
  readonly transport?: (typeof transports)[number]
}

type StreamSettings = Pick<
  NonNullable<Parameters<Client['runs']['stream']>[2]>,
  'signal' | 'streamIdleReconnect' | 'streamResumable'
>

interface Context {
  readonly mock: MockServer
  readonly client: Client
  /** The number of calls of the fault's route. */
  calls(): number
  /** Streams a run of `echo` with a non-ASCII input; returns the names of the events. */
  stream(settings?: StreamSettings, onEvent?: (names: readonly string[]) => void): Promise<string[]>
}

/** A client of the SDK and a server with this fault. Fake timers skip the pauses between attempts. */
async function setUp(fault: Fault, { timeoutMs, transport = 'TCP', ...options }: Settings = {}): Promise<Context> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }).setTimerTickMode('nextTimerAsync')
  const mock = createMockServer({ ...options, faults: [fault] })
  onTestFinished(async () => {
    vi.useRealTimers()
    await mock.close()
  })
  const timeout = timeoutMs === undefined ? {} : { timeoutMs }
  const client = new Client({ apiKey: null, ...timeout, ...(await configFor(transport, mock)) })
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

async function configFor(transport: (typeof transports)[number], mock: MockServer): Promise<ClientConfig> {
  const apiUrl = 'http://agent.test'
  if (transport === 'mock.fetch') return { apiUrl, callerOptions: { fetch: mock.fetch } }
  if (transport === 'undici') {
    const service = dispatcher(mock, { url: apiUrl })
    const fetch = (url: string, init: object): unknown => undiciFetch(url, { ...init, dispatcher: service })
    return { apiUrl, callerOptions: { fetch: fetch as typeof globalThis.fetch } }
  }
  const server = await listen(mock, { port: 0 })
  onTestFinished(() => server.close())
  return { apiUrl: server.url }
}

const WHOLE = ['metadata', 'values', 'values', 'values']

test('latency: waits', async () => {
  const { client, calls } = await setUp({ type: 'latency', ms: 50, route: 'POST /threads' })
  expect(await client.threads.create()).toMatchObject({ status: 'idle' })
  expect(calls()).toBe(1)
})

/** The error with which a signal of `AbortSignal.timeout()` aborts. */
const timeout = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError')

/** Watches the timers of the SDK. Returns the sum of its pauses so far in milliseconds. */
function watchPauses(): () => number {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  // Before the fake timers end: restored after them, the fake setTimeout would be back for all later files.
  onTestFinished(() => timers.mockRestore())
  return () => {
    const pauses = timers.mock.calls.map(([, ms = 0]) => ms).filter((ms) => ms >= 1000 && ms <= 16_000)
    expect(pauses).toHaveLength(4)
    return pauses.reduce((sum, ms) => sum + ms, 0)
  }
}

// The server does not set timers.
const timeless: Settings = { transport: 'mock.fetch', clock: manualClock(0) }
// 1, 2, 4 and 8 seconds, each of them up to twice as long.
const LEAST_PAUSE_MS = 15_000
const LONGEST_PAUSE_MS = 30_000

test('latency beyond timeoutMs: throws a TimeoutError after one request and all pauses', async () => {
  const latency: Fault = { type: 'latency', ms: 1, route: 'POST /threads' }
  const { client, calls } = await setUp(latency, { timeoutMs: 50, ...timeless })
  const pauses = watchPauses()
  await expect(client.threads.create()).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(calls()).toBe(1)
  expect(pauses()).toBeGreaterThanOrEqual(LEAST_PAUSE_MS)
  expect(pauses()).toBeLessThanOrEqual(LONGEST_PAUSE_MS)
})

test('latency and an aborted signal: throws its reason after one request and all pauses', async () => {
  const { stream, calls } = await setUp({ type: 'latency', ms: 1, route: STREAM }, timeless)
  const pauses = watchPauses()
  const controller = new AbortController()
  const abortOnceCalled = (): unknown => (calls() === 1 ? controller.abort(timeout()) : setImmediate(abortOnceCalled))
  abortOnceCalled()
  await expect(stream({ signal: controller.signal })).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(calls()).toBe(1)
  expect(pauses()).toBeGreaterThanOrEqual(LEAST_PAUSE_MS)
})

test('status 503: pauses for 15 to 30 seconds in total', async () => {
  const { client } = await setUp({ type: 'status', status: 503, route: 'POST /threads' }, timeless)
  const pauses = watchPauses()
  await expect(client.threads.create()).rejects.toMatchObject({ status: 503 })
  expect(pauses()).toBeGreaterThanOrEqual(LEAST_PAUSE_MS)
  expect(pauses()).toBeLessThanOrEqual(LONGEST_PAUSE_MS)
})

test.each([500, 502, 503, 504, 429])('status %i: retries four times', async (status) => {
  const { client, calls } = await setUp({ type: 'status', status, route: 'POST /threads' })
  await expect(client.threads.create()).rejects.toMatchObject({ status, message: expect.stringContaining(`${status}`) })
  expect(calls()).toBe(5)
})

test('temporary status 503: retries until the call succeeds', async () => {
  const { client, calls } = await setUp({ type: 'status', status: 503, route: 'POST /threads', first: 2 })
  expect(await client.threads.create()).toMatchObject({ status: 'idle' })
  expect(calls()).toBe(3)
})

test('status 503 and maxRetries: 0: throws at once', async () => {
  const { mock, calls } = await setUp({ type: 'status', status: 503, route: 'POST /threads' }, timeless)
  const client = new Client({ apiUrl: 'http://agent.test', callerOptions: { fetch: mock.fetch, maxRetries: 0 } })
  await expect(client.threads.create()).rejects.toMatchObject({ status: 503 })
  expect(calls()).toBe(1)
})

test.each([400, 401, 403, 404, 408, 409, 422])('status %i: throws at once', async (status) => {
  const { client, calls } = await setUp({ type: 'status', status, route: 'POST /threads' })
  await expect(client.threads.create()).rejects.toMatchObject({ status })
  expect(calls()).toBe(1)
})

test('rate limit: retries after its own pauses, without regard to Retry-After', async () => {
  const { client, calls } = await setUp({ type: 'rate-limit', retryAfter: 3600, route: 'POST /threads', first: 1 })
  expect(await client.threads.create()).toMatchObject({ status: 'idle' })
  expect(calls()).toBe(2)
})

test('malformed JSON in a response: throws a SyntaxError without a retry', async () => {
  const { client, calls } = await setUp({ type: 'malformed-json', route: 'POST /threads' })
  await expect(client.threads.create()).rejects.toThrow(SyntaxError)
  expect(calls()).toBe(1)
})

test('malformed JSON in an event: throws a SyntaxError', async () => {
  const { stream } = await setUp({ type: 'malformed-json', event: 3, route: STREAM })
  await expect(stream()).rejects.toThrow(SyntaxError)
})

test('a cut stream: ends without an error and without the remaining events', async () => {
  const { stream } = await setUp({ type: 'cut', after: 2, route: STREAM })
  expect(await stream()).toEqual(WHOLE.slice(0, 2))
  const hosted = await setUp({ type: 'cut', after: 2, route: STREAM }, { dialect: 'agent-server' })
  expect(await hosted.stream()).toEqual(WHOLE.slice(0, 2))
})

test.each(transports)(
  'a stalled stream over %s: waits until its signal is aborted, and throws the reason',
  async (transport) => {
    const { stream } = await setUp({ type: 'stall', after: 2, route: STREAM }, { transport })
    for (const reason of [timeout(), undefined]) {
      const controller = new AbortController()
      const names: string[] = []
      const reading = stream({ signal: controller.signal }, (all) => {
        names.splice(0, 9, ...all)
        if (all.length === 2) setImmediate(() => controller.abort(reason))
      })
      await expect(reading).rejects.toMatchObject({ name: reason?.name ?? 'AbortError' })
      expect(names).toEqual(WHOLE.slice(0, 2))
    }
  },
)

test.each(transports)(
  'a stream over %s whose signal is aborted between two events: ends without an error',
  async (transport) => {
    const { stream } = await setUp({ type: 'stall', after: 2, route: STREAM }, { transport })
    const controller = new AbortController()
    const names = await stream({ signal: controller.signal }, ({ length }) => length === 2 && controller.abort())
    expect(names).toEqual(WHOLE.slice(0, 2))
  },
)

test('a stalled stream with streamIdleReconnect: throws', async () => {
  const { stream } = await setUp({ type: 'stall', after: 2, route: STREAM })
  await expect(stream({ streamIdleReconnect: 300 })).rejects.toMatchObject({ name: 'StreamIdleTimeoutError' })
})

test('a duplicate event: returned twice', async () => {
  const { stream } = await setUp({ type: 'duplicate', event: 2, route: STREAM })
  expect(await stream()).toEqual(['metadata', 'values', 'values', 'values', 'values'])
})

test('a truncated character: replaced by U+FFFD without an error', async () => {
  const { stream } = await setUp({ type: 'broken-utf8', event: 2, route: STREAM })
  expect(await stream()).toEqual(['metadata', 'values with U+FFFD', 'values', 'values'])
})

test('a character split across two chunks: decoded correctly', async () => {
  const { stream } = await setUp({ type: 'split-utf8', event: 2, route: STREAM })
  expect(await stream()).toEqual(WHOLE)
})

test('a reset connection: retries four times, then throws a ConnectionError', async () => {
  const { client, calls } = await setUp({ type: 'reset', route: 'POST /threads' })
  await expect(client.threads.create()).rejects.toMatchObject({ name: 'ConnectionError' })
  expect(calls()).toBe(5)
})

test('a reset after the request was executed: repeats the request and creates a second thread', async () => {
  const { client, mock } = await setUp({ type: 'reset', route: 'POST /threads', first: 1, carriedOut: true })
  await client.threads.create()
  const response = await mock.fetch(new Request('http://mock/threads'))
  expect(await response.json()).toHaveLength(2)
})

test.each(transports)('a stream over %s that is reset: throws', async (transport) => {
  const { stream } = await setUp({ type: 'reset', after: 2, route: STREAM }, { transport })
  await expect(stream()).rejects.toThrow('terminated')
})

const interruptions: Record<string, [fault: Fault, settings: StreamSettings]> = {
  'is reset': [{ type: 'reset', after: 2, route: STREAM }, {}],
  stalls: [{ type: 'stall', after: 2, route: STREAM }, { streamIdleReconnect: 300 }],
  'has malformed JSON': [{ type: 'malformed-json', event: 3, route: STREAM }, {}],
}

describe.each(Object.entries(interruptions))('a stream with a Location that %s', (_, [fault, settings]) => {
  test('with streamResumable: continues after the last event without loss', async () => {
    const { stream } = await setUp(fault, { dialect: 'agent-server' })
    // With fake timers, the idle timeout of the SDK would expire before an event can arrive.
    if (settings.streamIdleReconnect !== undefined) vi.useRealTimers()
    expect(await stream({ ...settings, streamResumable: true })).toEqual(WHOLE)
  })

  test('by default: ends without an error and without the remaining events', async () => {
    const { stream, mock } = await setUp(fault, { dialect: 'agent-server', journal: true })
    if (settings.streamIdleReconnect !== undefined) vi.useRealTimers()
    expect(await stream(settings)).toEqual(WHOLE.slice(0, 2))
    const [reconnect] = mock.journal.calls({ route: 'GET /threads/{thread_id}/runs/{run_id}/stream' })
    expect(reconnect).toMatchObject({ events: [] })
    expect(reconnect?.requestHeaders).not.toHaveProperty('last-event-id')
  })
})
