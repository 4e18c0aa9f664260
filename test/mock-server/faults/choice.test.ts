import { expect, test } from 'vitest'
import type { Fault } from '../../../mock-server/control/faults/fault.ts'
import { createMockServer, type MockServer } from '../../../mock-server/index.ts'
import { exportClient } from '../../fixtures/export-client.ts'

/** Sends this number of requests and returns their statuses. */
async function statuses(mock: MockServer, calls: number, path = '/ok', method = 'GET'): Promise<number[]> {
  const all: number[] = []
  for (let call = 0; call < calls; call++) {
    all.push((await mock.fetch(new Request(`http://mock${path}`, { method }))).status)
  }
  return all
}

const unavailable: Fault = { type: 'status', status: 503 }

test.each<[string, Partial<Fault>, number[]]>([
  ['every call', {}, [503, 503, 503, 503]],
  ['one call', { nth: 2 }, [200, 503, 200, 200]],
  ['the first calls', { first: 2 }, [503, 503, 200, 200]],
  ['all calls from the third', { from: 3 }, [200, 200, 503, 503]],
  ['no call', { probability: 0 }, [200, 200, 200, 200]],
])('a fault affects %s', async (_, choice, expected) => {
  const mock = createMockServer({ faults: [{ ...unavailable, ...choice } as Fault] })
  expect(await statuses(mock, 4)).toEqual(expected)
})

test('a probability affects its share of calls, the same ones with the same seed', async () => {
  const hits = async (seed: number): Promise<number[]> =>
    statuses(createMockServer({ faults: [{ ...unavailable, probability: 0.25, seed }] }), 400)
  const first = await hits(1)
  expect(first.filter((status) => status === 503).length).toBeGreaterThan(60)
  expect(first.filter((status) => status === 503).length).toBeLessThan(140)
  expect(await hits(1)).toEqual(first)
  expect(await hits(2)).not.toEqual(first)
})

const thread = '/threads/7e000000-0000-4000-8000-000000000001'

test.each<[string, string, string, boolean]>([
  ['POST /threads', 'POST', '/threads', true],
  ['POST /threads', 'GET', '/threads', false],
  ['/threads', 'GET', '/threads', true],
  ['* /threads', 'GET', '/threads', true],
  ['POST /threads', 'POST', '/threads/search', false],
  ['/threads/{thread_id}', 'GET', '/threads/search', false],
  ['/threads/{thread_id}', 'GET', thread, true],
  ['/threads/{any_name}', 'GET', thread, true],
  [thread, 'GET', thread, true],
  ['/threads/{thread_id}', 'GET', `${thread}/state`, false],
  ['GET /threads/{thread_id}/state', 'GET', `${thread}/state`, true],
  ['GET /threads/{thread_id}/runs/{run_id}/join', 'GET', `${thread}/runs/1/join`, true],
  ['/threads/{thread_id}/runs/{run_id}', 'POST', `${thread}/runs/stream`, false],
  ['/threads/*', 'GET', `${thread}/state`, true],
  ['/threads/*', 'GET', '/assistants', false],
  ['/assistants/{assistant_id}', 'GET', '/assistants/echo', true],
  ['POST /api/v1/bulk-exports', 'POST', '/api/v1/bulk-exports', true],
  ['/api/v1/bulk-exports/{export_id}', 'GET', '/api/v1/bulk-exports/destinations', false],
  ['/api/v1/bulk-exports/destinations/{destination_id}', 'PATCH', '/api/v1/bulk-exports/destinations/1', true],
])('the route %s matches %s %s: %s', async (route, method, path, matches) => {
  const mock = createMockServer({ faults: [{ ...unavailable, status: 599, route }] })
  expect((await statuses(mock, 1, path, method))[0] === 599).toBe(matches)
})

test.each([
  '/*',
  'POST /*',
  '/threads/',
  'HEAD /ok',
  'GET /api/*',
  'DELETE /threads/*',
  '* /threads/no-such-thread/state',
  'GET /assistants/echo/subgraphs/inner',
  'PUT /store/items',
  'POST /threads/{thread_id}/runs/crons',
  '/store/*',
])('accepts the route %s', (route) => {
  expect(createMockServer({ faults: [{ ...unavailable, route }] }).faults.list()).toHaveLength(1)
})

test('faults affect the bulk export API', async () => {
  const mock = createMockServer({
    faults: [
      { type: 'rate-limit', route: '/api/v1/bulk-exports/*', first: 1 },
      { type: 'malformed-json', route: 'GET /api/v1/bulk-exports/destinations' },
    ],
  })
  const { send } = exportClient(mock)
  expect((await send('GET', '')).status).toBe(429)
  expect(await send('GET', '')).toMatchObject({ status: 200, body: [] })
  await expect(send('GET', '/destinations')).rejects.toThrow(SyntaxError)
})

test('adds a fault at run time, counts its calls and removes it', async () => {
  const mock = createMockServer()
  const remove = mock.faults.add({ ...unavailable, route: 'GET /ok', nth: 2 })
  expect(await statuses(mock, 3)).toEqual([200, 503, 200])
  expect(mock.faults.list()).toEqual([
    { id: '1', fault: { ...unavailable, route: 'GET /ok', nth: 2 }, calls: 3, hits: 1 },
  ])
  remove()
  expect(mock.faults.list()).toEqual([])
  expect(await statuses(mock, 3)).toEqual([200, 200, 200])
})

test('reset restarts the counts of configured faults and removes added ones', async () => {
  const mock = createMockServer({ faults: [{ ...unavailable, first: 1 }] })
  mock.faults.add({ type: 'status', status: 500, nth: 2 })
  expect(await statuses(mock, 3)).toEqual([503, 500, 200])
  mock.reset()
  expect(await statuses(mock, 3)).toEqual([503, 200, 200])
})

test.each<[unknown, string]>([
  [{ type: 'timeout' }, 'Field "type": expected one of latency, status, rate-limit'],
  [{}, 'expected one of latency'],
  [null, 'The fault'],
  [{ type: 'status' }, 'Field "status": expected number, received nothing'],
  [{ type: 'status', status: 99 }, 'received 99'],
  [{ type: 'latency', ms: '5' }, 'Field "ms": expected number, received "5"'],
  [{ type: 'latency', milliseconds: 5 }, 'Field "ms"'],
  [{ type: 'cut', after: 1, every: 2 }, 'every'],
  [{ type: 'reset', route: 'threads' }, 'expected a route such as POST /threads/{thread_id}/runs, received "threads"'],
  [{ type: 'reset', route: 'GET /threads/:id' }, 'expected {name} for an id in a route'],
  [{ type: 'reset', route: '/threads/*/runs' }, 'expected * at the end'],
  [
    { type: 'reset', route: 'POST /thread' },
    'Field "route": expected a route of the mock server, such as POST /threads, GET /threads, POST /runs, received "POST /thread"',
  ],
  [{ type: 'reset', route: 'FETCH /threads' }, 'such as GET /threads, POST /threads,'],
  [{ type: 'reset', route: 'POST /threads/serach' }, 'such as POST /threads/search,'],
  [{ type: 'reset', route: 'OPTIONS /threads' }, 'such as GET /threads, POST /threads,'],
  [{ type: 'reset', route: '/thread/*' }, 'such as /threads/*,'],
  [{ type: 'reset', route: '/threads*' }, 'such as /threads,'],
  [{ type: 'reset', route: '/threads/{thread_id}/run/{run_id}' }, 'such as /threads/{thread_id}/runs/{run_id},'],
  [{ type: 'reset', route: '/api/v1/bulk-export/*' }, 'such as /api/v1/bulk-exports/*,'],
  [{ type: 'reset', route: 'PATCH /api/v1/bulk-exports' }, 'such as GET /api/v1/bulk-exports,'],
  [{ type: 'reset', route: 'FETCH /store/items' }, 'such as'],
  [{ type: 'reset', nth: 0 }, 'Field "nth"'],
  [{ type: 'reset', nth: 1, first: 2 }, 'expected at most one of nth, first and from'],
  [{ type: 'reset', probability: 7 }, 'Field "probability"'],
  [{ type: 'status', status: 500, headers: { 'a b': 'c' } }, 'headers'],
  [{ type: 'status', status: 500, headers: { a: 'c\r\nd: e' } }, 'expected the value of a header'],
])('rejects the fault %j with a message', (fault, message) => {
  expect(() => createMockServer({ faults: [fault as Fault] })).toThrow(message)
  const mock = createMockServer()
  expect(() => mock.faults.add(fault as Fault)).toThrow(TypeError)
  expect(mock.faults.list()).toEqual([])
})
