import { expect, test } from 'vitest'
import { withControlPlane } from '../../mock-server/control/routes.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/manual-clock.ts'

const START = Date.UTC(2026, 0, 1)
const token = 'let-me-steer'

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about
  readonly body: any
}

type Call = (method: string, path: string, body?: unknown, authorization?: string) => Promise<Answer>

/** A mock with a control plane, and a function that calls either. */
function controlled(): { mock: ReturnType<typeof createMockServer>; call: Call } {
  const mock = createMockServer({ clock: manualClock(START) })
  const server = withControlPlane(mock, { token })
  return {
    mock,
    call: async (method, path, body, authorization = `Bearer ${token}`) => {
      const init = body === undefined ? {} : { body: JSON.stringify(body) }
      const response = await server.answer(
        new Request(`http://mock.test${path}`, { method, headers: { authorization }, ...init }),
      )
      return { status: response.status, body: await response.json() }
    },
  }
}

test('the clock is read and moved', async () => {
  const { mock, call } = controlled()
  expect(await call('GET', '/__touchstone/clock')).toEqual({ status: 200, body: { now: START } })
  const slept = mock.clock.sleep(60_000)
  expect((await call('POST', '/__touchstone/clock', { advance_ms: 60_000 })).body).toEqual({ now: START + 60_000 })
  await slept
})

test('a reset forgets everything', async () => {
  const { call } = controlled()
  const thread = (await call('POST', '/threads', {})).body
  expect((await call('GET', `/threads/${thread.thread_id}/runs`)).status).toBe(200)
  expect(await call('POST', '/__touchstone/reset')).toEqual({ status: 200, body: {} })
  expect((await call('GET', `/threads/${thread.thread_id}/runs`)).status).toBe(404)
})

test('a seed makes ids repeat', async () => {
  const { call } = controlled()
  const idAfterSeed = async (seed: string | number): Promise<string> => {
    expect((await call('POST', '/__touchstone/seed', { seed })).status).toBe(200)
    return (await call('POST', '/threads', {})).body.thread_id
  }
  const first = await idAfterSeed('a')
  expect(await idAfterSeed('b')).not.toBe(first)
  expect(await idAfterSeed('a')).toBe(first)
})

test('a snapshot puts back what was there when it was taken, as often as wanted', async () => {
  const { call } = controlled()
  const before = (await call('POST', '/threads', {})).body.thread_id
  const { snapshot } = (await call('POST', '/__touchstone/snapshot')).body
  for (const _ of [1, 2]) {
    const after = (await call('POST', '/threads', {})).body.thread_id
    expect((await call('POST', '/__touchstone/restore', { snapshot })).status).toBe(200)
    expect((await call('GET', `/threads/${before}/runs`)).status).toBe(200)
    expect((await call('GET', `/threads/${after}/runs`)).status).toBe(404)
  }
})

test('only the newest snapshots are kept', async () => {
  const { call } = controlled()
  const ids: string[] = []
  for (let taken = 0; taken < 17; taken++) ids.push((await call('POST', '/__touchstone/snapshot')).body.snapshot)
  const [oldest, next] = ids
  expect((await call('POST', '/__touchstone/restore', { snapshot: oldest })).status).toBe(404)
  expect((await call('POST', '/__touchstone/restore', { snapshot: next })).status).toBe(200)
})

test.each(['', 'Bearer', 'Bearer let-me-stee', 'Bearer let-me-steer2', 'Basic let-me-steer'])(
  'a request with the authorization %j is refused and does nothing',
  async (authorization) => {
    const { mock, call } = controlled()
    const answer = await call('POST', '/__touchstone/clock', { advance_ms: 1_000 }, authorization)
    expect(answer).toEqual({ status: 401, body: { detail: 'The control plane needs its bearer token' } })
    expect(mock.clock.now()).toBe(START)
  },
)

test.each([
  ['/__touchstone/clock', {}, 'Field "advance_ms"'],
  ['/__touchstone/clock', { advance_ms: -1 }, 'received -1'],
  ['/__touchstone/clock', { advance_ms: 1e300 }, 'Field "advance_ms"'],
  ['/__touchstone/seed', { seed: null }, 'Field "seed": expected a text or a number, received null'],
  ['/__touchstone/restore', { snapshot: 7 }, 'Field "snapshot": expected string, received 7'],
  ['/__touchstone/restore', { snapshot: 'none' }, 'There is no snapshot "none"'],
  ['/__touchstone/nothing', {}, 'There is no POST /__touchstone/nothing'],
])('POST %s with %j is refused in words', async (path, body, words) => {
  const answer = await controlled().call('POST', path, body)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(500)
  expect(answer.body.detail).toContain(words)
})

test('is not there unless asked for', async () => {
  const mock = createMockServer()
  const response = await mock.fetch(
    new Request('http://mock.test/__touchstone/clock', { headers: { authorization: `Bearer ${token}` } }),
  )
  expect(response.status).toBe(404)
})

test('an empty token is refused', () => {
  expect(() => withControlPlane(createMockServer(), { token: '' })).toThrow('needs a token')
})
