import { expect, test } from 'vitest'
import { createMockServer } from '../../../mock-server/index.ts'
import { manualClock } from '../../../mock-server/runtime/clock.ts'
import {
  callTool,
  callTools,
  emit,
  fail,
  interrupt,
  pause,
  say,
  setState,
  stream,
} from '../../../mock-server/scripting/steps.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { say as input } from '../../fixtures/mock-client.ts'
import { sdkThread } from '../../fixtures/sdk-thread.ts'

test('each run uses the next reply', async () => {
  const mock = createMockServer()
  const script = mock.script('support', 'Hello!', say('How are you?'), ({ text }) => `You said: ${text}`)
  const { ask } = await sdkThread(mock)

  await ask('support', 'Hi')
  await ask('support', 'Fine')
  expect(await ask('support', 'Bye')).toEqual(['Hi', 'Hello!', 'Fine', 'How are you?', 'Bye', 'You said: Bye'])
  expect(script.taken).toBe(3)
})

test('every scripted graph has an assistant', async () => {
  const mock = createMockServer()
  const { client } = await sdkThread(mock)
  mock.script('support', 'Hello!')
  mock.script('sales', 'Hello!')

  const assistants = await client.assistants.search({ limit: 100 })
  expect(assistants.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'support', 'sales']))
  const [support] = await client.assistants.search({ graphId: 'support' })
  expect(support).toMatchObject({ metadata: { created_by: 'system' }, config: {} })
  const own = await client.assistants.create({ graphId: 'sales', config: { configurable: { tone: 'warm' } } })
  expect(await (await sdkThread(mock)).ask(own.assistant_id, 'Hi')).toEqual(['Hi', 'Hello!'])
})

test('streams a message by words or pieces at the configured pace', async () => {
  const clock = manualClock(0)
  const mock = createMockServer({ clock })
  mock.script(
    'support',
    stream('One two three', { firstMs: 1000, everyMs: 100 }),
    stream(['Ab', { text: 'cd', afterMs: 50 }]),
  )
  const { stream: run, contents } = await sdkThread(mock)
  const arrived = (text: string) => eventually(async () => expect((await contents()).at(-1)).toBe(text))

  let isOver = false
  const reading = run('support', input('Hi'), 'messages-tuple').finally(() => {
    isOver = true
  })
  await arrived('Hi')
  await clock.advance(1199)
  expect(isOver).toBe(false)
  await clock.advance(1)
  expect(textsOf(await reading)).toEqual(['One', ' two', ' three'])

  const pieces = run('support', input('Go on'), 'messages-tuple')
  await arrived('Go on')
  await clock.advance(50)
  expect(textsOf(await pieces)).toEqual(['Ab', 'cd'])
  expect(await contents()).toEqual(['Hi', 'One two three', 'Go on', 'Abcd'])
})

/** The texts of the tokens among events of mode `messages-tuple`. */
function textsOf(events: readonly unknown[]): string[] {
  return (events as [{ content: string }][]).map(([{ content }]) => content)
}

test('a tool call produces a message with the call and a message of the tool', async () => {
  const mock = createMockServer()
  mock.script('support', [callTool('lookup', { order: 7 }, { status: 'shipped' }, { id: 'call_1' }), 'On its way.'])
  const { stream: run } = await sdkThread(mock)

  expect(await run('support', input('Where is it?'))).toMatchObject([
    { agent: { messages: [{ type: 'ai', tool_calls: [{ id: 'call_1', name: 'lookup', args: { order: 7 } }] }] } },
    { tools: { messages: [{ type: 'tool', tool_call_id: 'call_1', content: '{"status":"shipped"}' }] } },
    { agent: { messages: [{ type: 'ai', content: 'On its way.' }] } },
  ])
})

test('calls several tools in one message, which can fail or send no result', async () => {
  const mock = createMockServer()
  const calls = callTools(callTool('a', {}, 'first'), callTool('b', {}, new Error('no such city')), callTool('c'))
  mock.script('support', calls)
  const { stream: run } = await sdkThread(mock)

  const [agent, tools] = await run('support', input('Go'))
  expect(agent).toMatchObject({ agent: { messages: [{ tool_calls: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }] } })
  expect(tools).toMatchObject({
    tools: {
      messages: [
        { name: 'a', content: 'first', status: 'success' },
        { name: 'b', content: 'no such city', status: 'error' },
      ],
    },
  })
})

test('an interrupt waits for a resume, which continues the same reply', async () => {
  const mock = createMockServer()
  mock.script(
    'support',
    [
      'Let me see.',
      interrupt({ question: 'Refund?' }),
      ({ resume }) => (resume === 'yes' ? 'Done.' : 'Left as it is.'),
    ],
    'Next answer.',
  )
  const { client, thread_id, stream: run, ask } = await sdkThread(mock)

  expect((await run('support', input('My money'))).at(-1)).toMatchObject({
    __interrupt__: [{ value: { question: 'Refund?' } }],
  })
  expect(await client.threads.getState(thread_id)).toMatchObject({ next: ['agent'], tasks: [{ interrupts: [{}] }] })
  await run('support', { command: { resume: 'yes' } })
  expect(await ask('support', 'Thanks')).toEqual(['My money', 'Let me see.', 'Done.', 'Thanks', 'Next answer.'])
})

test('several interrupts are resumed one by one', async () => {
  const mock = createMockServer()
  mock.script('form', [
    interrupt('Name?'),
    ({ resume }) => [interrupt(`Age of ${resume}?`), (turn) => `${turn.resume}`],
  ])
  const { stream: run, contents } = await sdkThread(mock)

  await run('form', input('Hi'))
  expect(await run('form', { command: { resume: 'Ann' } })).toMatchObject([
    { __interrupt__: [{ value: 'Age of Ann?' }] },
  ])
  await run('form', { command: { resume: 42 } })
  expect(await contents()).toEqual(['Hi', '42'])
})

test('an interrupt belongs to its node, not to the following one', async () => {
  const mock = createMockServer()
  const following = [interrupt('Age?'), say('Thanks.', { node: 'thank' })]
  mock.script('form', [interrupt('Name?'), () => following])
  const { client, thread_id, stream: run, contents } = await sdkThread(mock)

  await run('form', input('Hi'))
  await run('form', { command: { resume: 'Ann' } })
  expect((await client.threads.getState(thread_id)).next).toEqual(['agent'])
  const updates = await run('form', { command: { resume: 42 } })
  expect(updates.map((update) => Object.keys(Object(update)))).toEqual([['agent'], ['thank']])
  expect(await contents()).toEqual(['Hi', 'Thanks.'])
})

test('a new message instead of a resume uses the next reply', async () => {
  const mock = createMockServer()
  mock.script('support', [interrupt('Refund?'), 'Done.'], 'Something else, then.')
  const { stream: run, ask } = await sdkThread(mock)

  await run('support', input('My money'))
  expect(await ask('support', 'Never mind')).toEqual(['My money', 'Never mind', 'Something else, then.'])
})

test('an error fails the run at its step, and a run without input continues after it', async () => {
  const mock = createMockServer()
  mock.script('support', ['Let me see.', fail(new RangeError('the context is too long')), 'There you are.'])
  const { client, thread_id, stream: run, contents } = await sdkThread(mock)

  expect((await run('support', input('Hi'))).at(-1)).toEqual({
    error: 'RangeError',
    message: 'the context is too long',
  })
  const [failed] = await client.runs.list(thread_id)
  expect(failed?.status).toBe('error')
  await run('support', { input: null })
  expect(await contents()).toEqual(['Hi', 'Let me see.', 'There you are.'])
})

test('supports custom events, pauses, other channels and named nodes', async () => {
  const clock = manualClock(0)
  const mock = createMockServer({ clock })
  const searching = [emit({ progress: 0.5 }), pause(500), setState({ topic: 'tea' }, { node: 'research' })]
  mock.script('writer', [...searching, say('Tea is warm.', { node: 'write', set: { draft: 1 } })])
  const { client, thread_id } = await sdkThread(mock)

  const events: [string, unknown][] = []
  const reading = (async () => {
    const payload = { ...input('tea'), streamMode: ['custom' as const, 'updates' as const] }
    for await (const { event, data } of client.runs.stream(thread_id, 'writer', payload)) events.push([event, data])
  })()
  await eventually(() => expect(events.at(-1)).toEqual(['custom', { progress: 0.5 }]))
  await clock.advance(499)
  expect(events).toHaveLength(2)
  await clock.advance(1)
  await reading
  expect(events.slice(2)).toMatchObject([
    ['updates', { research: { topic: 'tea' } }],
    ['updates', { write: { draft: 1, messages: [{ content: 'Tea is warm.' }] } }],
  ])
  const { values } = await client.threads.getState(thread_id)
  expect(values).toMatchObject({ topic: 'tea', draft: 1 })
})

test('interrupt_before stops before a tool node', async () => {
  const mock = createMockServer()
  mock.script('support', [callTool('refund', { amount: 20 }, 'paid'), 'Done.'], 'Next.')
  const { client, thread_id, stream: run, contents } = await sdkThread(mock)

  await run('support', { ...input('My money'), interruptBefore: ['tools'] })
  expect((await client.threads.getState(thread_id)).next).toEqual(['tools'])
  await run('support', { input: null })
  expect(await contents()).toEqual(['My money', '', 'paid', 'Done.'])
})

test('an update of the state keeps the next node, or replaces it with asNode', async () => {
  const mock = createMockServer()
  const refund = [callTool('refund', { amount: 20 }, 'paid', { toolNode: 'bank' }), say('Done.', { node: 'review' })]
  mock.script('support', refund, refund, 'Next.')
  const { client, thread_id, stream: run, contents, ask } = await sdkThread(mock)

  await run('support', { ...input('A'), interruptBefore: ['bank'] })
  await client.threads.updateState(thread_id, { values: { approved: true } })
  expect((await client.threads.getState(thread_id)).next).toEqual(['bank'])
  await run('support', { input: null })
  expect(await contents()).toEqual(['A', '', 'paid', 'Done.'])
  await client.threads.updateState(thread_id, { values: { approved: false } })
  expect((await client.threads.getState(thread_id)).next).toEqual([])

  await run('support', { ...input('B'), interruptBefore: ['bank'] })
  const rejection = { role: 'tool', tool_call_id: 'x', content: 'not allowed' }
  await client.threads.updateState(thread_id, { values: { messages: [rejection] }, asNode: 'bank' })
  await run('support', { input: null })
  expect((await contents()).slice(4)).toEqual(['B', '', 'not allowed', 'Done.'])
  expect((await ask('support', 'C')).at(-1)).toBe('Next.')
})

test('a command can go to a node of the reply', async () => {
  const mock = createMockServer()
  mock.script('support', [interrupt('Look it up?'), say('Looked up.'), say('Sorry.', { node: 'apologise' })])
  const { stream: run, contents } = await sdkThread(mock)

  await run('support', input('Hi'))
  await run('support', { command: { goto: 'apologise' } })
  expect(await contents()).toEqual(['Hi', 'Sorry.'])
})

test('scripts work the same way in other dialects', async () => {
  const mock = createMockServer({ dialect: 'js-dev' })
  mock.script('support', [interrupt('Sure?'), 'Done.'])
  const { client, thread_id, stream: run, contents } = await sdkThread(mock)

  await run('support', input('Hi'))
  expect(await client.threads.get(thread_id)).toMatchObject({ status: 'interrupted' })
  await run('support', { command: { resume: true } })
  expect(await contents()).toEqual(['Hi', 'Done.'])
})

test('a run from the checkpoint before a played reply takes the next reply', async () => {
  const mock = createMockServer()
  const script = mock.script('support', 'First answer', ['Second ', 'answer'])
  const { client, thread_id, ask } = await sdkThread(mock)
  await ask('support', 'Question')
  const history = await client.threads.getHistory(thread_id)
  const checkpoint = history.find(({ next }) => next.includes('agent'))?.checkpoint
  if (checkpoint === undefined) throw new Error('there is no checkpoint before the answer')

  // As `useStream` does to regenerate an answer.
  const values = await client.runs.wait(thread_id, 'support', { input: null, checkpoint })
  expect(values).toMatchObject({ messages: [{ content: 'Question' }, { content: 'Second ' }, { content: 'answer' }] })
  expect(script.taken).toBe(2)
})

test('a run that stopped before its reply continues with it', async () => {
  const mock = createMockServer()
  const script = mock.script('support', 'Answer', 'Another answer')
  const { client, thread_id } = await sdkThread(mock)
  await client.runs.wait(thread_id, 'support', { ...input('Question'), interruptBefore: ['agent'] })
  const values = await client.runs.wait(thread_id, 'support', { input: null })
  expect(values).toMatchObject({ messages: [{ content: 'Question' }, { content: 'Answer' }] })
  expect(script.taken).toBe(1)
})

test('a state that a caller writes as the input is followed by the graph', async () => {
  const mock = createMockServer()
  mock.script('support', 'Answer', 'Another answer')
  const { client, thread_id, ask } = await sdkThread(mock)
  await ask('support', 'Question')
  const values = { messages: [{ type: 'human', content: 'Edited' }] }
  await client.threads.updateState(thread_id, { values, asNode: '__start__' })
  expect(await client.threads.getState(thread_id)).toMatchObject({ next: ['agent'] })
  const result = await client.runs.wait(thread_id, 'support', { input: null })
  expect(result).toMatchObject({ messages: [{}, {}, { content: 'Edited' }, { content: 'Another answer' }] })
})
