import { Client } from '@langchain/langgraph-sdk'
import { expect, test } from 'vitest'
import { withControlPlane } from '../../mock-server/control/control-plane.ts'
import { asFetch } from '../../mock-server/http/handler.ts'
import { createMockServer, type MockServerOptions } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { controlClient, TOKEN } from '../fixtures/control-client.ts'

const START = Date.UTC(2026, 0, 1)

/** Returns a function that sends requests as a session, or as none, to a server with sessions. */
function withSessions(options: MockServerOptions = {}) {
  const create = () => createMockServer({ journal: true, ...options, clock: manualClock(START) })
  const client = controlClient(create(), { createSession: create })
  return {
    closeSessions: client.closeSessions,
    call: (session: string | undefined, method: string, path: string, body?: unknown) =>
      client.call(method, path, body, session === undefined ? {} : { 'x-touchstone-session': session }),
  }
}

const control = '/__touchstone'

test('a session sees only its own threads and assistants', async () => {
  const { call } = withSessions()
  const { thread_id } = (await call('a', 'POST', '/threads', {})).body
  await call('a', 'POST', '/assistants', { graph_id: 'echo', name: 'mine', config: { tags: ['mine'] } })
  expect((await call('a', 'GET', `/threads/${thread_id}/state`)).status).toBe(200)
  for (const other of ['b', undefined]) {
    expect((await call(other, 'GET', `/threads/${thread_id}/state`)).status).toBe(404)
    expect((await call(other, 'POST', '/assistants/search', { limit: 100 })).body).toHaveLength(6)
  }
  expect((await call('a', 'POST', '/assistants/search', { limit: 100 })).body).toHaveLength(7)
})

test('a client of the SDK names its session in its default headers', async () => {
  const create = () => createMockServer()
  const { handle } = withControlPlane(create(), { token: TOKEN, createSession: create })
  const [ann, bob] = ['ann', 'bob'].map((session) => {
    const callerOptions = { fetch: asFetch(handle), maxRetries: 0 }
    return new Client({ apiUrl: 'http://mock', defaultHeaders: { 'x-touchstone-session': session }, callerOptions })
  })
  const thread = await ann?.threads.create()
  expect(await ann?.threads.get(thread?.thread_id ?? '')).toMatchObject({ thread_id: thread?.thread_id })
  await expect(bob?.threads.get(thread?.thread_id ?? '')).rejects.toThrow('404')
})

test('a session has its own scripts', async () => {
  const { call } = withSessions()
  await Promise.all(
    ['a', 'b', undefined].map(async (session) => {
      await call(session, 'PUT', `${control}/scripts/support`, [`Hello ${session}`])
      const { body } = await call(session, 'POST', '/runs/wait', { assistant_id: 'support', input: {} })
      expect(body.messages[0].content).toBe(`Hello ${session}`)
      expect((await call(session, 'GET', `${control}/scripts`)).body.scripts).toEqual([{ graph: 'support', taken: 1 }])
    }),
  )
  expect((await call('c', 'GET', `${control}/scripts`)).body.scripts).toEqual([])
})

test('a session has its own journal, faults and clock', async () => {
  const { call } = withSessions()
  await call('a', 'POST', `${control}/faults`, { type: 'status', status: 503 })
  await call('a', 'POST', `${control}/clock`, { advance_ms: 1000 })
  expect((await call('a', 'GET', '/ok')).status).toBe(503)
  expect((await call('b', 'GET', '/ok')).status).toBe(200)
  expect((await call('b', 'GET', `${control}/clock`)).body.now).toBe(START)
  expect((await call('a', 'GET', `${control}/journal`)).body.calls).toMatchObject([
    { status: 503, requestHeaders: { 'x-touchstone-session': 'a', authorization: '[redacted]' } },
  ])
  expect((await call('b', 'GET', `${control}/journal`)).body.calls).toMatchObject([{ status: 200 }])
  expect((await call(undefined, 'GET', `${control}/journal`)).body.calls).toEqual([])
})

test('reset, snapshots and the state are those of the session', async () => {
  const { call } = withSessions()
  const { thread_id } = (await call('a', 'POST', '/threads', {})).body
  const { snapshot } = (await call('a', 'POST', `${control}/snapshot`)).body
  const state = (await call('a', 'GET', `${control}/state`)).body
  await call('b', 'POST', `${control}/reset`)
  await call(undefined, 'POST', `${control}/reset`)
  expect((await call('b', 'POST', `${control}/restore`, { snapshot })).status).toBe(404)
  expect((await call('a', 'GET', `/threads/${thread_id}/state`)).status).toBe(200)
  await call('a', 'POST', `${control}/reset`)
  expect((await call('a', 'GET', `/threads/${thread_id}/state`)).status).toBe(404)

  expect((await call('b', 'PUT', `${control}/state`, state)).status).toBe(200)
  expect((await call('b', 'GET', `/threads/${thread_id}/state`)).status).toBe(200)
})

test('sessions exist from their first request until they are deleted', async () => {
  const { call } = withSessions()
  for (const session of ['a', 'b', 'a']) await call(session, 'GET', '/ok')
  await call('c', 'GET', `${control}/clock`)
  const list = async () => (await call(undefined, 'GET', `${control}/sessions`)).body
  expect(await list()).toEqual({
    sessions: [
      { session: 'a', requests: 2 },
      { session: 'b', requests: 1 },
      { session: 'c', requests: 1 },
    ],
  })
  expect(await call(undefined, 'DELETE', `${control}/sessions/a`)).toEqual({ status: 200, body: {} })
  expect(await call('b', 'DELETE', `${control}/sessions/a`)).toEqual({
    status: 404,
    body: { detail: 'There is no session "a"; GET sessions lists them' },
  })
  expect((await list()).sessions).toHaveLength(2)
  await call(undefined, 'DELETE', `${control}/sessions`)
  expect(await list()).toEqual({ sessions: [] })
})

test('deleting a session stops its runs', async () => {
  const { call } = withSessions()
  await call('a', 'PUT', `${control}/scripts/support`, [{ pause: 60_000 }])
  const waiting = call('a', 'POST', '/runs/wait', { assistant_id: 'support', input: {} })
  await call('a', 'GET', `${control}/journal/wait?until=arrived`)
  await call(undefined, 'DELETE', `${control}/sessions/a`)
  expect((await waiting).status).toBe(200)
  expect((await call('a', 'GET', `${control}/scripts`)).body.scripts).toEqual([])
})

test.each(['', 'a b', 'ä', 'a/b', 'x'.repeat(101)])('refuses the session name %j', async (name) => {
  const { call } = withSessions()
  expect(await call(encodeURI(name), 'GET', '/ok')).toEqual({
    status: 400,
    body: {
      detail: expect.stringMatching(
        /^x-touchstone-session: expected a name of 1 to 100 letters, digits, or any of \. _ : -, received "/,
      ),
    },
  })
})

test('refuses more than 1000 sessions', async () => {
  const { call, closeSessions } = withSessions({ journal: false })
  for (let count = 1; count <= 1000; count++) await call(`s${count}`, 'GET', '/ok')
  expect(await call('one-more', 'GET', '/ok')).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('expected the name of one of the 1000 sessions, which is the maximum') },
  })
  expect((await call('s7', 'GET', '/ok')).status).toBe(200)
  await call(undefined, 'DELETE', `${control}/sessions/s7`)
  expect((await call('one-more', 'GET', '/ok')).status).toBe(200)
  await closeSessions()
})

test('a request to the control plane without the token creates no session', async () => {
  const create = () => createMockServer()
  const { handle } = withControlPlane(create(), { token: TOKEN, createSession: create })
  const get = (path: string, headers: Record<string, string>) => handle(new Request(`http://mock${path}`, { headers }))
  expect((await get(`${control}/clock`, { 'x-touchstone-session': 'a' })).status).toBe(401)
  expect((await get(`${control}/sessions`, {})).status).toBe(401)
  const response = await get(`${control}/sessions`, { authorization: `Bearer ${TOKEN}` })
  expect(await response.json()).toEqual({ sessions: [] })
})

test('pages of any origin can use sessions', async () => {
  const create = () => createMockServer()
  const { handle } = withControlPlane(create(), { token: TOKEN, createSession: create })
  const get = (session: string) => {
    const headers = { origin: 'http://page.test', 'x-touchstone-session': session }
    return handle(new Request('http://mock/ok', { headers }))
  }
  for (const response of [await get('a'), await get('a b')]) {
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  }
})

test('the path of a session reads it without counting, and never creates one', async () => {
  const { call } = withSessions()
  await call('a:1', 'POST', '/threads', {})
  expect((await call(undefined, 'GET', `${control}/sessions/a%3A1/journal`)).body.calls).toHaveLength(1)
  expect(
    (await call(undefined, 'POST', `${control}/sessions/a:1/faults`, { type: 'status', status: 503 })).status,
  ).toBe(200)
  expect((await call('a:1', 'GET', '/ok')).status).toBe(503)
  expect((await call(undefined, 'GET', '/ok')).status).toBe(200)
  expect((await call(undefined, 'GET', `${control}/sessions`)).body.sessions).toEqual([{ session: 'a:1', requests: 2 }])

  expect(await call(undefined, 'GET', `${control}/sessions/b/journal`)).toEqual({
    status: 404,
    body: { detail: 'There is no session "b"; GET sessions lists them' },
  })
  expect((await call(undefined, 'GET', `${control}/sessions`)).body.sessions).toHaveLength(1)
})
