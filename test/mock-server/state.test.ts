import { expect, test } from 'vitest'
import { createMockServer, defineGraph } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { defaultAssistantId } from '../../mock-server/runtime/ids.ts'
import { clientOf, say } from '../fixtures/mock-client.ts'

test('the state after a run has every documented field', async () => {
  const { thread, run, ended, state } = clientOf(createMockServer())
  const created = await thread()
  const { run_id } = await ended(await run(created, { assistant_id: 'echo', ...say('A') }))
  const { thread_id } = created
  const current = await state(created)
  expect(current).toMatchObject({
    next: [],
    tasks: [],
    metadata: {
      step: 2,
      run_id,
      source: 'loop',
      writes: { second: { messages: [{ content: 'second: A' }] } },
      user_id: '',
      graph_id: 'echo',
      thread_id,
      created_by: 'system',
      assistant_id: defaultAssistantId('echo'),
    },
    created_at: expect.stringContaining('T'),
    checkpoint_id: expect.any(String),
    parent_checkpoint_id: expect.any(String),
    checkpoint: { thread_id, checkpoint_ns: '', checkpoint_id: current.checkpoint_id },
  })
})

test('a thread that never ran has an empty state', async () => {
  const { thread, state } = clientOf(createMockServer())
  expect(await state(await thread())).toMatchObject({
    values: {},
    next: [],
    tasks: [],
    checkpoint_id: null,
    parent_checkpoint_id: null,
  })
})

test('between two nodes the state contains the next node', async () => {
  const clock = manualClock(0)
  const { thread, run, state } = clientOf(createMockServer({ clock }))
  const created = await thread()
  await run(created, { assistant_id: 'slow', ...say('A') })
  await clock.advance(100)
  const during = await state(created)
  expect(during).toMatchObject({
    next: ['sleep'],
    tasks: [{ id: expect.any(String), name: 'sleep', error: null }],
    metadata: { step: 1, writes: { before: { messages: [{ content: 'before: A' }] } } },
  })
  await clock.advance(2000)
  const after = await state(created)
  expect(after.metadata['step']).toBe(3)
  expect(after.checkpoint_id > during.checkpoint_id).toBe(true)
})

test('delay_ms sets the delay of the slow graph', async () => {
  const clock = manualClock(0)
  const { thread, run, state } = clientOf(createMockServer({ clock }))
  const created = await thread()
  await run(created, { assistant_id: 'slow', config: { configurable: { delay_ms: 50 } }, ...say('A') })
  await clock.advance(40)
  expect((await state(created)).next).toEqual(['sleep'])
  await clock.advance(20)
  expect((await state(created)).next).toEqual([])
})

test('assistants of different graphs share the state of a thread', async () => {
  const { thread, run, ended, state, contents } = clientOf(createMockServer())
  const created = await thread()
  await ended(await run(created, { assistant_id: 'echo', ...say('A') }))
  const before = await state(created)
  await ended(await run(created, { assistant_id: 'chat' }))
  expect(await contents(created)).toEqual(['A', 'first: A', 'second: A', 'chat: A'])
  const after = await state(created)
  expect(after.values.messages.slice(0, 3)).toEqual(before.values.messages)
  expect(after.metadata).toMatchObject({ step: 4, graph_id: 'chat' })
})

test('a failed node remains next, with its error', async () => {
  const { thread, run, ended, state } = clientOf(createMockServer())
  const created = await thread()
  await ended(await run(created, { assistant_id: 'fail', ...say('A') }))
  expect(await state(created)).toMatchObject({
    next: ['boom'],
    tasks: [{ name: 'boom', error: 'Error: this graph always fails' }],
  })
})

test('inputs and nodes replace the values of other channels', async () => {
  const count = defineGraph({ nodes: { count: (state) => ({ count: Number(state['count'] ?? 0) + 1 }) } })
  const { thread, run, ended, state } = clientOf(createMockServer({ graphs: { count } }))
  const created = await thread()
  await ended(await run(created, { assistant_id: 'count', input: { count: 5, topic: 'tea' } }))
  await ended(await run(created, { assistant_id: 'count' }))
  expect((await state(created)).values).toEqual({ messages: [], count: 7, topic: 'tea' })
})

test('a graph can choose the next node', async () => {
  const say = (content: string) => () => ({ messages: [{ content }] })
  const walk = defineGraph({
    nodes: { start: say('start'), skipped: say('skipped'), end: say('end') },
    next: (finished, state) => (finished === 'start' && state.messages.length < 3 ? 'start' : endAfter(finished)),
  })
  const { thread, run, ended, contents } = clientOf(createMockServer({ graphs: { walk } }))
  const created = await thread()
  await ended(await run(created, { assistant_id: 'walk' }))
  expect(await contents(created)).toEqual(['start', 'start', 'start', 'end'])
})

function endAfter(finished: string): string | undefined {
  return finished === 'end' ? undefined : 'end'
}

test('a run fails when its graph chooses an unknown node', async () => {
  const lost = defineGraph({ nodes: { start: () => undefined }, next: () => 'nowhere' })
  const { thread, run, ended, get } = clientOf(createMockServer({ graphs: { lost } }))
  const failed = await ended(await run(await thread(), { assistant_id: 'lost' }))
  expect(await get(`/threads/${failed.thread_id}/runs/${failed.run_id}/join`)).toEqual({
    __error__: { error: 'Error', message: 'The graph has no node "nowhere", only start' },
  })
})
