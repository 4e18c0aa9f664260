import { Client } from '@langchain/langgraph-sdk'
import { expect, test } from 'vitest'
import { createMockServer, defineGraph, type MockServerOptions } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { fail } from '../../mock-server/scripting/steps.ts'
import { receivedBy } from '../fixtures/http-server.ts'
import { clientOf, say } from '../fixtures/mock-client.ts'
import { sdkThread } from '../fixtures/sdk-thread.ts'

/** A mock server with a clock that stands still, an SDK client with a thread, and the deliveries in this process. */
async function setUp(options: MockServerOptions = {}, respond: () => Response = () => new Response()) {
  const clock = manualClock(Date.UTC(2026, 0, 1))
  const deliveries: Delivery[] = []
  const receive = async (request: Request): Promise<Response> => {
    const { method, url, headers } = request
    deliveries.push({ method, url, type: headers.get('content-type'), payload: await request.json() })
    return respond()
  }
  const mock = createMockServer({ clock, journal: true, webhooks: { fetch: receive }, ...options })
  return { clock, mock, deliveries, ...(await sdkThread(mock)) }
}

interface Delivery {
  readonly method: string
  readonly url: string
  readonly type: string | null
  readonly payload: unknown
}

const webhook = 'https://hooks.example.com/ended?of=run'

test('a webhook is delivered to a receiver on this machine when the run ends', async () => {
  const { url, requests } = await receivedBy(() => ({ status: 204 }))
  const mock = createMockServer({ journal: true })
  const client = new Client({ apiUrl: 'http://mock', callerOptions: { fetch: mock.fetch } })
  const { thread_id } = await client.threads.create()
  await client.runs.wait(thread_id, 'echo', { ...say('hello'), webhook: `${url}/ended` })
  const [delivery] = await mock.journal.waitFor({ webhook: true })

  const [run] = await client.runs.list(thread_id)
  const { values } = await client.threads.getState(thread_id)
  const payload = {
    ...run,
    run_started_at: expect.stringMatching(/^20/),
    run_ended_at: run?.updated_at,
    webhook_sent_at: expect.stringMatching(/^20/),
    values,
  }
  expect(requests).toEqual([{ method: 'POST', url: '/ended', type: 'application/json', body: payload }])
  expect(delivery).toMatchObject({
    method: 'POST',
    url: `${url}/ended`,
    requestBody: payload,
    status: 204,
    webhook: { run_id: run?.run_id, attempt: 1 },
  })
  expect(mock.journal.calls({ webhook: false, method: 'POST' }).map(({ route }) => route)).toEqual([
    'POST /threads',
    'POST /threads/{thread_id}/runs/wait',
  ])
})

test('a function receives the deliveries in this process', async () => {
  const { client, clock, thread_id, deliveries } = await setUp()
  await client.runs.create(thread_id, 'echo', { ...say('hello'), webhook })
  await clock.advance(0)
  expect(deliveries).toEqual([
    { method: 'POST', url: webhook, type: 'application/json', payload: expect.objectContaining({ thread_id }) },
  ])
})

test.each([
  ['spec', { status: 'error', error: { error: 'Error', message: 'broken' } }],
  ['agent-server', { status: 'error', error: { error: 'Error', message: 'broken' } }],
  ['js-dev', { status: 'error', error: 'broken' }],
] as const)('%s delivers the error of a failed run', async (dialect, expected) => {
  const { mock, client, thread_id, deliveries } = await setUp({ dialect })
  mock.script('support', fail('broken'))
  await client.runs.wait(thread_id, 'support', { ...say('hello'), webhook, raiseError: false })
  expect(deliveries.map(({ payload }) => payload)).toMatchObject([expected])
})

test('js-dev delivers messages in the serialization format of LangChain', async () => {
  const { client, thread_id, deliveries } = await setUp({ dialect: 'js-dev' })
  await client.runs.wait(thread_id, 'echo', { ...say('hello'), webhook })
  expect(deliveries).toMatchObject([
    {
      type: 'text/plain;charset=UTF-8',
      payload: {
        values: {
          messages: [
            {
              lc: 1,
              type: 'constructor',
              id: ['langchain_core', 'messages', 'HumanMessage'],
              kwargs: { content: 'hello' },
            },
            { id: ['langchain_core', 'messages', 'AIMessage'], kwargs: { content: 'first: hello' } },
            { id: ['langchain_core', 'messages', 'AIMessage'], kwargs: { content: 'second: hello' } },
          ],
        },
      },
    },
  ])
})

test.each([
  ['spec', 'interrupt', { status: 'interrupted' }],
  ['spec', 'rollback', { status: 'interrupted' }],
  ['agent-server', 'interrupt', { status: 'interrupted', error: { error: 'UserInterrupt' } }],
  ['agent-server', 'rollback', { status: 'rollback', error: { error: 'UserRollback' }, values: null }],
  ['js-dev', 'interrupt', { status: 'error', error: 'interrupt' }],
  ['js-dev', 'rollback', { status: 'error', error: 'rollback' }],
] as const)('%s delivers the webhook of a run that is stopped by %s', async (dialect, action, expected) => {
  const { client, clock, thread_id, deliveries } = await setUp({ dialect })
  const { run_id } = await client.runs.create(thread_id, 'slow', { ...say('hello'), webhook })
  await clock.advance(0)
  await client.runs.cancel(thread_id, run_id, false, action)
  await clock.advance(0)
  expect(deliveries.map(({ payload }) => payload)).toMatchObject([expected])
})

test('a run that never started has no delivery', async () => {
  const { client, clock, thread_id, deliveries } = await setUp()
  await client.runs.create(thread_id, 'slow', say('first'))
  const queued = { ...say('second'), webhook, multitaskStrategy: 'enqueue' } as const
  const { run_id } = await client.runs.create(thread_id, 'slow', queued)
  await client.runs.cancel(thread_id, run_id)
  await clock.advance(60_000)
  expect(deliveries).toEqual([])
})

test.each([
  ['spec', 1],
  ['agent-server', 1],
  ['js-dev', 0],
] as const)('%s delivers the webhook of a run on a thread of its own', async (dialect, hasValues) => {
  const { client, deliveries } = await setUp({ dialect })
  await client.runs.wait(null, 'echo', { ...say('hello'), webhook })
  const [{ payload } = { payload: {} }] = deliveries
  expect(payload).toMatchObject({ status: 'success', kwargs: { temporary: true } })
  expect(Object.keys(payload as object).filter((key) => key === 'values')).toHaveLength(hasValues)
})

test('each run of a cron delivers its webhook', async () => {
  const { client, clock, deliveries } = await setUp()
  await client.crons.create('echo', { schedule: '0 * * * *', ...say('report'), webhook })
  await clock.advance(2 * 3_600_000)
  expect(deliveries).toHaveLength(2)
})

test.each([
  ['spec', 503, [0, 1000, 3000]],
  ['agent-server', 429, [0, 1000, 3000]],
  ['agent-server', 404, [0]],
  ['js-dev', 503, [0]],
] as const)('%s repeats a delivery with the response %i at %j ms', async (dialect, status, expected) => {
  const { mock, client, clock, thread_id } = await setUp({ dialect }, () => new Response(null, { status }))
  await client.runs.create(thread_id, 'echo', { ...say('hello'), webhook })
  const start = clock.now()
  await clock.advance(60_000)
  const calls = mock.journal.calls({ webhook: true })
  expect(calls.map(({ at }) => at - start)).toEqual(expected)
  expect(calls.map((call) => call.webhook?.attempt)).toEqual(expected.map((_, index) => index + 1))
})

test('a receiver without a response is in the journal', async () => {
  const clock = manualClock(0)
  const mock = createMockServer({ journal: true, clock })
  const { client, thread_id } = await sdkThread(mock)
  await client.runs.create(thread_id, 'echo', { ...say('hello'), webhook: 'http://127.0.0.1:1/' })
  await clock.advance(3000)
  expect(mock.journal.calls({ webhook: true })).toMatchObject(
    [1, 2, 3].map((attempt) => ({ webhook: { attempt }, state: 'ended', failure: 'no response' })),
  )
})

test('a receiver cannot redirect a delivery', async () => {
  const { url, requests } = await receivedBy(() => ({ status: 307, headers: { location: '/elsewhere' } }))
  const { client, clock, mock, thread_id } = await setUp({ webhooks: {} })
  await client.runs.create(thread_id, 'echo', { ...say('hello'), webhook: url })
  await clock.advance(0)
  expect(requests.map((request) => request.url)).toEqual(['/'])
  expect(mock.journal.calls({ webhook: true })).toMatchObject([{ status: 307 }])
})

test('a path is an endpoint of the mock server itself', async () => {
  const { mock, client, clock, thread_id } = await setUp()
  await client.runs.create(thread_id, 'echo', { ...say('hello'), webhook: '/assistants/search' })
  await clock.advance(0)
  expect(mock.journal.calls({ webhook: true })).toMatchObject([{ route: 'POST /assistants/search', status: 200 }])
})

test('the receiver can wait for the clock, and read the run', async () => {
  const clock = manualClock(0)
  const read: unknown[] = []
  const mock = createMockServer({
    clock,
    webhooks: {
      fetch: async (request) => {
        const { thread_id, run_id } = (await request.json()) as { thread_id: string; run_id: string }
        read.push(await client.runs.get(thread_id, run_id))
        return new Response()
      },
    },
  })
  const { client, thread_id } = await sdkThread(mock)
  await client.runs.create(thread_id, 'echo', { ...say('hello'), webhook })
  await clock.advance(0)
  expect(read).toMatchObject([{ status: 'success' }])
})

test('a value that JSON does not have is the error of the delivery', async () => {
  const large = defineGraph({ nodes: { count: () => ({ total: 2n }) } })
  const { client, clock, thread_id, deliveries } = await setUp({ graphs: { large } })
  const { run_id } = await client.runs.create(thread_id, 'large', { input: {}, webhook })
  await clock.advance(0)
  const error = { error: 'TypeError', message: expect.stringContaining('BigInt') }
  expect(deliveries.map(({ payload }) => payload)).toEqual([
    { run_id, thread_id, status: 'success', values: null, error },
  ])
})

test('a server that is reset or closed delivers nothing more', async () => {
  const { client, clock, mock, thread_id, deliveries } = await setUp({}, () => new Response(null, { status: 503 }))
  await client.runs.create(thread_id, 'echo', { ...say('hello'), webhook })
  await clock.advance(0)
  await client.runs.create(thread_id, 'slow', { ...say('hello'), webhook })
  await clock.advance(0)
  mock.reset()
  await clock.advance(60_000)
  expect(deliveries).toHaveLength(1)
})

const loopback = 'http://localhost:3000/ended'

test.each([
  [
    'spec',
    'no URL',
    422,
    'expected an HTTP URL without a user and password, or a path of this server, received "no URL"',
  ],
  ['spec', '', 422, 'expected an HTTP URL without a user and password, or a path of this server, received ""'],
  [
    'spec',
    'ftp://localhost/x',
    422,
    'expected an HTTP URL without a user and password, or a path of this server, received "ftp://localhost/x"',
  ],
  ['spec', 'http://ann:pw@localhost/', 422, 'expected an HTTP URL without a user and password'],
  ['spec', '//', 422, 'expected an HTTP URL without a user and password'],
  ['spec', webhook, 422, `a host that webhooks may call (localhost, 127.0.0.1, [::1]), received "${webhook}"; allow`],
  ['js-dev', webhook, 400, 'a host that webhooks may call (localhost, 127.0.0.1, [::1])'],
  ['agent-server', webhook, 422, 'a host that webhooks may call (none)'],
  ['agent-server', loopback, 422, 'a host that webhooks may call (none)'],
  ['agent-server', '/hooks', 422, 'a host that webhooks may call (none)'],
] as const)('%s refuses the webhook %j by default with %i', async (dialect, wrong, status, sentence) => {
  const { send, thread } = clientOf(createMockServer({ dialect }))
  const { thread_id } = await thread()
  const body = { assistant_id: 'echo', webhook: wrong }
  for (const path of [`/threads/${thread_id}/runs`, '/runs/wait', '/runs/crons']) {
    const response = await send('POST', path, { schedule: '0 * * * *', ...body })
    expect(response.status).toBe(status)
    const text = await response.text()
    expect(text).toContain('webhook')
    expect(text.replaceAll('\\"', '"')).toContain(sentence)
  }
})

test.each([
  ['spec', 'any', webhook],
  ['spec', ['hooks.example.com', '[::1]'], webhook],
  ['spec', ['hooks.example.com', '[::1]'], 'http://[::1]:3000/'],
  ['spec', 'loopback', 'http://127.0.0.2/'],
  ['spec', 'loopback', 'http://app.localhost:3000/'],
  ['agent-server', 'loopback', loopback],
  ['agent-server', 'loopback', '/hooks'],
] as const)('%s with the hosts %j accepts the webhook %s', async (dialect, hosts, allowed) => {
  const { client, clock, mock, thread_id } = await setUp({ dialect, webhooks: { hosts, fetch: () => new Response() } })
  await client.runs.create(thread_id, 'echo', { ...say('hello'), webhook: allowed })
  await clock.advance(0)
  expect(mock.journal.calls({ webhook: true })).toHaveLength(1)
})

test.each([
  [{ hosts: 'localhost' }, 'webhooks.hosts: expected "loopback", "any" or an array of host names without port'],
  [{ hosts: ['localhost:3000'] }, 'received ["localhost:3000"]'],
  [{ fetch: 'http://localhost' }, 'webhooks.fetch: expected a function, received string'],
  [{ host: 'any' }, 'webhooks: expected hosts and fetch, received host'],
])('the option webhooks %j is refused', (webhooks, message) => {
  expect(() => createMockServer({ webhooks: webhooks as never })).toThrow(message)
})
