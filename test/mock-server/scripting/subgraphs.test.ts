import { Client } from '@langchain/langgraph-sdk'
import { expect, test } from 'vitest'
import type { DialectName } from '../../../mock-server/deployment/dialect.ts'
import { createMockServer, defineGraph, type MockServer } from '../../../mock-server/index.ts'
import { checkScenario } from '../../../mock-server/scripting/scenario.ts'
import {
  callTool,
  emit,
  fail,
  interrupt,
  type Step,
  say,
  stream,
  subgraph,
} from '../../../mock-server/scripting/steps.ts'
import { clientOf, eventReader } from '../../fixtures/mock-client.ts'

// The names of events are those of langgraph-api 0.16.7 and @langchain/langgraph-api 1.5.1 for graphs with subgraphs.

type Mode = 'updates' | 'values' | 'custom' | 'messages-tuple' | 'messages' | 'tasks'

/** Returns the events of a run on the graph `support`: their names without ids, and what `show` returns for their data. */
async function eventsOf(
  mock: MockServer,
  streamMode: Mode | Mode[],
  options: { streamSubgraphs?: boolean; show?: (data: unknown) => unknown } = {},
): Promise<unknown[]> {
  const { streamSubgraphs = true, show = (data) => JSON.stringify(data).match(/(?<="content":").*?(?=")/g) } = options
  const client = new Client({ apiUrl: 'http://mock', callerOptions: { fetch: mock.fetch } })
  const events: unknown[] = []
  const input = { messages: [{ role: 'user', content: 'hi' }] }
  for await (const { event, data } of client.runs.stream(null, 'support', { input, streamMode, streamSubgraphs })) {
    if (event !== 'metadata') events.push([event.replaceAll(/:[0-9a-f-]{36}/g, ''), show(data)])
  }
  return events
}

/** A server whose graph `support` has these steps. */
function mockWith(steps: readonly (string | Step)[], dialect: DialectName = 'spec'): MockServer {
  const mock = createMockServer({ dialect })
  mock.script('support', steps).repeat()
  return mock
}

const research = subgraph('research', stream('found it'), emit('ranking'), say('ranked', { node: 'rank' }))

test.each<DialectName>(['spec', 'agent-server', 'js-dev'])(
  'events of a subgraph have the namespace of its node (%s)',
  async (dialect) => {
    const mock = mockWith(['plan', research, 'done'], dialect)
    expect(await eventsOf(mock, ['updates', 'values', 'custom'])).toEqual([
      ['values', ['hi']],
      ['updates', ['plan']],
      ['values', ['hi', 'plan']],
      ['values|research', ['hi', 'plan']],
      ['updates|research', ['found it']],
      ['values|research', ['hi', 'plan', 'found it']],
      ['custom|research', null],
      ['updates|research', ['ranked']],
      ['values|research', ['hi', 'plan', 'found it', 'ranked']],
      ['updates', ['found it', 'ranked']],
      ['values', ['hi', 'plan', 'found it', 'ranked']],
      ['updates', ['done']],
      ['values', ['hi', 'plan', 'found it', 'ranked', 'done']],
    ])
  },
)

test('without stream_subgraphs, a subgraph is one node', async () => {
  const mock = mockWith(['plan', research])
  expect(await eventsOf(mock, ['updates', 'custom', 'messages-tuple'], { streamSubgraphs: false })).toEqual([
    ['updates', ['plan']],
    ['messages', ['plan']],
    ['updates', ['found it', 'ranked']],
    ['messages', ['found it']],
    ['messages', ['ranked']],
  ])
})

test('subgraphs can contain tools and further subgraphs', async () => {
  const mock = mockWith([subgraph('deep', subgraph('inner', callTool('lookup', {}, 'shipped')), 'done')])
  const show = (data: unknown) => Object.keys(data as object)
  expect(await eventsOf(mock, 'updates', { show })).toEqual([
    ['updates|deep|inner', ['agent']],
    ['updates|deep|inner', ['tools']],
    ['updates|deep', ['inner']],
    ['updates|deep', ['agent']],
    ['updates', ['deep']],
  ])
})

test('tokens of a subgraph name their node', async () => {
  const mock = mockWith([subgraph('research', stream('found it'))])
  const show = (data: unknown) => {
    const [{ content }, metadata] = data as [{ content: string }, Record<string, string>]
    const { langgraph_node, langgraph_step, langgraph_checkpoint_ns } = metadata
    return [content, langgraph_node, langgraph_step, langgraph_checkpoint_ns?.replaceAll(/:[0-9a-f-]{36}/g, '')]
  }
  expect(await eventsOf(mock, 'messages-tuple', { show })).toEqual([
    ['messages|research', ['found', 'agent', 1, 'research|agent']],
    ['messages|research', [' it', 'agent', 1, 'research|agent']],
  ])
})

test.each<DialectName>(['spec', 'agent-server'])('the mode messages has each message once (%s)', async (dialect) => {
  const events = await eventsOf(mockWith([research], dialect), 'messages')
  const complete = events.filter((event) => String(event).includes('ranked'))
  expect(complete).toEqual([['messages/complete', ['ranked']]])
})

test('the state after a run has the messages of its subgraphs', async () => {
  const client = new Client({ apiUrl: 'http://mock', callerOptions: { fetch: mockWith(['plan', research]).fetch } })
  const { thread_id } = await client.threads.create()
  await client.runs.wait(thread_id, 'support', { input: {} })
  const history = await client.threads.getHistory<{ messages: { content: string }[] }>(thread_id)
  expect(history[0]?.values.messages.map(({ content }) => content)).toEqual(['plan', 'found it', 'ranked'])
  expect(history.map(({ next }) => next)).toEqual([[], ['research'], ['agent'], ['__start__']])
})

test('an error in a subgraph fails its node, and the run', async () => {
  const mock = mockWith(['plan', subgraph('research', 'found', fail(new RangeError('no such order')))])
  const show = (data: unknown) => (data as { error?: unknown }).error ?? null
  expect(await eventsOf(mock, 'tasks', { show })).toEqual([
    ['tasks', null],
    ['tasks', null],
    ['tasks', null],
    ['tasks|research', null],
    ['tasks|research', null],
    ['tasks|research', null],
    ['tasks|research', 'RangeError: no such order'],
    ['tasks', 'RangeError: no such order'],
    ['error', 'RangeError'],
  ])
})

test('the second stream protocol starts and ends the namespace of a subgraph', async () => {
  const { post, send } = clientOf(mockWith([research]))
  const thread = `/threads/${crypto.randomUUID()}`
  const params = { assistant_id: 'support', input: {} }
  await post(`${thread}/commands`, { id: 1, method: 'run.start', params })
  const events: string[] = []
  const channels = ['messages', 'lifecycle']
  for await (const { data } of eventReader(await send('POST', `${thread}/stream/events`, { channels }))) {
    const { method, params } = data as { method: string; params: { namespace: string[]; data: { event: string } } }
    events.push([method, params.data.event, ...params.namespace].join(' ').replaceAll(/:[0-9a-f-]{36}/g, ''))
    if (events.at(-1) === 'lifecycle completed') break
  }
  const ofSubgraph = events.filter((event) => event.endsWith(' research'))
  expect(ofSubgraph.filter((event) => event.startsWith('lifecycle'))).toEqual([
    'lifecycle started research',
    'lifecycle completed research',
  ])
  expect(ofSubgraph.filter((event) => event.startsWith('messages'))).toEqual([
    'messages message-start research',
    'messages content-block-start research',
    'messages content-block-delta research',
    'messages content-block-delta research',
    'messages content-block-finish research',
    'messages message-finish research',
    'messages message-start research',
    'messages content-block-start research',
    'messages content-block-delta research',
    'messages content-block-finish research',
    'messages message-finish research',
  ])
})

test('a node with its own code can run a subgraph, which an interrupt restarts', async () => {
  const review = defineGraph({
    nodes: {
      ask: (_state, { interrupt: ask }) => ({ messages: [{ role: 'ai', content: `You said ${ask('Publish?')}` }] }),
      note: () => ({ reviewed: true }),
    },
  })
  const graph = defineGraph({ nodes: { review: (_state, context) => context.subgraph(review) } })
  const mock = createMockServer({ graphs: { support: graph } })
  const client = new Client({ apiUrl: 'http://mock', callerOptions: { fetch: mock.fetch } })
  const { thread_id } = await client.threads.create()
  expect(await client.runs.wait(thread_id, 'support', { input: {} })).toMatchObject({
    __interrupt__: [{ value: 'Publish?' }],
  })
  expect(await client.runs.wait(thread_id, 'support', { command: { resume: 'yes' } })).toMatchObject({
    messages: [{ content: 'You said yes' }],
    reviewed: true,
  })
})

test.each<[part: unknown, message: string]>([
  [{ subgraph: 'a', steps: [] }, 'Field "steps": '],
  [{ subgraph: 'a', steps: [{ pause: '1s' }] }, 'Field "steps.0.pause": expected number, received "1s"'],
  [
    { subgraph: 'a', steps: ['x', interrupt('?')] },
    'Field "steps.1": expected a step without "interrupt" in a subgraph',
  ],
  [
    { subgraph: 'a', steps: [{ subgraph: 'b', steps: [{ sya: 1 }] }] },
    'Field "steps.0.steps.0": expected a text or an object with one of say',
  ],
  [
    { subgraph: 'a', steps: [() => 'x'] },
    'Field "steps.0": expected a text or a step in a subgraph, received a function',
  ],
])('rejects the step %j', (part, message) => {
  expect(() => checkScenario({ graphs: { a: [part] } })).toThrow(`Reply 1 of the graph "a": ${message}`)
})
