import { expect, test } from 'vitest'
import type { DialectName } from '../../../mock-server/deployment/dialect.ts'
import { createMockServer, defineGraph } from '../../../mock-server/index.ts'
import { manualClock } from '../../../mock-server/runtime/clock.ts'
import type { CallToolStep, StreamStep } from '../../../mock-server/scripting/steps.ts'
import { callTool, callTools, stream } from '../../../mock-server/scripting/steps.ts'
import { clientOf, eventReader, eventsOf, type MockClient, say } from '../../fixtures/mock-client.ts'

// The shapes are those of langgraph-api 0.16.7 with a model that streams the same chunks.

const usage_metadata = { input_tokens: 7, output_tokens: 5, total_tokens: 12 }

/** A server whose graph `support` sends this step, and a client for it. */
function clientFor(step: StreamStep | CallToolStep, dialect: DialectName = 'spec'): MockClient {
  const mock = createMockServer({ dialect })
  mock.script('support', step)
  return clientOf(mock)
}

/** Returns the messages that a run streams in a mode, without fields that are the same in all of them. */
async function messagesIn(mode: 'messages' | 'messages-tuple', step: StreamStep | CallToolStep): Promise<unknown[]> {
  const { send } = clientFor(step)
  const body = { assistant_id: 'support', stream_mode: [mode], input: {} }
  const events = await eventsOf(await send('POST', '/runs/stream', body))
  return events
    .filter(({ event }) => event === 'messages' || event === 'messages/partial')
    .map(({ data }) => {
      const [message] = data as [Record<string, unknown>]
      const { additional_kwargs, response_metadata, name, example, id, type, ...rest } = message
      return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null && String(value) !== ''))
    })
}

const chunk = (index: number, args: string, call: { id: string; name: string } | undefined = undefined) => {
  return { type: 'tool_call_chunk', index, id: call?.id ?? null, name: call?.name ?? null, args }
}
const toolCall = (name: string, args: object, id: string | null) => ({ name, args, id, type: 'tool_call' })

test('a tool call is streamed by parts of its arguments', async () => {
  const lookup = callTool('lookup', { order: 7 }, undefined, { id: 'call_1' })
  const weather = callTool('weather', {}, undefined, { id: 'call_2' })
  const step = { ...callTools(lookup, weather), content: 'Let me look.', streamed: true, message: { usage_metadata } }
  expect(await messagesIn('messages-tuple', step)).toEqual([
    { content: 'Let' },
    { content: ' me' },
    { content: ' look.' },
    {
      tool_calls: [toolCall('lookup', {}, 'call_1')],
      tool_call_chunks: [chunk(0, '', { id: 'call_1', name: 'lookup' })],
    },
    { tool_calls: [toolCall('', {}, null)], tool_call_chunks: [chunk(0, '{"orde')] },
    {
      invalid_tool_calls: [{ type: 'invalid_tool_call', name: null, args: 'r":7}', id: null, error: null }],
      tool_call_chunks: [chunk(0, 'r":7}')],
    },
    {
      tool_calls: [toolCall('weather', {}, 'call_2')],
      tool_call_chunks: [chunk(1, '', { id: 'call_2', name: 'weather' })],
    },
    { tool_calls: [toolCall('', {}, null)], tool_call_chunks: [chunk(1, '{}')] },
    { usage_metadata },
  ])
})

test('the mode messages contains the calls so far', async () => {
  const step = callTool('lookup', { order: 7, note: 'a "b"' }, undefined, { id: 'call_1', streamed: true })
  expect(await messagesIn('messages', step)).toEqual(
    [{}, {}, { order: 7 }, { order: 7 }, { order: 7, note: 'a "b' }, { order: 7, note: 'a "b"' }].map((args) => ({
      tool_calls: [toolCall('lookup', args, 'call_1')],
    })),
  )
})

test('the state after a streamed call is that of a call at once', async () => {
  const mock = createMockServer()
  const options = { id: 'call_1', content: 'Let me look.', message: { id: 'message_1', usage_metadata } }
  const call = callTool('lookup', { order: 7 }, 'shipped', options)
  mock.script('support', { ...call, streamed: true }, call)
  const { post } = clientOf(mock)
  const [streamed, atOnce] = [
    await post('/runs/wait', { assistant_id: 'support', input: {} }),
    await post('/runs/wait', { assistant_id: 'support', input: {} }),
  ].map((values) => (values as { messages: object[] }).messages)
  expect(streamed?.[0]).toEqual(atOnce?.[0])
  expect(streamed?.[1]).toMatchObject({ type: 'tool', content: 'shipped', tool_call_id: 'call_1' })
})

test('reasoning is streamed before the text, as blocks', async () => {
  const step = stream(['On its', ' way.'], { reasoning: ['Hmm', ', easy.'], message: { usage_metadata } })
  const block = (type: 'reasoning' | 'text', text: string) => ({ type, [type]: text, index: type === 'text' ? 1 : 0 })
  expect(await messagesIn('messages-tuple', step)).toEqual([
    { content: [block('reasoning', 'Hmm')] },
    { content: [block('reasoning', ', easy.')] },
    { content: [block('text', 'On its')] },
    { content: [block('text', ' way.')] },
    { usage_metadata },
  ])
  const { post } = clientFor(step)
  expect(await post('/runs/wait', { assistant_id: 'support', input: {} })).toMatchObject({
    messages: [{ content: [block('reasoning', 'Hmm, easy.'), block('text', 'On its way.')], usage_metadata }],
  })
})

test.each<[DialectName, deltas: unknown[]]>([
  [
    'spec',
    ['{"orde', '{"order":7}'].map((args) => {
      return { type: 'block-delta', fields: { type: 'tool_call_chunk', id: 'call_1', name: 'lookup', args } }
    }),
  ],
  ['agent-server', ['{"orde', 'r":7}'].map((args) => ({ type: 'tool-call-delta', args }))],
])('the second stream protocol has blocks of reasoning and calls (%s)', async (dialect, deltas) => {
  const step = callTool('lookup', { order: 7 }, undefined, { id: 'call_1', streamed: true, reasoning: 'Hmm' })
  const { post, send } = clientFor({ ...step, message: { id: 'message_1', usage_metadata } }, dialect)
  const thread = `/threads/${crypto.randomUUID()}`
  const run = { assistant_id: 'support', ...say('A') }
  await post(`${thread}/commands`, { id: 1, method: 'run.start', params: run })
  const response = await send('POST', `${thread}/stream/events`, { channels: ['messages'] })
  const events: unknown[] = []
  for await (const data of messageEvents(response)) {
    events.push(data)
    if (data['event'] === 'message-finish') break
  }
  const delta = (index: number, content: unknown) => ({ event: 'content-block-delta', index, delta: content })
  const reasoning = (text: string) => ({ type: 'reasoning', reasoning: text, index: 0 })
  const call = { type: 'tool_call_chunk', id: 'call_1', name: 'lookup', args: '' }
  expect(events).toEqual([
    { event: 'message-start', role: 'ai', id: 'message_1' },
    { event: 'content-block-start', index: 0, content: reasoning('') },
    delta(0, { type: 'reasoning-delta', reasoning: 'Hmm' }),
    { event: 'content-block-start', index: 1, content: call },
    ...deltas.map((item) => delta(1, item)),
    { event: 'content-block-finish', index: 0, content: reasoning('Hmm') },
    { event: 'content-block-finish', index: 1, content: toolCall('lookup', { order: 7 }, 'call_1') },
    { event: 'message-finish', usage: usage_metadata },
  ])
})

/** Yields the data of the events of messages. */
async function* messageEvents(response: Response): AsyncGenerator<Record<string, unknown>> {
  for await (const { data } of eventReader(response)) {
    const { method, params } = data as { method: string; params: { data: Record<string, unknown> } }
    if (method === 'messages') yield params.data
  }
}

/** Returns the milliseconds by the server's clock that a message of five words takes. */
async function durationOf(options: Omit<StreamStep, 'stream'>): Promise<number> {
  const clock = manualClock(0)
  const mock = createMockServer({ clock })
  mock.script('support', stream('one two three four five', options))
  const { post } = clientOf(mock)
  let isOver = false
  const done = post('/runs/wait', { assistant_id: 'support', input: {} }).then(() => {
    isOver = true
  })
  while (!isOver) await clock.advance(1)
  await done
  return clock.now()
}

test('tokensPerSecond and jitter set the pace', async () => {
  const pace = { firstMs: 50, tokensPerSecond: 100 }
  expect(await durationOf(pace)).toBe(90)
  const [first, same, other] = [
    await durationOf({ ...pace, jitter: 0.9, seed: 7 }),
    await durationOf({ ...pace, jitter: 0.9, seed: 7 }),
    await durationOf({ ...pace, jitter: 0.9, seed: 9 }),
  ]
  expect(same).toBe(first)
  expect(other).not.toBe(first)
  for (const duration of [first, other]) {
    expect(duration).toBeGreaterThanOrEqual(9)
    expect(duration).toBeLessThanOrEqual(171)
  }
})

test('the arguments of a streamed call take the delays of its pace', async () => {
  const clock = manualClock(0)
  const mock = createMockServer({ clock })
  mock.script('support', callTool('lookup', { order: 7 }, undefined, { streamed: true, firstMs: 100, everyMs: 10 }))
  const { post, thread, send } = clientOf(mock)
  const { thread_id } = await thread()
  const { run_id } = await post<{ run_id: string }>(`/threads/${thread_id}/runs`, {
    assistant_id: 'support',
    input: {},
  })
  await clock.advance(119)
  const statusOf = async () => (await send('GET', `/threads/${thread_id}/runs/${run_id}`)).json()
  expect(await statusOf()).toMatchObject({ status: 'pending' })
  await clock.advance(1)
  expect(await statusOf()).toMatchObject({ status: 'success' })
})

test('a graph with its own code can stream chunks', async () => {
  const graph = defineGraph({
    nodes: {
      agent: (_state, { chunk: send, messageId }) => {
        const id = messageId()
        send(id, { content: [{ type: 'reasoning', reasoning: 'Hmm', index: 0 }] })
        send(id, { content: [{ type: 'text', text: 'Yes.', index: 1 }], usage_metadata })
        return { messages: [{ role: 'ai', id, content: 'Yes.' }] }
      },
    },
  })
  const { send } = clientOf(createMockServer({ graphs: { agent: graph } }))
  const body = { assistant_id: 'agent', stream_mode: ['messages'], input: {} }
  const events = await eventsOf(await send('POST', '/runs/stream', body))
  expect(events.filter(({ event }) => event === 'messages/partial').at(-1)?.data).toMatchObject([
    { content: [{ reasoning: 'Hmm' }, { text: 'Yes.' }], usage_metadata },
  ])
})

test.each([
  [{ stream: 'a', everyMs: 1, tokensPerSecond: 1 }, 'expected at most one of everyMs and tokensPerSecond'],
  [{ stream: 'a', jitter: 2 }, 'Field "jitter"'],
  [{ stream: 'a', tokensPerSecond: 0 }, 'Field "tokensPerSecond"'],
  [{ stream: 'a', reasoning: 5 }, 'Field "reasoning": expected a text, or an array of texts and pieces'],
  [{ callTool: { name: 'a', args: {} }, firstMs: 1 }, 'expected "streamed": true with any of reasoning, firstMs'],
])('rejects the step %j', (step, message) => {
  expect(() => createMockServer().script('support', step as unknown as StreamStep)).toThrow(message)
})
