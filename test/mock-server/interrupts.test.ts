import { expect, test } from 'vitest'
import { createMockServer, defineGraph, type MockServerOptions } from '../../mock-server/index.ts'
import { say } from '../fixtures/mock-client.ts'
import { sdkScene } from '../fixtures/sdk-client.ts'

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

/** The public client of a mock that deploys the graph, and a thread of it. */
async function scene(options: MockServerOptions = {}) {
  const mock = createMockServer({ graphs: { review }, ...options })
  const { stream, ...sdk } = await sdkScene(mock)
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

test('a node that asks stops the run; the state names the node and its question', async () => {
  const { client, thread_id, stream } = await scene()

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

test('the thread is interrupted and tells by task what it waits for; after the answers it is idle', async () => {
  const { mock, client, thread_id, stream } = await scene({ dialect: 'agent-server' })
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

test('an answer begins the node anew, and the run goes on to its end', async () => {
  const { stream, contents } = await scene()
  await stream(say('A'))

  expect(await stream({ command: { resume: 'no' } })).toEqual([
    { review: { messages: [expect.objectContaining({ content: 'no, never' })] } },
    { done: { messages: [expect.objectContaining({ content: 'done' })] } },
  ])
  expect(await contents()).toEqual(['A', 'planned', 'no, never', 'done'])
})

test('several questions of a node are answered one after the other', async () => {
  const { client, thread_id, stream, contents } = await scene()
  await stream(say('A'))
  const { tasks: before } = await client.threads.getState(thread_id)

  expect(await stream({ command: { resume: 'yes' } })).toEqual([{ __interrupt__: [{ ...question, value: 'When?' }] }])
  const { tasks: after } = await client.threads.getState(thread_id)
  expect(after[0]?.id).toBe(before[0]?.id)
  await stream({ command: { resume: 'today' } })
  expect(await contents()).toEqual(['A', 'planned', 'yes, today', 'done'])
})

test('an answer may name its question by id', async () => {
  const { client, thread_id, stream, contents } = await scene()
  await stream(say('A'))
  const { tasks } = await client.threads.getState(thread_id)

  await stream({ command: { resume: { [tasks[0]?.interrupts[0]?.id ?? '']: 'no' } } })
  expect(await contents()).toContain('no, never')
})

test('a command may write to the state before it resumes', async () => {
  const { client, thread_id, stream } = await scene()
  await stream(say('A'))

  const update = { messages: [{ role: 'user', content: 'also' }], topic: 'tea' }
  await stream({ command: { resume: 'no', update } })
  const { values } = await client.threads.getState(thread_id)
  expect(values).toMatchObject({ topic: 'tea' })
  expect(JSON.stringify(values)).toMatch(/also.*no, never.*done/)
})

test('a command may go on with another node; what waited is dropped', async () => {
  const { stream, contents, client, thread_id } = await scene()
  await stream(say('A'))

  await stream({ command: { goto: 'done', update: [['topic', 'tea']] as never } })
  expect(await contents()).toEqual(['A', 'planned', 'done'])
  expect(await client.threads.getState(thread_id)).toMatchObject({ next: [], tasks: [], values: { topic: 'tea' } })
})

test('a new input begins anew', async () => {
  const { stream, contents, status } = await scene()
  await stream(say('A'))
  await stream(say('B'))

  expect(await contents()).toEqual(['A', 'planned', 'B', 'planned'])
  expect(await status()).toBe('interrupted')
})

test('a run without input asks again', async () => {
  const { stream } = await scene()
  await stream(say('A'))

  expect(await stream({ input: null })).toEqual([{ __interrupt__: [question] }])
})

test('an answer to nothing changes nothing', async () => {
  const { stream, contents } = await scene()
  await stream(say('A'))
  await stream({ command: { resume: 'no' } })
  const before = await contents()

  expect(await stream({ command: { resume: 'yes' } })).toEqual([])
  expect(await contents()).toEqual(before)
})

test('a stop that the caller asks for has no question, and goes on without an answer', async () => {
  const { stream, contents, status } = await scene()

  const events = await stream({ ...say('A'), interruptBefore: ['review'] })
  expect(events.at(-1)).toEqual({ __interrupt__: [] })
  expect(await status()).toBe('interrupted')
  await stream({ input: null })
  await stream({ command: { resume: 'no' } })
  expect(await contents()).toEqual(['A', 'planned', 'no, never', 'done'])
})

test('the other modes show the question, too', async () => {
  const { client, thread_id, stream } = await scene()

  expect((await stream(say('A'), 'values')).at(-1)).toMatchObject({ messages: [{}, {}], __interrupt__: [question] })
  expect((await stream({ input: null }, 'tasks')).at(-1)).toMatchObject({ result: {}, interrupts: [question] })
  expect(await stream({ input: null }, 'custom')).toEqual(['reviewing'])
  const { run_id } = await client.runs.create(thread_id, 'review', { input: null })
  expect(await client.runs.join(thread_id, run_id)).toMatchObject({ messages: [{}, {}], __interrupt__: [question] })
})

test('js-dev shows a question without the values', async () => {
  const { client, thread_id, stream } = await scene({ dialect: 'js-dev' })

  expect((await stream(say('A'), 'values')).at(-1)).toEqual({ __interrupt__: [question] })
  const { run_id } = await client.runs.create(thread_id, 'review', say('B'))
  expect(await client.runs.join(thread_id, run_id)).toEqual({ __interrupt__: [question] })
  const run = await client.runs.create(thread_id, 'review', { ...say('C'), interruptBefore: ['plan'] })
  expect(await client.runs.join(thread_id, run.run_id)).toEqual({ __interrupt__: [] })
})

test('a command that cannot be carried out is refused in words', async () => {
  const { client, thread_id } = await scene()
  const refusal = (command: object) => client.runs.create(thread_id, 'review', { command }).catch(String)

  expect(await refusal({ goto: ['plan', 'done'] })).toContain('expected the name of one node')
  expect(await refusal({ update: 'tea' })).toContain('expected an object, or an array of pairs')
  expect(await refusal({ update: { messages: [{ content: 'no role' }] } })).toContain('command.update.messages.0.role')
})

test('a snapshot keeps what a thread waits for', async () => {
  const { mock, stream, contents } = await scene()
  await stream(say('A'))
  const snapshot = mock.snapshot()
  await stream({ command: { resume: 'no' } })
  mock.restore(snapshot)

  await stream({ command: { resume: 'yes' } })
  await stream({ command: { resume: 'today' } })
  expect(await contents()).toEqual(['A', 'planned', 'yes, today', 'done'])
})
