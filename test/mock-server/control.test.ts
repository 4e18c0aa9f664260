import { expect, test } from 'vitest'
import { withControlPlane } from '../../mock-server/control/control-plane.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { controlClient } from '../fixtures/control-client.ts'

const START = Date.UTC(2026, 0, 1)
/** A mock server with a control plane, and a function that sends requests to both. */
function controlled() {
  const mock = createMockServer({ clock: manualClock(START) })
  return { mock, call: controlClient(mock).call }
}

test('reads and advances the clock', async () => {
  const { mock, call } = controlled()
  expect(await call('GET', '/__touchstone/clock')).toEqual({ status: 200, body: { now: START } })
  const sleep = mock.clock.sleep(60_000)
  expect((await call('POST', '/__touchstone/clock', { advance_ms: 60_000 })).body).toEqual({ now: START + 60_000 })
  await sleep
})

test('shows when the next timer is due', async () => {
  const { mock, call } = controlled()
  mock.clock.after(5000, () => undefined)
  mock.clock.after(2000.5, () => undefined)
  expect((await call('GET', '/__touchstone/clock')).body).toEqual({ now: START, next: START + 2001 })
  expect((await call('POST', '/__touchstone/clock', { advance_ms: 2001 })).body).toEqual({
    now: START + 2001,
    next: START + 5000,
  })
})

test('reset deletes everything', async () => {
  const { call } = controlled()
  const thread = (await call('POST', '/threads', {})).body
  expect((await call('GET', `/threads/${thread.thread_id}/runs`)).status).toBe(200)
  expect(await call('POST', '/__touchstone/reset')).toEqual({ status: 200, body: {} })
  expect((await call('GET', `/threads/${thread.thread_id}/runs`)).status).toBe(404)
})

test('the same seed produces the same ids', async () => {
  const { call } = controlled()
  const idAfterSeed = async (seed: string | number): Promise<string> => {
    expect((await call('POST', '/__touchstone/seed', { seed })).status).toBe(200)
    return (await call('POST', '/threads', {})).body.thread_id
  }
  const first = await idAfterSeed('a')
  expect(await idAfterSeed('b')).not.toBe(first)
  expect(await idAfterSeed('a')).toBe(first)
})

test('restores a snapshot any number of times', async () => {
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

test('keeps only the newest 16 snapshots', async () => {
  const { call } = controlled()
  const ids: string[] = []
  for (let count = 0; count < 17; count++) ids.push((await call('POST', '/__touchstone/snapshot')).body.snapshot)
  const [oldest, next] = ids
  expect((await call('POST', '/__touchstone/restore', { snapshot: oldest })).status).toBe(404)
  expect((await call('POST', '/__touchstone/restore', { snapshot: next })).status).toBe(200)
})

test.each(['', 'Bearer', 'Bearer let-me-stee', 'Bearer let-me-steer2', 'Basic let-me-steer'])(
  'returns 401 for the authorization %j and changes nothing',
  async (authorization) => {
    const { mock, call } = controlled()
    const response = await call('POST', '/__touchstone/clock', { advance_ms: 1_000 }, { authorization })
    expect(response).toEqual({ status: 401, body: { detail: 'The control plane needs its bearer token' } })
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
])('POST %s rejects %j with a message', async (path, body, message) => {
  const response = await controlled().call('POST', path, body)
  expect(response.status).toBeGreaterThanOrEqual(400)
  expect(response.status).toBeLessThan(500)
  expect(response.body.detail).toContain(message)
})

test('rejects an empty token', () => {
  expect(() => withControlPlane(createMockServer(), { token: '' })).toThrow('token for the control plane')
})

test('without a control plane, the error names the options that enable it', async () => {
  const response = await createMockServer().fetch('/__touchstone/')
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({
    detail: 'There is no endpoint GET /__touchstone; start the server with --ui or --control-token',
  })
})
