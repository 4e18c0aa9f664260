import { expect, test } from 'vitest'
import { createMockServer } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { clientOf, say, type ThreadBody } from '../fixtures/mock-client.ts'

test('a new thread has every documented field', async () => {
  const mock = createMockServer({ clock: manualClock(Date.UTC(2026, 0, 31, 8)) })
  const { send } = clientOf(mock)
  const response = await send('POST', '/threads', {})
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    thread_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    created_at: '2026-01-31T08:00:00.000000+00:00',
    updated_at: '2026-01-31T08:00:00.000000+00:00',
    metadata: {},
    status: 'idle',
    config: {},
    values: null,
  })
})

test('a listed thread contains the values of its last run', async () => {
  const { thread, run, ended, get, state } = clientOf(createMockServer())
  const created = await thread()
  await ended(await run(created, { assistant_id: 'echo', ...say('hi') }))
  const [listed] = await get<ThreadBody[]>('/threads')
  expect(listed).toMatchObject({ thread_id: created.thread_id, status: 'idle' })
  expect(listed?.values).toEqual((await state(created)).values)
})

test('lists threads newest first, in pages', async () => {
  const { thread, get } = clientOf(createMockServer())
  const ids: string[] = []
  for (let count = 0; count < 12; count++) ids.unshift((await thread()).thread_id)
  const page = async (query: string): Promise<string[]> =>
    (await get<ThreadBody[]>(`/threads${query}`)).map(({ thread_id }) => thread_id)
  expect(await page('')).toEqual(ids.slice(0, 10))
  expect(await page('?limit=3&offset=2')).toEqual(ids.slice(2, 5))
  expect(await page('?limit=5&offset=11')).toEqual(ids.slice(11))
})

test('accepts an id and metadata', async () => {
  const { thread, send } = clientOf(createMockServer())
  const thread_id = '6f2ab1c4-9a3e-4b51-8f9a-0c5a7d1e2f30'
  const created = await thread({ thread_id, metadata: { topic: 'tea' } })
  expect(created).toMatchObject({ thread_id, metadata: { topic: 'tea' } })
  expect((await send('POST', '/threads', { thread_id })).status).toBe(409)
  expect(await thread({ thread_id, metadata: { topic: 'rum' }, if_exists: 'do_nothing' })).toEqual(created)
})

test('a thread is busy until all its runs end', async () => {
  const clock = manualClock(0)
  const { thread, run, get, ended } = clientOf(createMockServer({ clock }))
  const created = await thread()
  const status = async (): Promise<unknown> => (await get<ThreadBody[]>('/threads'))[0]?.status
  const first = await run(created, { assistant_id: 'slow', ...say('A') })
  const second = await run(created, { assistant_id: 'slow', multitask_strategy: 'enqueue', ...say('B') })
  expect(await status()).toBe('busy')
  await clock.advance(1500)
  await ended(first)
  expect(await status()).toBe('busy')
  await clock.advance(1500)
  await ended(second)
  expect(await status()).toBe('idle')
})

test('a failed run sets the status error, and a successful run sets idle', async () => {
  const { thread, run, ended, get } = clientOf(createMockServer())
  const created = await thread()
  await ended(await run(created, { assistant_id: 'fail', ...say('A') }))
  expect((await get<ThreadBody[]>('/threads'))[0]?.status).toBe('error')
  await ended(await run(created, { assistant_id: 'echo', ...say('B') }))
  expect((await get<ThreadBody[]>('/threads'))[0]?.status).toBe('idle')
})
