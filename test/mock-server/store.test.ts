import { expect, test } from 'vitest'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { clientOf } from '../fixtures/mock-client.ts'
import { sdkThread } from '../fixtures/sdk-thread.ts'

test('an item with a lifetime is gone after it, unless it is read', async () => {
  const clock = manualClock(Date.UTC(2026, 0, 1))
  const { client } = await sdkThread(createMockServer({ clock }))
  await client.store.putItem(['a'], 'k', { x: 1 }, { ttl: 2 })
  await clock.advance(90_000)
  expect(await client.store.getItem(['a'], 'k')).not.toBeNull()
  await clock.advance(90_000)
  expect(await client.store.getItem(['a'], 'k', { refreshTtl: false })).not.toBeNull()
  await clock.advance(60_000)
  expect(await client.store.getItem(['a'], 'k')).toBeNull()
  expect((await client.store.searchItems(['a'])).items).toEqual([])
})

test('items survive a dump and a snapshot', async () => {
  const mock = createMockServer()
  const { client } = await sdkThread(mock)
  await client.store.putItem(['a'], 'k', { x: 1 })
  const snapshot = mock.snapshot()
  const dump = mock.dump()
  await client.store.putItem(['a'], 'k', { x: 2 })
  mock.restore(snapshot)
  expect((await client.store.getItem(['a'], 'k'))?.value).toEqual({ x: 1 })

  const other = createMockServer()
  await other.load(dump)
  expect((await (await sdkThread(other)).client.store.getItem(['a'], 'k'))?.value).toEqual({ x: 1 })
})

test.each<[string, string, object, RegExp]>([
  ['PUT', '/store/items', { namespace: ['a.b'], key: 'k', value: {} }, /expected a label without periods/],
  ['PUT', '/store/items', { namespace: [], key: 'k', value: {} }, /expected at least one label/],
  ['PUT', '/store/items', { namespace: ['a'], key: 'k', value: 5 }, /expected an object, received 5/],
  ['PUT', '/store/items', { namespace: ['a'], value: {} }, /key/],
  ['POST', '/store/items/search', { namespace_prefix: ['a'], filter: { x: { $nope: 1 } } }, /\$eq, \$ne/],
  ['POST', '/store/items/search', { limit: 5 }, /namespace_prefix/],
  ['POST', '/store/namespaces', { max_depth: 0 }, /max_depth/],
])('refuses an invalid request: %s %s %j', async (method, path, body, message) => {
  for (const [dialect, status] of [
    ['spec', 422],
    ['agent-server', 422],
    ['js-dev', 400],
  ] as [DialectName, number][]) {
    const response = await clientOf(createMockServer({ dialect })).send(method, path, body)
    expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(message)])
  }
})

test('an authorization handler can separate the namespaces of users', async () => {
  const auth = {
    authenticate: (request: Request) => request.headers.get('x-user') ?? 'nobody',
    callbacks: {
      store: ({ user, value }: { user: { identity: string }; value: Record<string, unknown> }) => {
        value['namespace'] = [user.identity, ...((value['namespace'] ?? []) as string[])]
        return true
      },
    },
  }
  const mock = createMockServer({ auth })
  const ada = clientOf(mock, { 'x-user': 'ada' })
  const bob = clientOf(mock, { 'x-user': 'bob' })
  await ada.send('PUT', '/store/items', { namespace: ['notes'], key: 'k', value: { x: 1 } })
  expect(await ada.get('/store/items?namespace=notes&key=k')).toMatchObject({ namespace: ['ada', 'notes'] })
  expect(await bob.get('/store/items?namespace=notes&key=k')).toBeNull()
  expect(await bob.post('/store/items/search', { namespace_prefix: [] })).toEqual({ items: [] })
})
