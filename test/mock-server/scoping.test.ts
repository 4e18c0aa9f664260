import { expect, test } from 'vitest'
import { testGraphsAuth } from '../../mock-server/deployment/auth/test-auth.ts'
import { createMockServer, type MockServer } from '../../mock-server/index.ts'
import { clientOf, type MockClient, say } from '../fixtures/mock-client.ts'
import { auth as sdkAuth } from '../fixtures/sdk-auth.ts'

const as = (mock: MockServer, name: string): MockClient =>
  clientOf(mock, { authorization: `Bearer touchstone-${name}` })

test('returns 401 with the reason without credentials, except for endpoints about the server', async () => {
  const { send } = clientOf(createMockServer({ auth: testGraphsAuth }))
  for (const path of ['/threads', '/threads/x/runs', '/threads/x/state', '/assistants/x', '/nowhere']) {
    const response = await send('GET', path)
    expect(response.status).toBe(401)
    expect(await response.text()).toContain('touchstone-kit: no valid token')
  }
  for (const path of ['/threads', '/threads/x/runs', '/threads/x/runs/stream', '/assistants', '/assistants/search']) {
    expect((await send('POST', path, {})).status).toBe(401)
  }
  for (const path of ['/ok', '/info', '/openapi.json']) expect((await send('GET', path)).status).toBe(200)
})

test('passes the user to the graph', async () => {
  const { thread, run, ended, contents, state } = as(createMockServer({ auth: testGraphsAuth }), 'alice')
  const created = await thread()
  const started = await run(created, { assistant_id: 'whoami', config: { configurable: { user_id: 'root' } } })
  const user = {
    identity: 'alice',
    role: 'author',
    org_id: 'org-1',
    permissions: [],
    header_names: expect.arrayContaining(['authorization', 'content-type']),
  }
  expect(started.kwargs.config.configurable).toMatchObject({
    user_id: 'alice',
    graph_auth_user: user,
    langgraph_auth_user: user,
  })
  await ended(started)
  expect(JSON.parse(String((await contents(created))[0]))).toMatchObject({ user, configurable: { user_id: 'alice' } })
  expect((await state(created)).metadata['user_id']).toBe('alice')
})

test('keeps metadata that the handler adds', async () => {
  const { thread, run, post } = as(createMockServer({ auth: testGraphsAuth }), 'alice')
  const created = await thread({ metadata: { topic: 'tea' } })
  expect(created.metadata).toEqual({ topic: 'tea', owner: 'alice' })
  expect(await run(created, { assistant_id: 'echo' })).toMatchObject({ metadata: { owner: 'alice' } })
  expect(await post('/assistants', { graph_id: 'echo' })).toMatchObject({ metadata: { owner: 'alice' } })
})

test('returns 404 for resources of another user and omits them from lists', async () => {
  const mock = createMockServer({ auth: testGraphsAuth })
  const alice = as(mock, 'alice')
  const bob = as(mock, 'bob')
  const { thread_id, ...thread } = await alice.thread()
  const { run_id } = await alice.run({ thread_id, ...thread }, { assistant_id: 'echo', ...say('A') })
  const { assistant_id } = await alice.post<{ assistant_id: string }>('/assistants', { graph_id: 'echo' })
  const runs = `/threads/${thread_id}/runs`
  const reads = [
    runs,
    `${runs}/${run_id}`,
    `${runs}/${run_id}/join`,
    `${runs}/${run_id}/stream`,
    `/threads/${thread_id}/state`,
    `/assistants/${assistant_id}`,
  ]
  for (const path of reads) {
    expect((await alice.send('GET', path)).status).toBe(200)
    expect((await bob.send('GET', path)).status).toBe(404)
  }
  for (const path of [runs, `${runs}/stream`]) {
    expect((await bob.send('POST', path, { assistant_id: 'echo', if_not_exists: 'create' })).status).toBe(404)
  }
  const own = await bob.thread()
  expect((await bob.send('POST', `/threads/${own.thread_id}/runs`, { assistant_id })).status).toBe(404)
  expect((await bob.send('POST', '/threads', { thread_id, if_exists: 'do_nothing' })).status).toBe(409)
  expect(await bob.get('/threads')).toMatchObject([{ thread_id: own.thread_id }])
  expect(await alice.get('/threads')).toMatchObject([{ thread_id }])
  expect(await bob.post('/assistants/search', { limit: 100 })).toEqual([])
  expect(await alice.post('/assistants/search', { limit: 100 })).toMatchObject([{ assistant_id }])
})

test('scopes the additional endpoints of the public SDK', async () => {
  const mock = createMockServer({ auth: testGraphsAuth })
  const alice = as(mock, 'alice')
  const bob = as(mock, 'bob')
  const thread = await alice.thread({ metadata: { graph_id: 'echo' } })
  const run = await alice.run(thread, { assistant_id: 'echo', ...say('A') })
  await alice.ended(run)
  const { checkpoint_id } = await alice.state(thread)
  const { assistant_id } = await alice.post<{ assistant_id: string }>('/assistants', { graph_id: 'echo' })
  const path = `/threads/${thread.thread_id}`
  const calls: readonly [string, string, unknown?][] = [
    ['GET', path],
    ['PATCH', path, { metadata: { a: 1 } }],
    ['POST', `${path}/copy`, {}],
    ['POST', `${path}/state`, { values: {} }],
    ['GET', `${path}/state/${checkpoint_id}`],
    ['POST', `${path}/state/checkpoint`, { checkpoint: { checkpoint_id } }],
    ['GET', `${path}/history`],
    ['POST', `${path}/history`, {}],
    ['GET', `${path}/stream`],
    ['POST', `${path}/runs/wait`, { assistant_id: 'echo' }],
    ['GET', `/runs/${run.run_id}/stream`],
    ['GET', `/assistants/${assistant_id}/graph`],
    ['GET', `/assistants/${assistant_id}/schemas`],
    ['GET', `/assistants/${assistant_id}/subgraphs`],
    ['PATCH', `/assistants/${assistant_id}`, { name: 'Mine' }],
    ['POST', `/assistants/${assistant_id}/versions`, {}],
    ['POST', `/assistants/${assistant_id}/latest`, { version: 1 }],
    ['DELETE', `${path}/runs/${run.run_id}`],
    ['DELETE', path],
    ['DELETE', `/assistants/${assistant_id}`],
  ]
  const anonymous = clientOf(mock)
  for (const [method, requestPath, body] of calls) {
    expect((await anonymous.send(method, requestPath, body)).status, `${method} ${requestPath}`).toBe(401)
    expect((await bob.send(method, requestPath, body)).status, `${method} ${requestPath}`).toBe(404)
    const response = await alice.send(method, requestPath, body)
    expect(response.ok, `${method} ${requestPath}`).toBe(true)
    await response.body?.cancel()
  }
})

test('searches, counts and bulk changes exclude resources of other users', async () => {
  const mock = createMockServer({ auth: testGraphsAuth })
  const alice = as(mock, 'alice')
  const bob = as(mock, 'bob')
  const thread = await alice.thread()
  const { run_id } = await alice.run(thread, {
    assistant_id: 'slow',
    ...say('A'),
    config: { configurable: { delay_ms: 60_000 } },
  })
  const { thread_id } = thread
  await alice.post('/assistants', { graph_id: 'echo' })

  expect(await bob.post('/threads/search', {})).toEqual([])
  expect(await bob.post('/threads/count', {})).toBe(0)
  expect(await bob.post('/assistants/count', {})).toBe(0)
  expect(await bob.post('/threads/prune', { thread_ids: [thread_id] })).toEqual({ pruned_count: 0 })
  expect((await bob.send('POST', '/runs/cancel', { thread_id, run_ids: [run_id] })).status).toBe(404)
  expect((await bob.send('POST', '/runs/cancel', { status: 'all' })).status).toBe(404)

  expect(await alice.post('/threads/search', {})).toMatchObject([{ thread_id, status: 'busy' }])
  expect(await alice.post('/threads/count', {})).toBe(1)
  expect(await alice.post('/assistants/count', {})).toBe(1)
  expect((await alice.send('POST', '/runs/cancel', { status: 'all' })).status).toBe(204)
  expect(await alice.post('/threads/prune', { thread_ids: [thread_id] })).toEqual({ pruned_count: 1 })
})

test('stateless runs, copies and created threads belong to their creator', async () => {
  const { post, thread, get } = as(createMockServer({ auth: testGraphsAuth }), 'alice')
  const kept = await post<{ thread_id: string }>('/runs', { assistant_id: 'echo', on_completion: 'keep', ...say('A') })
  expect(await get(`/threads/${kept.thread_id}`)).toMatchObject({ metadata: { owner: 'alice', graph_id: 'echo' } })
  const { thread_id } = await thread({ metadata: { topic: 'tea' } })
  expect(await post(`/threads/${thread_id}/copy`, {})).toMatchObject({ metadata: { owner: 'alice', topic: 'tea' } })
})

test('pages are full even if other users own items in between', async () => {
  const mock = createMockServer({ auth: testGraphsAuth })
  for (let count = 0; count < 5; count++) {
    await as(mock, 'alice').thread()
    await as(mock, 'bob').thread()
  }
  expect(await as(mock, 'alice').get('/threads?limit=4')).toHaveLength(4)
})

test('users of the visual development UI have access to everything', async () => {
  const mock = createMockServer({ auth: testGraphsAuth })
  await as(mock, 'alice').thread()
  await as(mock, 'bob').thread()
  const studio = clientOf(mock, { 'x-auth-scheme': 'langsmith' })
  expect(await studio.get('/threads')).toHaveLength(2)
  expect(await studio.thread()).toMatchObject({ metadata: {} })
})

test('accepts the Auth object of the public SDK', async () => {
  const mock = createMockServer({ auth: sdkAuth })
  expect((await clientOf(mock).send('GET', '/threads')).status).toBe(401)
  const { thread, run, ended, contents } = clientOf(mock, { authorization: 'Bearer open-sesame' })
  const created = await thread()
  expect(created.metadata).toEqual({ owner: 'alibaba' })
  await ended(await run(created, { assistant_id: 'whoami' }))
  expect(JSON.parse(String((await contents(created))[0]))).toMatchObject({ user: { role: 'woodcutter' } })
})

test('returns 403 without a change when a handler denies access', async () => {
  const mock = createMockServer({
    auth: {
      authenticate: () => ({ identity: 'ann' }),
      callbacks: { 'threads:create_run': () => false },
    },
  })
  const { thread, send, get } = clientOf(mock)
  const { thread_id } = await thread()
  expect((await send('POST', `/threads/${thread_id}/runs`, { assistant_id: 'echo' })).status).toBe(403)
  expect(await get(`/threads/${thread_id}/runs`)).toEqual([])
})
