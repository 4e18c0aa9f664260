import { expect, test } from 'vitest'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { callTool } from '../../mock-server/scripting/steps.ts'
import { clientOf, say } from '../fixtures/mock-client.ts'

interface LangChainEvent {
  event: string
  name: string
  run_id: string
  tags: string[]
  parent_ids?: string[]
  data: Record<string, unknown>
}

async function eventsOf(dialect: DialectName, graph: string): Promise<LangChainEvent[]> {
  const { thread, stream } = clientOf(createMockServer({ dialect }))
  const body = { assistant_id: graph, stream_mode: ['events'], config: { tags: ['t'] }, ...say('a') }
  const events = await stream(await thread(), body)
  return events.filter(({ event }) => event === 'events').map(({ data }) => data as LangChainEvent)
}

test.each<DialectName>(['spec', 'agent-server'])(
  'mode events shows the run, its nodes and their tokens (%s)',
  async (dialect) => {
    const events = await eventsOf(dialect, 'chat')
    expect(events.map(({ event, name, parent_ids }) => `${event} ${name} ${parent_ids?.length}`)).toEqual([
      'on_chain_start chat 0',
      'on_chain_start chat 1',
      'on_chat_model_start model 2',
      'on_chat_model_stream model 2',
      'on_chat_model_stream model 2',
      'on_chat_model_end model 2',
      'on_chain_stream chat 1',
      'on_chain_end chat 1',
      'on_chain_end chat 0',
    ])
    const [run, node] = events
    expect(run).toMatchObject({ tags: ['t'], data: { input: say('a').input } })
    expect(node).toMatchObject({ tags: ['graph:step:1', 't'], parent_ids: [run?.run_id] })
    expect(events.at(-1)?.data).toMatchObject({ output: { messages: [{ content: 'a' }, { content: 'chat: a' }] } })
  },
)

test('js-dev names the run LangGraph and shows no ancestors', async () => {
  const events = await eventsOf('js-dev', 'fail')
  expect(events.map(({ event, name, parent_ids }) => `${event} ${name} ${parent_ids?.length}`)).toEqual([
    'on_chain_start LangGraph undefined',
    'on_chain_start before undefined',
    'on_chain_end before undefined',
    'on_chain_start boom undefined',
  ])
})

test('mode tools shows scripted tool calls', async () => {
  const mock = createMockServer()
  mock.script('support', [
    callTool('lookup', { order: 7 }, 'shipped', { id: 'call_1' }),
    { callTool: { name: 'refund', args: { order: 7 }, id: 'call_2', error: 'declined' } },
  ])
  const { thread, stream } = clientOf(mock)
  const events = await stream(await thread(), { assistant_id: 'support', stream_mode: ['tools'], ...say('?') })
  expect(events.filter(({ event }) => event === 'tools').map(({ data }) => data)).toEqual([
    { event: 'on_tool_start', toolCallId: 'call_1', name: 'lookup', input: { order: 7 } },
    { event: 'on_tool_end', toolCallId: 'call_1', name: 'lookup', output: 'shipped' },
    { event: 'on_tool_start', toolCallId: 'call_2', name: 'refund', input: { order: 7 } },
    { event: 'on_tool_error', toolCallId: 'call_2', name: 'refund', error: 'declined' },
  ])
})

test('agent-server refuses the mode tools', async () => {
  const { thread, send } = clientOf(createMockServer({ dialect: 'agent-server' }))
  const body = { assistant_id: 'echo', stream_mode: ['values', 'tools'], ...say('A') }
  const response = await send('POST', `/threads/${(await thread()).thread_id}/runs/stream`, body)
  expect([response.status, await response.text()]).toEqual([422, expect.stringContaining('expected one of values')])
})
