import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../mock-server/adapters/node.ts'
import { createMockServer, type MockServer, type MockServerOptions } from '../../../mock-server/index.ts'
import { manualClock } from '../../../mock-server/runtime/clock.ts'
import { openMock } from '../../fixtures/control-client.ts'
import { clientOf, eventsOf, say } from '../../fixtures/mock-client.ts'

const START = Date.UTC(2026, 0, 1)
const STREAM = 'POST /threads/{thread_id}/runs/stream'

const serverWithJournal = (options: MockServerOptions = {}): MockServer => openMock({ journal: true, ...options })

test('records requests and responses', async () => {
  const mock = serverWithJournal({ clock: manualClock(START) })
  const { thread, send } = clientOf(mock)
  const { thread_id } = await thread({ metadata: { topic: 'spring' } })
  await send('GET', `/threads/${thread_id}/state?subgraphs=true`)
  expect(mock.journal.calls()).toMatchObject([
    {
      id: 1,
      method: 'POST',
      url: 'http://mock/threads',
      route: 'POST /threads',
      at: START,
      state: 'ended',
      requestHeaders: { 'content-type': 'application/json' },
      requestBody: { metadata: { topic: 'spring' } },
      status: 200,
      responseBody: { thread_id, metadata: { topic: 'spring' } },
      endedAt: START,
      isCut: false,
    },
    { id: 2, route: 'GET /threads/{thread_id}/state', url: `http://mock/threads/${thread_id}/state?subgraphs=true` },
  ])
})

test('filters exchanges by route, method, status and a function', async () => {
  const mock = serverWithJournal()
  const { thread, send } = clientOf(mock)
  const { thread_id } = await thread()
  await send('POST', '/threads', { metadata: 7 })
  await send('GET', `/threads/${thread_id}/runs`)
  await send('GET', '/assistants/echo')
  const ids = (...filter: Parameters<typeof mock.journal.calls>): number[] =>
    mock.journal.calls(...filter).map(({ id }) => id)
  expect(ids()).toEqual([1, 2, 3, 4])
  expect(ids({ route: 'POST /threads' })).toEqual([1, 2])
  expect(ids({ route: '/threads/*' })).toEqual([1, 2, 3])
  expect(ids({ route: 'GET /threads/{thread_id}/runs' })).toEqual([3])
  expect(ids({ method: 'get' })).toEqual([3, 4])
  expect(ids({ status: 200 })).toEqual([1, 3])
  expect(ids({ after: 2, method: 'GET' })).toEqual([3, 4])
  expect(ids({ where: ({ requestBody }) => JSON.stringify(requestBody)?.includes('7') ?? false })).toEqual([2])
  expect(() => ids({ route: 'threads' })).toThrow('expected a route such as')
})

test('records the events of a stream with their times', async () => {
  const clock = manualClock(START)
  const mock = serverWithJournal({ clock })
  const { thread, send } = clientOf(mock)
  const { thread_id } = await thread()
  const config = { configurable: { delay_ms: 1000 } }
  const body = { assistant_id: 'slow', stream_mode: 'updates', config, ...say('hi') }
  const events = eventsOf(await send('POST', `/threads/${thread_id}/runs/stream`, body))
  await mock.journal.waitFor({ route: STREAM, where: ({ events = [] }) => events.length > 0 })
  await clock.advance(10_000)
  const names = (await events).map(({ event }) => event)
  const [call] = await mock.journal.waitFor({ route: STREAM }, { until: 'ended' })
  expect(call?.events?.map(({ event }) => event)).toEqual(names)
  expect(call?.events?.[0]).toMatchObject({ event: 'metadata', data: { run_id: expect.any(String) }, at: START })
  expect(call?.events?.at(-1)?.at).toBeGreaterThanOrEqual(START + 1000)
  expect(call?.responseBody).toBeUndefined()
})

test('waitFor resolves for past and future calls', async () => {
  const mock = serverWithJournal()
  const { thread, send } = clientOf(mock)
  await thread()
  expect(await mock.journal.waitFor({ route: 'POST /threads' })).toMatchObject([{ id: 1, status: 200 }])
  const bothCalls = mock.journal.waitFor({ route: 'POST /threads' }, { count: 2 })
  await send('GET', '/ok')
  await thread()
  expect((await bothCalls).map(({ id }) => id)).toEqual([1, 3])
})

test('records a request when it arrives', async () => {
  const clock = manualClock(START)
  const mock = serverWithJournal({ clock, faults: [{ type: 'latency', ms: 60_000 }] })
  const response = clientOf(mock).send('GET', '/ok')
  expect(await mock.journal.waitFor({}, { until: 'arrived' })).toMatchObject([{ state: 'arrived' }])
  await clock.advance(60_000)
  expect((await response).status).toBe(200)
  expect(mock.journal.calls()).toMatchObject([{ at: START, endedAt: START + 60_000 }])
})

test('waitFor rejects after its timeout with the last requests, or with the reason of its signal', async () => {
  const mock = serverWithJournal()
  await clientOf(mock).send('GET', '/nothing')
  await expect(mock.journal.waitFor({ route: 'POST /threads' }, { count: 2, timeoutMs: 1 })).rejects.toThrow(
    'Expected 2 answered requests with {"route":"POST /threads"} within 1 ms, received 0; the last requests were GET /nothing (404)',
  )
  const controller = new AbortController()
  const waiting = mock.journal.waitFor({ status: 500 }, { signal: controller.signal })
  controller.abort()
  await expect(waiting).rejects.toThrow('aborted')
})

test('records responses as changed by faults', async () => {
  const mock = serverWithJournal({
    faults: [
      { type: 'reset', nth: 1 },
      { type: 'malformed-json', nth: 2 },
      { type: 'status', status: 503, nth: 3 },
    ],
  })
  const { send } = clientOf(mock)
  await send('GET', '/ok').catch(() => undefined)
  await send('GET', '/ok')
  await send('GET', '/ok')
  expect(mock.journal.calls()).toMatchObject([
    { state: 'ended', failure: 'connection reset' },
    { status: 200, responseBody: '{"ok":' },
    { status: 503 },
  ])
})

test.each(['in process', 'over TCP'])('records a stream that is reset or left by its reader, %s', async (transport) => {
  const mock = serverWithJournal({ faults: [{ type: 'reset', after: 1, route: STREAM, nth: 1 }] })
  const server = await listen(mock, { port: 0 })
  onTestFinished(() => server.close())
  const call = async (path: string, body: object, signal: AbortSignal | null = null): Promise<Response> => {
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' }, signal }
    if (transport === 'over TCP') return fetch(server.url + path, init)
    return mock.fetch(new Request(`http://mock${path}`, init))
  }
  const { thread_id } = (await (await call('/threads', {})).json()) as { thread_id: string }
  const path = `/threads/${thread_id}/runs/stream`
  await expect((await call(path, { assistant_id: 'echo', ...say('hi') })).text()).rejects.toThrow('terminated')
  await mock.journal.waitFor({ route: STREAM }, { until: 'ended' })

  const config = { configurable: { delay_ms: 3_600_000 } }
  const slow = await call(path, { assistant_id: 'slow', config, multitask_strategy: 'interrupt', ...say('hi') })
  const reader = slow.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  const calls = await mock.journal.waitFor({ route: STREAM }, { until: 'ended', count: 2 })
  expect(calls.map(({ failure }) => failure)).toEqual(['connection reset', 'client left'])
  expect(calls[0]?.events).toHaveLength(1)
})

test('the journal does not change responses', async () => {
  const responses = async (journal: boolean): Promise<unknown[]> => {
    const mock = createMockServer({ journal, clock: manualClock(START), random: () => 0.5 })
    const { send } = clientOf(mock)
    const all = [
      await send('POST', '/threads', { metadata: { text: 'Grüße' } }),
      await send('POST', '/threads', 'no object'),
      await send('GET', '/nothing'),
      await mock.fetch(new Request('http://mock/threads', { method: 'OPTIONS', headers: { origin: 'http://a.test' } })),
    ]
    return Promise.all(all.map(async (response) => [response.status, [...response.headers], await response.text()]))
  }
  expect(await responses(true)).toEqual(await responses(false))
})

test('rejects a body that is too large without reading it further', async () => {
  const mock = serverWithJournal({ limits: { maxBytes: 1000 } })
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent++
      controller.enqueue(new Uint8Array(500))
    },
  })
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' }
  expect((await mock.fetch(new Request('http://mock/threads', init))).status).toBe(413)
  expect(sent).toBeLessThan(10)
})

test('keeps the newest maxEntries exchanges and counts the dropped ones', async () => {
  const mock = serverWithJournal({ journal: { maxEntries: 3 } })
  const { send } = clientOf(mock)
  for (let call = 0; call < 5; call++) await send('GET', '/ok')
  expect(mock.journal.calls().map(({ id }) => id)).toEqual([3, 4, 5])
  expect(mock.journal.dropped).toBe(2)
  mock.journal.clear()
  expect(mock.journal.calls()).toEqual([])
  await send('GET', '/ok')
  expect(mock.journal.calls()).toMatchObject([{ id: 6 }])
})

test('keeps at most maxBytes, and truncates a large body', async () => {
  const mock = serverWithJournal({ journal: { maxBytes: 10_000 } })
  const { thread } = clientOf(mock)
  for (let call = 0; call < 5; call++) await thread({ metadata: { text: 'x'.repeat(1500) } })
  expect(mock.journal.calls().map(({ id }) => id)).toEqual([3, 4, 5])
  await thread({ metadata: { text: 'x'.repeat(50_000) } })
  expect(mock.journal.calls()).toMatchObject([
    { id: 6, isCut: true, requestBody: expect.stringMatching(/^\{"metadata"/) },
  ])
  expect(JSON.stringify(mock.journal.calls()).length).toBeLessThan(12_000)
})

test('reset clears the journal', async () => {
  const mock = serverWithJournal()
  await clientOf(mock).send('GET', '/ok')
  mock.reset()
  expect(mock.journal.calls()).toEqual([])
})

test('throws with a remedy when the journal is off', async () => {
  const { journal } = createMockServer()
  expect(() => journal.calls()).toThrow('create the server with journal: true')
  await expect(journal.waitFor({})).rejects.toThrow('create the server with journal: true')
})

test.each([0, -1, 1.5, Number.NaN])('rejects maxEntries of %s', (maxEntries) => {
  expect(() => createMockServer({ journal: { maxEntries } })).toThrow(
    'journal.maxEntries: expected a whole number from 1',
  )
})

test.each([
  [
    { rout: 'POST /threads' },
    'The filter: unknown key "rout"; expected only route, method, status, ids, after, webhook, where',
  ],
  [{ status: '200' }, 'Field "status": expected number, received "200"'],
  [{ where: 'status' }, 'Field "where": expected a function, received "status"'],
  ['POST /threads', 'The filter: expected object, received "POST /threads"'],
])('rejects the invalid filter %j', async (filter, message) => {
  const { journal } = createMockServer({ journal: true })
  expect(() => journal.calls(filter as object)).toThrow(message)
  expect(() => journal.har(filter as object)).toThrow(message)
  await expect(journal.waitFor(filter as object)).rejects.toThrow(message)
})

test('waitFor rejects unknown options', async () => {
  const { journal } = createMockServer({ journal: true })
  await expect(journal.waitFor({}, { timeout: 1 } as object)).rejects.toThrow('The options: unknown key "timeout"')
  await expect(journal.waitFor({}, { until: 'now' as never })).rejects.toThrow('Field "until": expected one of')
})
