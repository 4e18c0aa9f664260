import { Command, Send } from '@langchain/langgraph'
import { RemoteGraph } from '@langchain/langgraph/remote'
import { Client } from '@langchain/langgraph-sdk'
import { Client as Client2 } from 'langgraph-sdk-2'
import { expect, test } from 'vitest'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import { createMockServer } from '../../mock-server/index.ts'
import { interrupt } from '../../mock-server/scripting/steps.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'
import { contents, human } from '../mock-server/sdk/context.ts'

const dialects: DialectName[] = ['spec', 'agent-server', 'js-dev']

/** A graph of a mock server as a part of another graph. */
async function remote(dialect: DialectName, graphId: string) {
  const mock = createMockServer({ dialect })
  mock.script('support', [interrupt('Publish?'), ({ resume }) => `You said ${resume}`])
  const client = new Client({ apiUrl: 'http://mock', callerOptions: { fetch: mock.fetch } })
  const { thread_id } = await client.threads.create()
  // The package has its own version of the client.
  const options = { graphId, client: client as never }
  return { graph: new RemoteGraph(options), config: { configurable: { thread_id } } }
}

test.each(dialects)('RemoteGraph draws, invokes and reads a graph (%s)', async (dialect) => {
  const { graph, config } = await remote(dialect, 'echo')
  const { nodes } = await graph.getGraphAsync()
  expect(Object.keys(nodes)).toEqual(['__start__', 'first', 'second', '__end__'])
  expect(contents(await graph.invoke(human('hi'), config))).toEqual(['hi', 'first: hi', 'second: hi'])
  expect(contents((await graph.getState(config)).values)).toHaveLength(3)
})

test.each(dialects)('RemoteGraph resumes an interrupt and jumps to a node (%s)', async (dialect) => {
  const scripted = await remote(dialect, 'support')
  await scripted.graph.invoke(human('hi'), scripted.config).catch(() => undefined)
  const resumed = await scripted.graph.invoke(new Command({ resume: 'yes' }), scripted.config)
  expect(contents(resumed).at(-1)).toBe('You said yes')

  const { graph, config } = await remote(dialect, 'echo')
  await graph.invoke(human('hi'), config)
  const jumped = await graph.invoke(new Command({ goto: new Send('second', human('sent')) }), config)
  expect(contents(jumped).at(-1)).toBe('second: sent')
})

test.each(dialects)('RemoteGraph jumps to several nodes at once (%s)', async (dialect) => {
  const { graph, config } = await remote(dialect, 'echo')
  await graph.invoke(human('hi'), config)
  const names = await graph.invoke(new Command({ goto: ['first', 'second'] }), config)
  expect(contents(names).slice(3)).toEqual(['first: hi', 'second: hi', 'second: hi'])
  const sends = [new Send('second', human('one')), new Send('second', human('two'))]
  const sent = await graph.invoke(new Command({ goto: sends }), config)
  expect(contents(sent).slice(6)).toEqual(['second: one', 'second: two'])
})

test.each(dialects)('RemoteGraph streams events of version 3 (%s)', async (dialect) => {
  // This method ignores the `fetch` of the client.
  const url = await startMockServer({ dialect })
  const graph = new RemoteGraph({ graphId: 'chat', url })
  const run = await graph.streamEvents(human('a b'), { version: 'v3' })
  const texts: string[] = []
  for await (const { text } of run.messages) texts.push(await text)
  expect(texts).toEqual(['chat: a b'])
  expect(contents(await run.output)).toEqual(['a b', 'chat: a b'])
})

test.each(dialects)('the SDK 2.0.0 runs a graph (%s)', async (dialect) => {
  const mock = createMockServer({ dialect })
  const client = new Client2({ apiUrl: 'http://mock', callerOptions: { fetch: mock.fetch as typeof fetch } })
  const { thread_id } = await client.threads.create()
  const events: string[] = []
  const stream = client.runs.stream(thread_id, 'echo', { input: human('hi'), streamMode: ['updates', 'events'] })
  for await (const { event } of stream) events.push(event)
  expect(new Set(events)).toEqual(new Set(['metadata', 'updates', 'events']))
  expect(contents((await client.threads.getState(thread_id)).values)).toEqual(['hi', 'first: hi', 'second: hi'])
})
