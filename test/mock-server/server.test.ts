import { expect, test } from 'vitest'
import { createMockServer, defaultPolicies } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { clientOf, say } from '../fixtures/mock-client.ts'

test('reset deletes everything except default assistants and restarts ids from a seed', async () => {
  const clock = manualClock(0)
  const mock = createMockServer({ clock })
  const { thread, run, get, post, send } = clientOf(mock)
  const created = await thread()
  await run(created, { assistant_id: 'slow', ...say('A') })
  await post('/assistants', { graph_id: 'echo' })
  mock.reset('tea')
  expect(await get('/threads')).toEqual([])
  expect(await post('/assistants/search', {})).toHaveLength(6)
  expect((await send('GET', `/threads/${created.thread_id}/state`)).status).toBe(404)
  const first = await thread()
  mock.reset('tea')
  expect(await thread()).toEqual(first)
})

test('restores a snapshot any number of times, and snapshot throws while a run is active', async () => {
  const clock = manualClock(0)
  const mock = createMockServer({ clock, startDelayMs: 2 })
  const { thread, run, contents, get, reload } = clientOf(mock)
  const created = await thread()
  const kept = await run(created, { assistant_id: 'echo', ...say('A') })
  expect(() => mock.snapshot()).toThrow('no run is in flight')
  await clock.advance(10)
  const snapshot = mock.snapshot()
  for (const text of ['B', 'C']) {
    await run(created, { assistant_id: 'echo', ...say(text) })
    await clock.advance(10)
    await thread()
    expect(await contents(created)).toEqual(['A', 'first: A', 'second: A', text, `first: ${text}`, `second: ${text}`])
    await run(created, { assistant_id: 'slow', ...say('lost') })
    mock.restore(snapshot)
    expect(await contents(created)).toEqual(['A', 'first: A', 'second: A'])
    expect(await get('/threads')).toMatchObject([{ thread_id: created.thread_id, status: 'idle' }])
    expect((await reload(kept)).status).toBe('success')
  }
  expect(() => mock.restore({})).toThrow('a snapshot that this server has taken')
})

test('close stops active runs and ends open streams', async () => {
  const mock = createMockServer()
  const { thread, send, get } = clientOf(mock)
  const { thread_id } = await thread()
  const response = await send('POST', `/threads/${thread_id}/runs/stream`, { assistant_id: 'slow', ...say('A') })
  await mock.close()
  expect(await response.text()).toContain('event: metadata')
  expect(await get(`/threads/${thread_id}/runs`)).toMatchObject([{ status: 'interrupted' }])
})

test('policies can be replaced individually', async () => {
  const { presentRun, multitask } = defaultPolicies
  const mock = createMockServer({
    policies: {
      presentRun: (run, dialect) => ({ ...presentRun(run, dialect), status: 'unheard-of' }),
      multitask: { ...multitask, reject: multitask.enqueue },
    },
  })
  const { thread, run } = clientOf(mock)
  const created = await thread()
  for (let count = 0; count < 2; count++) {
    expect(await run(created, { assistant_id: 'echo' })).toMatchObject({
      status: 'unheard-of',
      kwargs: { webhook: null },
    })
  }
})

test('returns 405 for a wrong method and 404 for an unknown route', async () => {
  const { send } = clientOf(createMockServer())
  const wrongMethod = await send('DELETE', '/threads')
  expect(wrongMethod.status).toBe(405)
  expect(wrongMethod.headers.get('allow')).toBe('POST, GET')
  expect((await send('GET', '/nowhere')).status).toBe(404)
})

test('rejects __proto__ as a key and accepts similar keys as data', async () => {
  const { thread, send } = clientOf(createMockServer())
  const body = '{"metadata": {"__proto__": {"polluted": true}}}'
  const response = await createMockServer().fetch(new Request('http://mock/threads', { method: 'POST', body }))
  expect(response.status).toBe(422)
  const metadata = { constructor: { prototype: { polluted: true } }, toString: 'x', hasOwnProperty: 1 }
  expect((await thread({ metadata })).metadata).toEqual(metadata)
  expect({}).not.toHaveProperty('polluted')
  for (const path of ['/threads/__proto__/state', '/threads/%00/state', '/threads/%zz/runs', '/assistants/..%2f']) {
    const { status } = await send('GET', path)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
  }
})

test.each<[string, object]>([
  ['Unknown option jurnal: expected one of graphs, auth, dialect,', { jurnal: true }],
  ['dialect: expected one of spec, agent-server, js-dev, received "jsdev"', { dialect: 'jsdev' }],
  ['Graph "bot": expected a graph created with defineGraph, received function', { graphs: { bot: () => 'hi' } }],
  ['startDelayMs: expected a number of milliseconds from 0, received "2"', { startDelayMs: '2' }],
  ['Unknown option export.buckets: expected one of keys, selfHosted,', { export: { buckets: 'memory' } }],
  ['export.privateAddresses: expected "allow" or "refuse", received "deny"', { export: { privateAddresses: 'deny' } }],
])('rejects invalid options: %s', (message, options) => {
  expect(() => createMockServer(options)).toThrow(message)
})
