import { Readable } from 'node:stream'
import {
  Agent,
  type Dispatcher,
  fetch as fetchOfUndici,
  getGlobalDispatcher,
  interceptors,
  request,
  setGlobalDispatcher,
} from 'undici'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Answering } from '../../mock-server/adapters/service.ts'
import { dispatcher } from '../../mock-server/adapters/undici.ts'
import { type GatedMock, gatedMock } from '../fixtures/gated-mock.ts'
import { leave, talk, watch } from '../fixtures/integration-clients.ts'
import { listening } from '../fixtures/listening.ts'

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

  test('the public SDK talks to a mock that needs no port', async () => {
    expect(await talk(url)).toEqual(['hello', 'first: hello', 'second: hello'])
  })

  test.each([
    ['the fetch of Node', fetch],
    ['the fetch of undici', fetchOfUndici],
  ])('a stream comes event by event to %s', async (_, itsFetch) => {
    expect(await watch(url, gated, itsFetch)).toEqual([['before'], ['before', 'wait', 'after']])
  })

  test('the mock sees a client that leaves', async () => {
    await leave(url, gated)
  })

  test('a request to another address fails with a sentence', async () => {
    const sentence = 'Only http://agent.test is mocked, not http://other.test/ok'

    await expect(request('http://other.test/ok')).rejects.toThrow(sentence)
    await expect(fetch('http://other.test/ok')).rejects.toMatchObject({
      cause: { message: expect.stringContaining(sentence) },
    })
  })
})

test('a dispatcher of one request', async () => {
  const ours = dispatcher(gatedMock().mock, { url })

  const threads = await request(`${url}/threads`, { method: 'POST', headers: json, body: '{}', dispatcher: ours })
  expect(threads.statusCode).toBe(200)
  expect(threads.headers['content-type']).toBe('application/json')
  expect(await threads.body.json()).toMatchObject({ status: 'idle' })
  expect(await (await fetchOfUndici(`${url}/ok`, { dispatcher: ours })).json()).toEqual({ ok: true })
  // The older undici inside Node has other handlers, and types of its own.
  const init: object = { dispatcher: ours }
  expect(await (await fetch(`${url}/ok`, init)).json()).toEqual({ ok: true })
})

test('other requests go to the next dispatcher', async () => {
  const network = new Agent()
  const ours = dispatcher(gatedMock().mock, { url, next: network })

  const { statusCode } = await request(`${await listening()}/ok`, { dispatcher: ours })
  expect(statusCode).toBe(200)
  await ours.close()
})

test('the service may stand under a path', async () => {
  const ours = dispatcher(gatedMock().mock, { url: `${url}/api` })

  const { body } = await request(`${url}/api/threads`, { query: { limit: 1 }, dispatcher: ours })
  expect(await body.json()).toEqual([])
})

/** Sends a request to whatever answers. */
function send(answer: Answering['answer'], options: Partial<Dispatcher.RequestOptions> = {}) {
  return request(`${url}/`, { dispatcher: dispatcher({ answer }, { url }), ...options })
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
  ['names and values by turns', ['x-one', '1', 'x-two', '2', 'x-two', '3']],
])('headers may be %s', async (_, headers) => {
  const { body } = await send(async ({ headers }) => Response.json([...headers]), { headers })

  expect(await body.json()).toEqual([
    ['x-one', '1'],
    ['x-two', '2, 3'],
  ])
})

test.each<[string, Dispatcher.RequestOptions['body'] & {}]>([
  ['a text', 'hello'],
  ['bytes', new TextEncoder().encode('hello')],
  ['a stream of bytes', Readable.from([Buffer.from('hel'), Buffer.from('lo')])],
  ['a stream of texts', Readable.from(['hel', 'lo'])],
])('a body may be %s', async (_, body) => {
  const answer = await send(async (received) => new Response(received.body), { method: 'POST', body })

  expect(await answer.body.text()).toBe('hello')
})

test('a body that breaks off fails the request', async () => {
  const broken = Readable.from(
    (async function* () {
      yield 'hel'
      throw new Error('the disk is gone')
    })(),
  )

  const answer = send(async (received) => new Response(await received.text()), { method: 'POST', body: broken })
  await expect(answer).rejects.toThrow('the disk is gone')
})

test('several cookies stay apart', async () => {
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

test('a mock that throws, at once or amid its answer, fails the request with that error', async () => {
  const chunks = [new Uint8Array(4)]
  const breaking = new ReadableStream({
    pull: (controller) => {
      const chunk = chunks.pop()
      if (chunk === undefined) controller.error(new Error('out of tea'))
      else controller.enqueue(chunk)
    },
  })

  await expect(send(() => Promise.reject(new Error('no tea')))).rejects.toThrow('no tea')
  const { body } = await send(async () => new Response(breaking))
  await expect(body.text()).rejects.toThrow('out of tea')
})

test('a connection that a fault resets, at once or amid a stream, is one to undici', async () => {
  const { mock } = gatedMock()
  const ours = dispatcher(mock, { url })
  mock.faults.add({ type: 'reset', route: 'GET /ok' })
  mock.faults.add({ type: 'reset', after: 1, route: 'POST /runs/stream' })

  await expect(request(`${url}/ok`, { dispatcher: ours })).rejects.toMatchObject({ code: 'ECONNRESET' })
  const run = JSON.stringify({ assistant_id: 'echo', input: {} })
  const { body } = await request(`${url}/runs/stream`, { method: 'POST', headers: json, body: run, dispatcher: ours })
  await expect(body.text()).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('an answer is read no faster than the client takes it', async () => {
  const size = 1024
  let sent = 0
  let taken = 0
  const endless = new ReadableStream({
    pull: (controller) => {
      sent += size
      controller.enqueue(new Uint8Array(size))
    },
  })
  const { body } = await send(async () => new Response(endless), { highWaterMark: 4 * size })

  for await (const chunk of body) {
    taken += chunk.length
    expect(sent - taken).toBeLessThan(16 * size)
    if (taken > 1000 * size) break
  }
})

test('a client that gives up before the answer is told so, and the mock sees it', async () => {
  const leaving = new AbortController()
  const seen = Promise.withResolvers<void>()
  const answer = send(
    ({ signal }) => {
      signal.addEventListener('abort', () => seen.resolve())
      leaving.abort()
      return new Promise(() => undefined)
    },
    { signal: leaving.signal },
  )

  await expect(answer).rejects.toThrow('aborted')
  await seen.promise
})

test('interceptors of undici work on it', async () => {
  let asked = 0
  const busyOnce: Answering = {
    answer: async () => Response.json({ asked: ++asked }, { status: asked === 1 ? 503 : 200 }),
  }
  const retrying = dispatcher(busyOnce, { url }).compose(interceptors.retry({ minTimeout: 0 }))

  const { body } = await request(`${url}/`, { dispatcher: retrying })
  expect(await body.json()).toEqual({ asked: 2 })
})
