import { Readable } from 'node:stream'
import {
  Agent,
  type Dispatcher,
  getGlobalDispatcher,
  interceptors,
  request,
  setGlobalDispatcher,
  fetch as undiciFetch,
} from 'undici'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RequestHandler } from '../../mock-server/adapters/service.ts'
import { dispatcher } from '../../mock-server/adapters/undici.ts'
import { type GatedMock, gatedMock } from '../fixtures/gated-mock.ts'
import { leave, talk, watch } from '../fixtures/integration-clients.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'

const url = 'http://agent.test'
const json = { 'content-type': 'application/json' }

describe('as global dispatcher', () => {
  const before = getGlobalDispatcher()
  let gated: GatedMock

  beforeEach(() => {
    gated = gatedMock()
    setGlobalDispatcher(dispatcher(gated.mock, { url }))
  })
  afterEach(() => setGlobalDispatcher(before))

  test('serves the public SDK without a port', async () => {
    expect(await talk(url)).toEqual(['hello', 'first: hello', 'second: hello'])
  })

  test.each([
    ['the fetch of Node', fetch],
    ['the fetch of undici', undiciFetch],
  ])('delivers a stream event by event to %s', async (_, fetchFunction) => {
    expect(await watch(url, gated, fetchFunction)).toEqual([['before'], ['before', 'wait', 'after']])
  })

  test('stops a run when the client disconnects', async () => {
    await leave(url, gated)
  })

  test('rejects a request to another origin', async () => {
    const message = 'Only http://agent.test is mocked, not http://other.test/ok'

    await expect(request('http://other.test/ok')).rejects.toThrow(message)
    await expect(fetch('http://other.test/ok')).rejects.toMatchObject({
      cause: { message: expect.stringContaining(message) },
    })
  })
})

test('works as the dispatcher of a single request', async () => {
  const mockDispatcher = dispatcher(gatedMock().mock, { url })

  const threads = await request(`${url}/threads`, {
    method: 'POST',
    headers: json,
    body: '{}',
    dispatcher: mockDispatcher,
  })
  expect(threads.statusCode).toBe(200)
  expect(threads.headers['content-type']).toBe('application/json')
  expect(await threads.body.json()).toMatchObject({ status: 'idle' })
  expect(await (await undiciFetch(`${url}/ok`, { dispatcher: mockDispatcher })).json()).toEqual({ ok: true })
  // Node contains an older undici, with different handlers and types.
  const init: object = { dispatcher: mockDispatcher }
  expect(await (await fetch(`${url}/ok`, init)).json()).toEqual({ ok: true })
})

test('forwards other requests to the next dispatcher', async () => {
  const network = new Agent()
  const mockDispatcher = dispatcher(gatedMock().mock, { url, next: network })

  const { statusCode } = await request(`${await startMockServer()}/ok`, { dispatcher: mockDispatcher })
  expect(statusCode).toBe(200)
  await mockDispatcher.close()
})

test('supports a base URL with a path', async () => {
  const mockDispatcher = dispatcher(gatedMock().mock, { url: `${url}/api` })

  const { body } = await request(`${url}/api/threads`, { query: { limit: 1 }, dispatcher: mockDispatcher })
  expect(await body.json()).toEqual([])
})

/** Sends a request to a handler. */
function send(handle: RequestHandler['handle'], options: Partial<Dispatcher.RequestOptions> = {}) {
  return request(`${url}/`, { dispatcher: dispatcher({ handle }, { url }), ...options })
}

test.each<[string, Dispatcher.RequestOptions['headers'] & {}]>([
  ['a record', { 'x-one': '1', 'x-two': ['2', '3'] }],
  [
    'pairs',
    new Map<string, string | string[]>([
      ['x-one', '1'],
      ['x-two', ['2', '3']],
    ]),
  ],
  ['alternating names and values', ['x-one', '1', 'x-two', '2', 'x-two', '3']],
])('accepts headers as %s', async (_, headers) => {
  const { body } = await send(async ({ headers }) => Response.json([...headers]), { headers })

  expect(await body.json()).toEqual([
    ['x-one', '1'],
    ['x-two', '2, 3'],
  ])
})

test.each<[string, Dispatcher.RequestOptions['body'] & {}]>([
  ['a string', 'hello'],
  ['bytes', new TextEncoder().encode('hello')],
  ['a stream of bytes', Readable.from([Buffer.from('hel'), Buffer.from('lo')])],
  ['a stream of strings', Readable.from(['hel', 'lo'])],
])('accepts a body as %s', async (_, body) => {
  const response = await send(async (received) => new Response(received.body), { method: 'POST', body })

  expect(await response.body.text()).toBe('hello')
})

test('rejects a request whose body fails', async () => {
  const broken = Readable.from(
    (async function* () {
      yield 'hel'
      throw new Error('disk removed')
    })(),
  )

  const response = send(async (received) => new Response(await received.text()), { method: 'POST', body: broken })
  await expect(response).rejects.toThrow('disk removed')
})

test('keeps several cookies separate', async () => {
  const { headers } = await send(
    async () =>
      new Response(null, {
        headers: [
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ],
      }),
  )

  expect(headers['set-cookie']).toEqual(['a=1', 'b=2'])
})

test('passes on an error that the server throws, before or during the response', async () => {
  const chunks = [new Uint8Array(4)]
  const failing = new ReadableStream({
    pull: (controller) => {
      const chunk = chunks.pop()
      if (chunk === undefined) controller.error(new Error('out of tea'))
      else controller.enqueue(chunk)
    },
  })

  await expect(send(() => Promise.reject(new Error('no tea')))).rejects.toThrow('no tea')
  const { body } = await send(async () => new Response(failing))
  await expect(body.text()).rejects.toThrow('out of tea')
})

test('a reset fault is ECONNRESET, before or during a response', async () => {
  const { mock } = gatedMock()
  const mockDispatcher = dispatcher(mock, { url })
  mock.faults.add({ type: 'reset', route: 'GET /ok' })
  mock.faults.add({ type: 'reset', after: 1, route: 'POST /runs/stream' })

  await expect(request(`${url}/ok`, { dispatcher: mockDispatcher })).rejects.toMatchObject({ code: 'ECONNRESET' })
  const run = JSON.stringify({ assistant_id: 'echo', input: {} })
  const { body } = await request(`${url}/runs/stream`, {
    method: 'POST',
    headers: json,
    body: run,
    dispatcher: mockDispatcher,
  })
  await expect(body.text()).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('applies the backpressure of the client to the response', async () => {
  const size = 1024
  let sent = 0
  let received = 0
  const endless = new ReadableStream({
    pull: (controller) => {
      sent += size
      controller.enqueue(new Uint8Array(size))
    },
  })
  const { body } = await send(async () => new Response(endless), { highWaterMark: 4 * size })

  for await (const chunk of body) {
    received += chunk.length
    expect(sent - received).toBeLessThan(16 * size)
    if (received > 1000 * size) break
  }
})

test('an abort before the response rejects the request and reaches the server', async () => {
  const controller = new AbortController()
  const serverAbort = Promise.withResolvers<void>()
  const response = send(
    ({ signal }) => {
      signal.addEventListener('abort', () => serverAbort.resolve())
      controller.abort()
      return new Promise(() => undefined)
    },
    { signal: controller.signal },
  )

  await expect(response).rejects.toThrow('aborted')
  await serverAbort.promise
})

test('supports interceptors of undici', async () => {
  let requests = 0
  const busyOnce: RequestHandler = {
    handle: async () => Response.json({ requests: ++requests }, { status: requests === 1 ? 503 : 200 }),
  }
  const retrying = dispatcher(busyOnce, { url }).compose(interceptors.retry({ minTimeout: 0 }))

  const { body } = await request(`${url}/`, { dispatcher: retrying })
  expect(await body.json()).toEqual({ requests: 2 })
})
