import { expect, test } from 'vitest'
import { createMockServer, defineGraph } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { clientOf, type RunBody, say } from '../fixtures/mock-client.ts'

const slow = (text: string, multitask_strategy?: string): object => ({
  assistant_id: 'slow',
  ...say(text),
  ...(multitask_strategy === undefined ? {} : { multitask_strategy }),
})

test('reject returns 409 on a busy thread and keeps the earlier run', async () => {
  const clock = manualClock(0)
  const { thread, run, send, ended, contents, get } = clientOf(createMockServer({ clock }))
  const created = await thread()
  const first = await run(created, slow('A'))
  const path = `/threads/${created.thread_id}/runs`
  for (const strategy of [undefined, 'reject']) {
    expect((await send('POST', path, slow('B', strategy))).status).toBe(409)
    expect((await send('POST', `${path}/stream`, slow('B', strategy))).status).toBe(409)
  }
  await clock.advance(2000)
  expect((await ended(first)).status).toBe('success')
  expect(await contents(created)).toEqual(['A', 'before: A', 'after: A'])
  expect(await get(path)).toHaveLength(1)
  await run(created, slow('C'))
})

test('enqueue executes a hundred runs in the order of their creation', async () => {
  const { thread, run, ended, contents } = clientOf(createMockServer())
  const created = await thread()
  const texts = Array.from({ length: 100 }, (_, index) => `run ${index}`)
  const runs: RunBody[] = []
  for (const text of texts) {
    runs.push(await run(created, { assistant_id: 'echo', multitask_strategy: 'enqueue', ...say(text) }))
  }
  const statuses = await Promise.all(runs.map(async (queued) => (await ended(queued)).status))
  expect(new Set(statuses)).toEqual(new Set(['success']))
  expect(await contents(created)).toEqual(texts.flatMap((text) => [text, `first: ${text}`, `second: ${text}`]))
})

test('a streamed run waits behind queued runs', async () => {
  const { thread, run, stream, contents } = clientOf(createMockServer())
  const created = await thread()
  await run(created, { assistant_id: 'echo', ...say('A') })
  const events = await stream(created, { assistant_id: 'echo', multitask_strategy: 'enqueue', ...say('B') })
  expect(events[0]?.event).toBe('metadata')
  expect(await contents(created)).toEqual(['A', 'first: A', 'second: A', 'B', 'first: B', 'second: B'])
})

test('interrupt keeps the earlier run and the results of its finished steps', async () => {
  const clock = manualClock(0)
  const { thread, run, reload, state, contents, get } = clientOf(createMockServer({ clock }))
  const created = await thread()
  const first = await run(created, slow('A'))
  await clock.advance(500)
  expect((await state(created)).next).toEqual(['sleep'])
  const second = await run(created, slow('B', 'interrupt'))
  expect((await reload(first)).status).toBe('interrupted')
  await clock.advance(500)
  const third = await run(created, slow('C', 'interrupt'))
  await clock.advance(2000)
  expect((await reload(second)).status).toBe('interrupted')
  expect((await reload(third)).status).toBe('success')
  expect(await contents(created)).toEqual(['A', 'before: A', 'B', 'before: B', 'C', 'before: C', 'after: C'])
  const joined = await get<{ messages: { content: string }[] }>(
    `/threads/${created.thread_id}/runs/${first.run_id}/join`,
  )
  expect(joined.messages.map(({ content }) => content)).toEqual(['A', 'before: A'])
})

test('interrupt stops active and queued runs, and queued runs never change the state', async () => {
  const clock = manualClock(0)
  const { thread, run, reload, contents } = clientOf(createMockServer({ clock }))
  const created = await thread()
  const runs = [await run(created, slow('A'))]
  for (const text of ['B', 'C']) runs.push(await run(created, slow(text, 'enqueue')))
  await clock.advance(500)
  const last = await run(created, slow('D', 'interrupt'))
  const following = await run(created, slow('E', 'enqueue'))
  await clock.advance(5000)
  for (const stopped of runs) expect((await reload(stopped)).status).toBe('interrupted')
  expect((await reload(last)).status).toBe('success')
  expect((await reload(following)).status).toBe('success')
  expect(await contents(created)).toEqual([
    'A',
    'before: A',
    'D',
    'before: D',
    'after: D',
    'E',
    'before: E',
    'after: E',
  ])
})

test('rollback deletes the earlier run and its writes', async () => {
  const clock = manualClock(0)
  const { thread, run, send, state, contents, get } = clientOf(createMockServer({ clock }))
  const created = await thread()
  const kept = await run(created, { assistant_id: 'echo', ...say('kept') })
  await clock.advance(10)
  const undone = await run(created, slow('A', 'enqueue'))
  const queued = await run(created, slow('B', 'enqueue'))
  await clock.advance(500)
  const path = `/threads/${created.thread_id}/runs`
  const joined = get(`${path}/${undone.run_id}/join`)
  const last = await run(created, slow('C', 'rollback'))
  for (const deleted of [undone, queued]) expect((await send('GET', `${path}/${deleted.run_id}`)).status).toBe(404)
  expect(await joined).toEqual({ messages: (await state(created)).values.messages.slice(0, 3) })
  await clock.advance(2000)
  expect(await contents(created)).toEqual(['kept', 'first: kept', 'second: kept', 'C', 'before: C', 'after: C'])
  expect((await get<RunBody[]>(path)).map(({ run_id }) => run_id)).toEqual([last.run_id, kept.run_id])
})

test('a node that ignores its abort delays no other run, and its late results are dropped', async () => {
  const deaf = Promise.withResolvers<void>()
  const graphs = {
    deaf: defineGraph({
      nodes: {
        deaf: async (_state, { emit }) => {
          await deaf.promise
          emit('too late')
          return { messages: [{ content: 'too late' }] }
        },
      },
    }),
    quick: defineGraph({ nodes: { quick: () => ({ messages: [{ content: 'done' }] }) } }),
  }
  const clock = manualClock(0)
  const { thread, run, reload, contents } = clientOf(createMockServer({ clock, graphs }))
  const created = await thread()
  const first = await run(created, { assistant_id: 'deaf', ...say('A') })
  await clock.advance(10)
  expect(await contents(created)).toEqual(['A'])
  const second = await run(created, { assistant_id: 'quick', multitask_strategy: 'interrupt' })
  await clock.advance(10)
  expect((await reload(second)).status).toBe('success')
  deaf.resolve()
  await clock.advance(10)
  expect((await reload(first)).status).toBe('interrupted')
  expect(await contents(created)).toEqual(['A', 'done'])
})

test('of concurrent runs, reject accepts one and enqueue executes all in the order of the list', async () => {
  const clock = manualClock(0)
  const { thread, run, send, get, contents } = clientOf(createMockServer({ clock }))
  const busy = await thread()
  const path = `/threads/${busy.thread_id}/runs`
  const responses = await Promise.all(Array.from({ length: 10 }, () => send('POST', path, slow('A', 'reject'))))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])

  const shared = await thread()
  const texts = Array.from({ length: 10 }, (_, index) => `${index}`)
  const echo = { assistant_id: 'echo', multitask_strategy: 'enqueue' }
  const created = await Promise.all(
    texts.map(async (text) => ({ text, ...(await run(shared, { ...echo, ...say(text) })) })),
  )
  await clock.advance(100)
  const listed = (await get<RunBody[]>(`/threads/${shared.thread_id}/runs`)).toReversed()
  const order = listed.map(({ run_id }) => created.find((candidate) => candidate.run_id === run_id)?.text)
  expect(await contents(shared)).toEqual(order.flatMap((text) => [text, `first: ${text}`, `second: ${text}`]))
})

test('a queued run that ends at its start sets the status of the thread', async () => {
  const clock = manualClock(0)
  const { thread, run, get } = clientOf(createMockServer({ clock }))
  const created = await thread()
  await run(created, { assistant_id: 'fail', ...say('A') })
  const stops = { assistant_id: 'echo', multitask_strategy: 'enqueue', interrupt_before: '*' }
  await run(created, { ...stops, ...say('B') })
  await clock.advance(100)
  expect(await get('/threads')).toMatchObject([{ status: 'interrupted' }])
})
