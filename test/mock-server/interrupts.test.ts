import { expect, test } from 'vitest'
import { createMockServer, defineGraph, type MockServerOptions } from '../../mock-server/index.ts'
import { say } from '../fixtures/mock-client.ts'
import { sdkThread } from '../fixtures/sdk-thread.ts'

const review = defineGraph({
  nodes: {
    plan: () => ({ messages: [{ role: 'ai', content: 'planned' }] }),
    review: (_state, { emit, interrupt }) => {
      emit('reviewing')
      const verdict = interrupt({ question: 'Publish?' })
      const when = verdict === 'yes' ? interrupt('When?') : 'never'
      return { messages: [{ role: 'ai', content: `${verdict}, ${when}` }] }
    },
    done: () => ({ messages: [{ role: 'ai', content: 'done' }] }),
  },
})

/** A mock server with the graph, and a client of the public SDK with a thread. */
async function setUp(options: MockServerOptions = {}) {
  const mock = createMockServer({ graphs: { review }, ...options })
  const { stream, ...sdk } = await sdkThread(mock)
  const status = async () => {
    const listed = await mock.fetch(new Request('http://mock/threads'))
    const [thread] = (await listed.json()) as { status: string }[]
    return thread?.status
  }
  type Stream = typeof stream
  return {
    ...sdk,
    mock,
    status,
    stream: (payload: Parameters<Stream>[1], mode?: Parameters<Stream>[2]) => stream('review', payload, mode),
  }
}

const question = { id: expect.stringMatching(/^[0-9a-f]{32}$/), value: { question: 'Publish?' } }

test('an interrupt stops the run, and the state contains the node and the interrupt', async () => {
  const { client, thread_id, stream } = await setUp()

  expect(await stream(say('A'))).toEqual([
    { plan: { messages: [expect.objectContaining({ content: 'planned' })] } },
    { __interrupt__: [question] },
  ])

  const state = await client.threads.getState(thread_id)
  expect(state).toMatchObject({
    next: ['review'],
    tasks: [{ name: 'review', interrupts: [question], error: null }],
    interrupts: [question],
  })
  const [run] = await client.runs.list(thread_id)
  expect(run?.status).toBe('success')
})

test('the thread is interrupted and lists interrupts by task until the run is resumed', async () => {
  const { mock, client, thread_id, stream } = await setUp({ dialect: 'agent-server' })
  await stream(say('A'))

  const { tasks } = await client.threads.getState(thread_id)
  expect(await client.threads.get(thread_id)).toMatchObject({
    status: 'interrupted',
    interrupts: { [tasks[0]?.id ?? '']: [question] },
  })
  await stream({ command: { resume: 'no' } })
  expect(await client.threads.get(thread_id)).toMatchObject({ status: 'idle', interrupts: {} })
  await mock.close()
})

test('a resume restarts the node and completes the run', async () => {
  const { stream, contents } = await setUp()
  await stream(say('A'))

  expect(await stream({ command: { resume: 'no' } })).toEqual([
    { review: { messages: [expect.objectContaining({ content: 'no, never' })] } },
    { done: { messages: [expect.objectContaining({ content: 'done' })] } },
  ])
  expect(await contents()).toEqual(['A', 'planned', 'no, never', 'done'])
})

test('several interrupts of a node are resumed one by one', async () => {
  const { client, thread_id, stream, contents } = await setUp()
  await stream(say('A'))
  const { tasks: before } = await client.threads.getState(thread_id)

  expect(await stream({ command: { resume: 'yes' } })).toEqual([{ __interrupt__: [{ ...question, value: 'When?' }] }])
  const { tasks: after } = await client.threads.getState(thread_id)
  expect(after[0]?.id).toBe(before[0]?.id)
  await stream({ command: { resume: 'today' } })
  expect(await contents()).toEqual(['A', 'planned', 'yes, today', 'done'])
})

test('a resume can address an interrupt by id', async () => {
  const { client, thread_id, stream, contents } = await setUp()
  await stream(say('A'))
  const { tasks } = await client.threads.getState(thread_id)

  await stream({ command: { resume: { [tasks[0]?.interrupts[0]?.id ?? '']: 'no' } } })
  expect(await contents()).toContain('no, never')
})

test('a command can update the state before it resumes', async () => {
  const { client, thread_id, stream } = await setUp()
  await stream(say('A'))

  const update = { messages: [{ role: 'user', content: 'also' }], topic: 'tea' }
  await stream({ command: { resume: 'no', update } })
  const { values } = await client.threads.getState(thread_id)
  expect(values).toMatchObject({ topic: 'tea' })
  expect(JSON.stringify(values)).toMatch(/also.*no, never.*done/)
})

test('a command can go to another node while one is interrupted', async () => {
  const { stream, contents, client, thread_id } = await setUp()
  await stream(say('A'))

  await stream({ command: { goto: 'done', update: [['topic', 'tea']] as never } })
  expect(await contents()).toEqual(['A', 'planned'])
  expect(await client.threads.getState(thread_id)).toMatchObject({
    next: ['review'],
    tasks: [
      { name: 'review', interrupts: [question], result: null },
      { name: 'done', interrupts: [], result: { messages: [{ content: 'done' }] } },
    ],
    values: { topic: 'tea' },
  })
  await stream({ command: { resume: 'no' } })
  expect(await contents()).toEqual(['A', 'planned', 'done', 'no, never', 'done'])
})

test('a new input restarts the graph', async () => {
  const { stream, contents, status } = await setUp()
  await stream(say('A'))
  await stream(say('B'))

  expect(await contents()).toEqual(['A', 'planned', 'B', 'planned'])
  expect(await status()).toBe('interrupted')
})

test('a run without input repeats the interrupt', async () => {
  const { stream } = await setUp()
  await stream(say('A'))

  expect(await stream({ input: null })).toEqual([{ __interrupt__: [question] }])
})

test('a resume without an interrupt changes nothing', async () => {
  const { stream, contents } = await setUp()
  await stream(say('A'))
  await stream({ command: { resume: 'no' } })
  const before = await contents()

  expect(await stream({ command: { resume: 'yes' } })).toEqual([])
  expect(await contents()).toEqual(before)
})

test('interrupt_before stops without a value and continues without a resume', async () => {
  const { stream, contents, status } = await setUp()

  const events = await stream({ ...say('A'), interruptBefore: ['review'] })
  expect(events.at(-1)).toEqual({ __interrupt__: [] })
  expect(await status()).toBe('interrupted')
  await stream({ input: null })
  await stream({ command: { resume: 'no' } })
  expect(await contents()).toEqual(['A', 'planned', 'no, never', 'done'])
})

test('all stream modes show the interrupt', async () => {
  const { client, thread_id, stream } = await setUp()

  expect((await stream(say('A'), 'values')).at(-1)).toMatchObject({ messages: [{}, {}], __interrupt__: [question] })
  expect((await stream({ input: null }, 'tasks')).at(-1)).toMatchObject({ result: {}, interrupts: [question] })
  expect(await stream({ input: null }, 'custom')).toEqual(['reviewing'])
  const { run_id } = await client.runs.create(thread_id, 'review', { input: null })
  expect(await client.runs.join(thread_id, run_id)).toMatchObject({ messages: [{}, {}], __interrupt__: [question] })
})

test('js-dev shows an interrupt without the values', async () => {
  const { client, thread_id, stream } = await setUp({ dialect: 'js-dev' })

  expect((await stream(say('A'), 'values')).at(-1)).toEqual({ __interrupt__: [question] })
  const { run_id } = await client.runs.create(thread_id, 'review', say('B'))
  expect(await client.runs.join(thread_id, run_id)).toEqual({ __interrupt__: [question] })
  const run = await client.runs.create(thread_id, 'review', { ...say('C'), interruptBefore: ['plan'] })
  expect(await client.runs.join(thread_id, run.run_id)).toEqual({ __interrupt__: [] })
})

test('rejects an invalid command with a message', async () => {
  const { client, thread_id } = await setUp()
  const errorOf = (command: object) => client.runs.create(thread_id, 'review', { command }).catch(String)

  expect(await errorOf({ goto: [1] })).toContain('expected a node: its name')
  expect(await errorOf({ update: 'tea' })).toContain('expected an object, or an array of pairs')
  expect(await errorOf({ update: { messages: [{ content: 'no role' }] } })).toContain('command.update.messages.0.role')
})

test('a snapshot contains interrupts', async () => {
  const { mock, stream, contents } = await setUp()
  await stream(say('A'))
  const snapshot = mock.snapshot()
  await stream({ command: { resume: 'no' } })
  mock.restore(snapshot)

  await stream({ command: { resume: 'yes' } })
  await stream({ command: { resume: 'today' } })
  expect(await contents()).toEqual(['A', 'planned', 'yes, today', 'done'])
})

test('a value for an interrupt of another run leaves the run interrupted', async () => {
  const { client, thread_id, stream, status } = await setUp()
  const [, shown] = await stream(say('A'))
  await stream({ command: { resume: { '0123456789abcdef0123456789abcdef': 'yes' } } })
  expect(await status()).toBe('interrupted')
  const [task] = (await client.threads.getState(thread_id)).tasks
  expect({ __interrupt__: task?.interrupts }).toEqual(shown)

  await stream({ command: { resume: { [String(task?.interrupts[0]?.id)]: 'no' } } })
  expect(await status()).toBe('idle')
})
