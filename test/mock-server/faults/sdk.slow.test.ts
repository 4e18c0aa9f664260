import { Client, type ClientConfig, type Thread } from '@langchain/langgraph-sdk'
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
const READ = 'GET /threads/{thread_id}'

const GREETING = { ...say('Grüße'), streamMode: 'values' as const }

const transports = ['TCP', 'mock.fetch', 'undici'] as const

interface Settings extends MockServerOptions {
  readonly timeoutMs?: number
  readonly maxRetries?: number
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
  /** Creates a thread and reads it. */
  read(): Promise<Thread>
  /** Streams a run of `echo` with a non-ASCII input; returns the names of the events. */
  stream(settings?: StreamSettings, onEvent?: (names: readonly string[]) => void): Promise<string[]>
}

/** A client of the SDK and a server with this fault. Fake timers skip the pauses between attempts. */
async function setUp(
  fault: Fault,
  { timeoutMs, maxRetries, transport = 'TCP', ...options }: Settings = {},
): Promise<Context> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] }).setTimerTickMode('nextTimerAsync')
  const mock = createMockServer({ ...options, faults: [fault] })
  onTestFinished(async () => {
    vi.useRealTimers()
    await mock.close()
  })
  const timeout = timeoutMs === undefined ? {} : { timeoutMs }
  const config = await configFor(transport, mock)
  const callerOptions = { ...config.callerOptions, ...(maxRetries === undefined ? {} : { maxRetries }) }
  const client = new Client({ apiKey: null, ...timeout, ...config, callerOptions })
  return {
    mock,
    client,
    calls: () => mock.faults.list()[0]?.calls ?? 0,
    read: async () => client.threads.get((await client.threads.create()).thread_id),
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

/** Watches the timers of the SDK. Returns its pauses so far in milliseconds. */
function watchPauses(): () => readonly number[] {
  const timers = vi.spyOn(globalThis, 'setTimeout')
  // Before the fake timers end: restored after them, the fake setTimeout would be back for all later files.
  onTestFinished(() => timers.mockRestore())
  return () => timers.mock.calls.map(([, ms = 0]) => ms).filter((ms) => ms >= 1000 && ms <= 16_000)
}

// The server does not set timers.
const timeless: Settings = { transport: 'mock.fetch', clock: manualClock(0) }

test('latency beyond timeoutMs: throws a TimeoutError after one request', async () => {
  const latency: Fault = { type: 'latency', ms: 1, route: READ }
  const { read, calls } = await setUp(latency, { timeoutMs: 50, ...timeless })
  const pauses = watchPauses()
  await expect(read()).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(calls()).toBe(1)
  expect(pauses()).toEqual([])
})

test('latency and an aborted signal: throws its reason after one request', async () => {
  const { stream, calls } = await setUp({ type: 'latency', ms: 1, route: STREAM }, timeless)
  const pauses = watchPauses()
  const controller = new AbortController()
  const abortOnceCalled = (): unknown => (calls() === 1 ? controller.abort(timeout()) : setImmediate(abortOnceCalled))
  abortOnceCalled()
  await expect(stream({ signal: controller.signal })).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(calls()).toBe(1)
  expect(pauses()).toEqual([])
})

test.each([500, 502, 503, 504, 429])('status %i: repeats a GET four times', async (status) => {
  const { read, calls } = await setUp({ type: 'status', status, route: READ })
  await expect(read()).rejects.toMatchObject({ status, message: expect.stringContaining(`${status}`) })
  expect(calls()).toBe(5)
})

test('status 503: pauses for 1, 2, 4 and 8 seconds, each up to twice as long', async () => {
  const { read } = await setUp({ type: 'status', status: 503, route: READ }, timeless)
  const pauses = watchPauses()
  await expect(read()).rejects.toMatchObject({ status: 503 })
  expect(pauses()).toHaveLength(4)
  for (const [index, pause] of pauses().entries()) {
    expect(pause).toBeGreaterThanOrEqual(1000 * 2 ** index)
    expect(pause).toBeLessThanOrEqual(2000 * 2 ** index)
  }
})

test('temporary status 503: repeats a GET until it succeeds', async () => {
  const { read, calls } = await setUp({ type: 'status', status: 503, route: READ, first: 2 })
  expect(await read()).toMatchObject({ status: 'idle' })
  expect(calls()).toBe(3)
})

test('status 503 and maxRetries: 0: throws at once', async () => {
  const { read, calls } = await setUp({ type: 'status', status: 503, route: READ }, { ...timeless, maxRetries: 0 })
  await expect(read()).rejects.toMatchObject({ status: 503 })
  expect(calls()).toBe(1)
})

test.each([500, 502, 503, 504, 429])('status %i of a POST: throws at once', async (status) => {
  const { client, calls } = await setUp({ type: 'status', status, route: 'POST /threads' })
  await expect(client.threads.create()).rejects.toMatchObject({ status })
  expect(calls()).toBe(1)
})

test('status 503 of a DELETE: repeated as for a GET', async () => {
  const { client, calls } = await setUp({ type: 'status', status: 503, route: 'DELETE /threads/{thread_id}' })
  const { thread_id } = await client.threads.create()
  await expect(client.threads.delete(thread_id)).rejects.toMatchObject({ status: 503 })
  expect(calls()).toBe(5)
})

test('a server that cannot be reached: repeats a POST, too', async () => {
  const { mock } = await setUp({ type: 'latency', ms: 1 })
  const server = await listen(mock, { port: 0 })
  await server.close()
  const pauses = watchPauses()
  const client = new Client({ apiUrl: server.url, apiKey: null })
  await expect(client.threads.create()).rejects.toMatchObject({ name: 'ConnectionError' })
  expect(pauses()).toHaveLength(4)
})

test.each([400, 401, 403, 404, 408, 409, 422])('status %i: throws at once', async (status) => {
  const { read, calls } = await setUp({ type: 'status', status, route: READ })
  await expect(read()).rejects.toMatchObject({ status })
  expect(calls()).toBe(1)
})

test('rate limit: repeats a GET after its own pause, without regard to Retry-After', async () => {
  const { read } = await setUp({ type: 'rate-limit', retryAfter: 3600, route: READ, first: 1 }, timeless)
  const pauses = watchPauses()
  expect(await read()).toMatchObject({ status: 'idle' })
  expect(pauses()).toHaveLength(1)
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

test('a reset connection: repeats a GET four times, then throws a ConnectionError', async () => {
  const { read, calls } = await setUp({ type: 'reset', route: READ })
  await expect(read()).rejects.toMatchObject({ name: 'ConnectionError' })
  expect(calls()).toBe(5)
})

test('a connection that is reset after a POST was executed: throws a ConnectionError and creates one thread', async () => {
  const { client, mock } = await setUp({ type: 'reset', route: 'POST /threads', carriedOut: true })
  await expect(client.threads.create()).rejects.toMatchObject({ name: 'ConnectionError' })
  const response = await mock.fetch(new Request('http://mock/threads'))
  expect(await response.json()).toHaveLength(1)
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
