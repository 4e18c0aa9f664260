import { expect, test } from 'vitest'
import { createMockServer } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { defaultAssistantId } from '../../mock-server/runtime/ids.ts'
import { clientOf, type RunBody, say } from '../fixtures/mock-client.ts'

test('a new run is pending, also at the first poll, before it succeeds', async () => {
  const clock = manualClock(0)
  const { thread, run, reload } = clientOf(createMockServer({ clock, startDelayMs: 2 }))
  const created = await run(await thread(), { assistant_id: 'echo', ...say('hi') })
  expect(created.status).toBe('pending')
  expect((await reload(created)).status).toBe('pending')
  await clock.advance(10)
  expect((await reload(created)).status).toBe('success')
})

test('a run has every documented field, including those of kwargs', async () => {
  const { thread, run } = clientOf(createMockServer())
  const { thread_id, ...rest } = await thread()
  const assistant_id = defaultAssistantId('echo')
  const created = await run({ thread_id, ...rest }, { assistant_id: 'echo', ...say('hi') })
  expect(created).toEqual({
    run_id: expect.any(String),
    thread_id,
    assistant_id,
    created_at: expect.any(String),
    updated_at: created['created_at'],
    metadata: {},
    status: 'pending',
    multitask_strategy: 'reject',
    kwargs: {
      input: { messages: [{ role: 'user', content: 'hi' }] },
      config: {
        metadata: { created_by: 'system' },
        configurable: {
          run_id: created.run_id,
          user_id: '',
          graph_id: 'echo',
          thread_id,
          assistant_id,
          checkpoint_id: null,
        },
      },
      webhook: null,
      temporary: false,
      stream_mode: ['values'],
      feedback_keys: null,
      interrupt_after: null,
      interrupt_before: null,
    },
  })
})

test('a run contains the fields of the caller, who cannot override fields of the server', async () => {
  const { thread, run } = clientOf(createMockServer())
  const created = await run(await thread(), {
    assistant_id: 'echo',
    metadata: { a: 1 },
    stream_mode: 'updates',
    webhook: 'http://localhost:9/hook',
    interrupt_before: ['second'],
    multitask_strategy: 'enqueue',
    config: {
      tags: ['t'],
      metadata: { b: 2, created_by: 'me' },
      configurable: { c: 3, user_id: 'root', run_id: 'mine', graph_auth_user: { identity: 'root' } },
    },
  })
  expect(created).toMatchObject({
    metadata: { a: 1 },
    multitask_strategy: 'enqueue',
    kwargs: {
      stream_mode: ['updates'],
      webhook: 'http://localhost:9/hook',
      interrupt_before: ['second'],
      config: { tags: ['t'], metadata: { b: 2, created_by: 'system' }, configurable: { c: 3, user_id: '' } },
    },
  })
  expect(created.kwargs.config.configurable['run_id']).toBe(created.run_id)
  expect(created.kwargs.config.configurable).not.toHaveProperty('graph_auth_user')
})

test('a run without input executes on the current state', async () => {
  const { thread, run, ended, contents } = clientOf(createMockServer())
  const created = await thread()
  expect((await ended(await run(created, { assistant_id: 'echo' }))).status).toBe('success')
  expect(await contents(created)).toEqual(['first: ', 'second: '])
})

test('lists runs newest first, by page and status', async () => {
  const { thread, run, ended, get } = clientOf(createMockServer())
  const created = await thread()
  const path = `/threads/${created.thread_id}/runs`
  expect(await get(path)).toEqual([])
  const ids: string[] = []
  for (const assistant_id of ['echo', 'fail', 'echo', 'echo']) {
    ids.unshift((await ended(await run(created, { assistant_id, ...say('hi') }))).run_id)
  }
  const list = async (query: string): Promise<string[]> =>
    (await get<RunBody[]>(path + query)).map(({ run_id }) => run_id)
  expect(await list('')).toEqual(ids)
  expect(await list('?limit=2&offset=1')).toEqual(ids.slice(1, 3))
  expect(await list('?status=error')).toEqual([ids[2]])
  expect(await list('?status=pending')).toEqual([])
})

test('join returns the final values to any number of clients, any number of times', async () => {
  const clock = manualClock(0)
  const { thread, run, get, state, reload } = clientOf(createMockServer({ clock }))
  const created = await thread()
  const started = await run(created, { assistant_id: 'slow', ...say('A') })
  const path = `/threads/${created.thread_id}/runs/${started.run_id}/join`
  const joiners = [get(path), get(path), get(path)]
  let resolved = 0
  for (const joiner of joiners) void joiner.then(() => resolved++)
  await clock.advance(900)
  expect(resolved).toBe(0)
  expect((await reload(started)).status).toBe('pending')
  await clock.advance(200)
  const { values } = await state(created)
  expect(await Promise.all(joiners)).toEqual([values, values, values])
  expect(await get(path)).toEqual(values)
})

test('join of a failed run returns its error every time', async () => {
  const { thread, run, ended, get } = clientOf(createMockServer())
  const failed = await ended(await run(await thread(), { assistant_id: 'fail', ...say('A') }))
  expect(failed.status).toBe('error')
  expect(await get(`/threads/${failed.thread_id}/runs/${failed.run_id}/join`)).toEqual({
    __error__: { error: 'Error', message: 'this graph always fails' },
  })
})

test('in dialects of public servers an executing run is pending at the first poll, then running', async () => {
  const clock = manualClock(0)
  const { thread, run, reload, get } = clientOf(createMockServer({ clock, dialect: 'agent-server' }))
  const started = await run(await thread(), { assistant_id: 'slow', ...say('A') })
  expect(started.status).toBe('pending')
  await clock.advance(10)
  expect((await reload(started)).status).toBe('pending')
  expect((await reload(started)).status).toBe('running')
  expect(await get(`/threads/${started.thread_id}/runs?status=running`)).toHaveLength(1)
})

test('a run can create its thread and start later', async () => {
  const clock = manualClock(0)
  const { send, reload } = clientOf(createMockServer({ clock }))
  const path = '/threads/6f2ab1c4-9a3e-4b51-8f9a-0c5a7d1e2f30/runs'
  expect((await send('POST', path, { assistant_id: 'echo' })).status).toBe(404)
  const body = { assistant_id: 'echo', if_not_exists: 'create', after_seconds: 60 }
  const created: RunBody = JSON.parse(await (await send('POST', path, body)).text())
  await clock.advance(59_000)
  expect((await reload(created)).status).toBe('pending')
  await clock.advance(2_000)
  expect((await reload(created)).status).toBe('success')
})

test('a run can stop before a node, and a run without input continues from there', async () => {
  const { thread, run, ended, state, contents } = clientOf(createMockServer())
  const created = await thread()
  const stopped = await ended(await run(created, { assistant_id: 'echo', interrupt_before: ['second'], ...say('A') }))
  expect(stopped.status).toBe('success')
  expect((await state(created)).next).toEqual(['second'])
  await ended(await run(created, { assistant_id: 'echo' }))
  expect((await state(created)).next).toEqual([])
  expect(await contents(created)).toEqual(['A', 'first: A', 'second: A'])
})

test('a run can start from an earlier checkpoint of its thread', async () => {
  const { thread, run, ended, state, contents, send } = clientOf(createMockServer())
  const created = await thread()
  await ended(await run(created, { assistant_id: 'echo', ...say('A') }))
  const { checkpoint_id } = await state(created)
  await ended(await run(created, { assistant_id: 'echo', ...say('B') }))
  await ended(await run(created, { assistant_id: 'echo', checkpoint_id, ...say('C') }))
  expect(await contents(created)).toEqual(['A', 'first: A', 'second: A', 'C', 'first: C', 'second: C'])
  const unknownCheckpoint = { assistant_id: 'echo', checkpoint_id: 'nowhere' }
  expect((await send('POST', `/threads/${created.thread_id}/runs`, unknownCheckpoint)).status).toBe(422)
})

test('a rejected run creates no thread', async () => {
  const { send, get } = clientOf(createMockServer())
  const path = '/threads/6f2ab1c4-9a3e-4b51-8f9a-0c5a7d1e2f30/runs'
  const invalidFields = [{ assistant_id: 'nope' }, { checkpoint_id: 'nowhere' }, { input: { messages: [7] } }]
  for (const fields of invalidFields) {
    const response = await send('POST', path, { assistant_id: 'echo', if_not_exists: 'create', ...fields })
    expect(response.status).toBeGreaterThanOrEqual(400)
  }
  expect(await get('/threads')).toEqual([])
})

test('a run starts immediately with a manual clock', async () => {
  const { thread, run, ended } = clientOf(createMockServer({ clock: manualClock(0) }))
  expect((await ended(await run(await thread(), { assistant_id: 'echo', ...say('hi') }))).status).toBe('success')
})
