import { expect, test } from 'vitest'
import { testGraphsAuth } from '../../mock-server/deployment/auth/test-auth.ts'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import { createMockServer, defineGraph, type MockServer, type MockServerOptions } from '../../mock-server/index.ts'
import { manualClock } from '../../mock-server/runtime/clock.ts'
import { callTool, emit, fail, interrupt, say as message, stream } from '../../mock-server/scripting/steps.ts'
import { clientOf, eventReader, type MockClient, say } from '../fixtures/mock-client.ts'

// The second stream protocol, as @langchain/protocol 0.0.21 and the public servers define it.

interface ProtocolEvent {
  seq: number
  event_id: string
  method: string
  params: { namespace: string[]; data: Record<string, unknown>; node?: string; timestamp: number }
}

type Reply = {
  type: string
  id: number
  result: Record<string, unknown>
  error?: string
  message?: string
  meta?: { applied_through_seq: number }
}

/** Requests of the protocol for one thread. */
class ThreadClient {
  readonly id = crypto.randomUUID()
  readonly #client: MockClient
  #sent = 0

  constructor(mock: MockServer, headers: Record<string, string> = {}) {
    this.#client = clientOf(mock, headers)
  }

  command(method: string, params?: object): Promise<Reply> {
    return this.#client.post(`/threads/${this.id}/commands`, { id: ++this.#sent, method, params })
  }

  start(graph: string, params: object = say('A')): Promise<Reply> {
    return this.command('run.start', { assistant_id: graph, ...params })
  }

  async *events(filter: object): AsyncGenerator<ProtocolEvent> {
    const response = await this.#client.send('POST', `/threads/${this.id}/stream/events`, filter)
    for await (const { data, event } of eventReader(response)) {
      expect(event).toBe((data as ProtocolEvent).method)
      yield data as ProtocolEvent
    }
  }

  /** Returns the events up to the `count`th end of a run. */
  async untilEnd(filter: { channels: string[]; since?: number }, count = 1): Promise<ProtocolEvent[]> {
    const events: ProtocolEvent[] = []
    let ends = 0
    for await (const event of this.events({ ...filter, channels: [...new Set([...filter.channels, 'lifecycle'])] })) {
      events.push(event)
      const { namespace, data } = event.params
      if (event.method !== 'lifecycle' || namespace.length > 0 || data['event'] === 'running') continue
      ends++
      if (ends === count) break
    }
    return events
  }
}

const ALL = ['values', 'updates', 'checkpoints', 'messages', 'tools', 'custom', 'lifecycle', 'input', 'tasks']

function setUp(options: MockServerOptions = {}): { mock: MockServer; thread: ThreadClient } {
  const mock = createMockServer(options)
  return { mock, thread: new ThreadClient(mock) }
}

function shape({ method, params }: ProtocolEvent): string {
  const { event } = params.data as { event?: string }
  return [method, event, ...params.namespace.map((segment) => segment.split(':')[0])].filter(Boolean).join(' ')
}

test('a run has events in every channel, numbered without gaps', async () => {
  const { mock, thread } = setUp()
  mock.script('support', [
    emit('looking'),
    callTool('lookup', { order: 7 }, 'shipped', { id: 'c' }),
    stream('On its way'),
  ])
  expect(await thread.start('support')).toMatchObject({
    type: 'success',
    id: 1,
    meta: { thread_id: thread.id, applied_through_seq: 0 },
  })
  const events = await thread.untilEnd({ channels: ALL })
  expect(events.map(shape)).toEqual([
    'lifecycle running',
    'checkpoints',
    'values',
    'tasks',
    'custom',
    'messages message-start',
    'messages content-block-start',
    'messages content-block-delta',
    'messages content-block-finish',
    'messages message-finish',
    'updates',
    'tasks',
    'checkpoints',
    'values',
    'tasks',
    'tools tool-started',
    'tools tool-finished',
    'updates',
    'tasks',
    'checkpoints',
    'values',
    'tasks',
    'messages message-start',
    'messages content-block-start',
    'messages content-block-delta',
    'messages content-block-delta',
    'messages content-block-delta',
    'messages content-block-finish',
    'messages message-finish',
    'updates',
    'tasks',
    'checkpoints',
    'values',
    'lifecycle completed',
  ])
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(events.length)
  expect(await thread.command('state.get', { namespace: [], keys: ['messages'] })).toMatchObject({
    result: { values: { messages: [{ content: 'A' }, {}, {}, { content: 'On its way' }] } },
    meta: { applied_through_seq: events.length },
  })
})

test('a tool call is a block of its message', async () => {
  const { mock, thread } = setUp()
  mock.script('support', callTool('lookup', { order: 7 }, undefined, { id: 'c', content: 'Looking' }))
  await thread.start('support')
  const events = await thread.untilEnd({ channels: ['messages'] })
  const call = { id: 'c', name: 'lookup' }
  expect(events.slice(1, -1).map(({ params }) => params.data)).toMatchObject([
    { event: 'message-start', role: 'ai' },
    { event: 'content-block-start', index: 0, content: { type: 'text', text: '' } },
    { event: 'content-block-delta', index: 0, delta: { type: 'text-delta', text: 'Looking' } },
    { event: 'content-block-finish', index: 0, content: { type: 'text', text: 'Looking' } },
    { event: 'content-block-start', index: 1, content: { type: 'tool_call_chunk', ...call, args: '' } },
    {
      event: 'content-block-delta',
      index: 1,
      delta: { type: 'block-delta', fields: { type: 'tool_call_chunk', ...call, args: '{"order":7}' } },
    },
    { event: 'content-block-finish', index: 1, content: { type: 'tool_call', ...call, args: { order: 7 } } },
    { event: 'message-finish' },
  ])
})

test('each subscriber receives its channels, and continues after `since`', async () => {
  const { thread } = setUp()
  await thread.start('echo')
  const values = await thread.untilEnd({ channels: ['values'] })
  expect(values.map(shape)).toEqual(['lifecycle running', 'values', 'values', 'values', 'lifecycle completed'])
  const rest = await thread.untilEnd({ channels: ['values'], since: values[2]?.seq ?? 0 })
  expect(rest).toEqual(values.slice(3))
})

test('the namespaces and depth of a filter select nodes', async () => {
  const { mock, thread } = setUp({ dialect: 'js-dev' })
  mock.script('support', [message('one', { node: 'writer' }), message('two', { node: 'editor' })])
  await thread.start('support')
  const events = await thread.untilEnd({ channels: ['messages'] })
  expect(events.map(shape).filter((text) => text.includes('message-start'))).toEqual([
    'messages message-start writer',
    'messages message-start editor',
  ])
  const nodes = new Set<string>()
  for await (const { params } of thread.events({ channels: ['messages'], namespaces: [['editor']], depth: 0 })) {
    nodes.add(String(params.node))
    if (params.data['event'] === 'message-finish') break
  }
  expect([...nodes]).toEqual(['editor'])
  for await (const event of thread.events({ channels: ['lifecycle', 'messages'], namespaces: [[]], depth: 0 })) {
    expect(event.params.namespace).toEqual([])
    if (event.params.data['event'] === 'completed') break
  }
})

test('a stream that is opened before the first run receives all of it', async () => {
  const { thread } = setUp()
  const events = thread.untilEnd({ channels: ['values'] }, 2)
  for (const text of ['A', 'B']) await thread.start('echo', say(text))
  const shapes = (await events).map(shape)
  expect(shapes.filter((text) => text.startsWith('lifecycle'))).toEqual([
    'lifecycle running',
    'lifecycle completed',
    'lifecycle running',
    'lifecycle completed',
  ])
})

test('numbers grow over runs, also after a run was rolled back', async () => {
  const clock = manualClock(Date.UTC(2026, 0, 1))
  const { mock, thread } = setUp({ clock })
  mock.script('support', { pause: 1000 }, 'B', 'C')
  await thread.start('support')
  await thread.start('support', { ...say('B'), multitaskStrategy: 'rollback' })
  const before = await thread.untilEnd({ channels: [] })
  const dump = mock.dump()
  await mock.load(dump)
  await thread.start('support', say('C'))
  const all = await thread.untilEnd({ channels: [] }, 2)
  expect(all.slice(0, before.length)).toEqual(before)
  const numbers = all.map(({ seq }) => seq)
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  expect(new Set(numbers).size).toBe(numbers.length)
})

test('an interrupt is requested, and resumed by its id', async () => {
  const { mock, thread } = setUp()
  mock.script('support', [interrupt({ question: 'Publish?' }), ({ resume }) => `You said ${resume}`])
  await thread.start('support')
  const events = await thread.untilEnd({ channels: ['input'] })
  expect(events.map(shape)).toEqual(['lifecycle running', 'input.requested', 'lifecycle interrupted'])
  const interrupt_id = String(events[1]?.params.data['interrupt_id'])
  expect(events[1]?.params.data).toEqual({ interrupt_id, payload: { question: 'Publish?' } })
  expect(await thread.command('agent.getTree')).toMatchObject({ result: { tree: { status: 'interrupted' } } })

  expect(await thread.command('input.respond', { interrupt_id: 'nope', response: 1 })).toMatchObject({
    error: 'no_such_interrupt',
    message: `Unknown or answered interrupt nope: expected one of ${interrupt_id}`,
  })
  const responses = [{ namespace: [], interrupt_id, response: 'yes' }]
  expect(await thread.command('input.respond', { responses })).toMatchObject({ type: 'success', result: {} })
  await thread.untilEnd({ channels: [] }, 2)
  expect(JSON.stringify(await thread.command('state.get'))).toContain('You said yes')
})

test('a run on an interrupted thread resumes it with its input', async () => {
  const { mock, thread } = setUp()
  mock.script('support', [interrupt('?'), ({ resume }) => `You said ${JSON.stringify(resume)}`])
  await thread.start('support')
  await thread.untilEnd({ channels: [] })
  await thread.start('support', { input: { approved: true } })
  await thread.untilEnd({ channels: [] }, 2)
  expect(JSON.stringify(await thread.command('state.get'))).toContain('approved')
})

test('a run that fails ends with its error', async () => {
  const { mock, thread } = setUp()
  mock.script('support', ['Half', fail('Broken')])
  await thread.start('support')
  const events = await thread.untilEnd({ channels: [] })
  expect(events.at(-1)?.params.data).toEqual({ event: 'failed', graph_name: 'support', error: 'Broken' })
})

test('a message that a failing node has not finished ends with an error', async () => {
  const half = defineGraph({
    nodes: {
      half: (_state, { token, messageId }) => {
        token(messageId(), 'Half')
        throw new Error('Broken')
      },
    },
  })
  const { thread } = setUp({ graphs: { half } })
  await thread.start('half')
  const events = await thread.untilEnd({ channels: ['messages'] })
  expect(events.at(-2)?.params.data).toEqual({ event: 'error', message: 'Broken' })
})

test('lists checkpoints and starts a run at an earlier one', async () => {
  const { thread } = setUp()
  await thread.start('echo')
  await thread.untilEnd({ channels: [] })
  const { result } = await thread.command('state.listCheckpoints', { limit: 2 })
  const checkpoints = result['checkpoints'] as { id: string; step: number; node_name: string }[]
  expect(checkpoints).toMatchObject([
    { step: 2, node_name: 'second' },
    { step: 1, node_name: 'first' },
  ])
  const before = { before: checkpoints[1]?.id, limit: 1 }
  expect(await thread.command('state.listCheckpoints', before)).toMatchObject({
    result: { checkpoints: [{ step: 0 }] },
  })
  expect(await thread.command('state.fork', { checkpoint_id: checkpoints[1]?.id, ...say('B') })).toMatchObject({
    type: 'success',
    result: { thread_id: thread.id },
  })
  expect(await thread.command('state.fork', { checkpoint_id: 'nope' })).toMatchObject({ error: 'no_such_checkpoint' })
})

test.each([
  ['an unknown command', 'nope', {}, 'unknown_command', /Expected one of run.start, .*received "nope"/],
  ['a run without an assistant', 'run.start', say('A'), 'invalid_argument', /"assistant_id": expected string/],
  ['an unknown assistant', 'run.start', { assistant_id: 'nope' }, 'invalid_argument', /No assistant found for "nope"/],
  ['a response without an interrupt', 'input.respond', {}, 'invalid_argument', /expected an interrupt_id/],
  ['a response on an unknown thread', 'input.respond', { interrupt_id: 'a' }, 'no_such_run', /not found/],
  ['a message for an executing run', 'input.inject', {}, 'not_supported', /start another run/],
  ['a subscription', 'subscription.subscribe', {}, 'not_supported', /stream\/events/],
])('refuses %s', async (_name, method, params, error, text) => {
  const { thread } = setUp()
  expect(await thread.command(method, params)).toEqual({
    type: 'error',
    id: 1,
    error,
    message: expect.stringMatching(text),
  })
})

test.each<[string, object, RegExp]>([
  ['no channels', {}, /channels/],
  [
    'an unknown channel',
    { channels: ['values', 'nope'] },
    /expected one of values, .*custom:NAME.*received \\"nope\\"/,
  ],
  ['a namespace that is not a list', { channels: ['values'], namespaces: ['a'] }, /namespaces/],
  ['a negative number', { channels: ['values'], since: -1 }, /since/],
])('refuses a stream with %s', async (_name, filter, text) => {
  for (const [dialect, status] of [
    ['spec', 422],
    ['agent-server', 422],
    ['js-dev', 400],
  ] as [DialectName, number][]) {
    const { send } = clientOf(createMockServer({ dialect }))
    const response = await send('POST', `/threads/${crypto.randomUUID()}/stream/events`, filter)
    expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(text)])
  }
})

test('the dialects differ as the public servers do', async () => {
  const agentServer = setUp({ dialect: 'agent-server' }).thread
  expect(await agentServer.command('state.get')).toMatchObject({ error: 'unknown_command' })
  await agentServer.start('echo')
  expect((await agentServer.untilEnd({ channels: ALL })).map(shape)).toEqual([
    'lifecycle running',
    'values',
    'values',
    'values',
    'lifecycle completed',
  ])

  const { mock, thread } = setUp({ dialect: 'js-dev' })
  const body = { id: 1, method: 'run.start', params: { assistant_id: 'nope' } }
  expect((await clientOf(mock).send('POST', `/threads/${thread.id}/commands`, body)).status).toBe(404)
  await thread.start('chat')
  const events = await thread.untilEnd({ channels: ['messages'] })
  expect(events.map(shape)).toEqual(expect.arrayContaining(['lifecycle started chat', 'lifecycle completed chat']))
})

test('custom authentication hides the events and the runs of other users', async () => {
  const mock = createMockServer({ auth: testGraphsAuth })
  const ada = new ThreadClient(mock, { authorization: 'Bearer touchstone-alice' })
  const bob = Object.assign(new ThreadClient(mock, { authorization: 'Bearer touchstone-bob' }), { id: ada.id })
  await ada.start('echo')
  await ada.untilEnd({ channels: [] })
  expect(await bob.start('echo')).toMatchObject({ type: 'error' })
  const events: ProtocolEvent[] = []
  for await (const event of bob.events({ channels: ALL })) events.push(event)
  expect(events).toEqual([])
})

test('200 subscribers of one thread receive every event', async () => {
  const { mock, thread } = setUp()
  mock.script('support', stream('a b c d e f g h'))
  const subscribers = Array.from({ length: 200 }, () => thread.untilEnd({ channels: ALL }))
  await thread.start('support')
  const [first, ...others] = await Promise.all(subscribers)
  expect(first?.length).toBeGreaterThan(15)
  for (const events of others) expect(events).toEqual(first)
})
