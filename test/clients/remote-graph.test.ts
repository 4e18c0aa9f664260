import { Command } from '@langchain/langgraph'
import { RemoteGraph } from '@langchain/langgraph/remote'
import { Client } from '@langchain/langgraph-sdk'
import { Client as Client2 } from 'langgraph-sdk-2'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen } from '../../mock-server/adapters/node.ts'
import type { DialectName } from '../../mock-server/deployment/dialect.ts'
import type { NodeContext } from '../../mock-server/graphs/types.ts'
import { createMockServer, defineGraph } from '../../mock-server/index.ts'
import { interrupt } from '../../mock-server/scripting/steps.ts'
import { startMockServer } from '../fixtures/start-mock-server.ts'
import { contents, human } from '../mock-server/sdk/context.ts'
import { methodsOfRemoteGraph, remoteGraphCalls, tryRemoteGraph } from '../mock-server/sdk/remote-graph.ts'
import { nameOf } from '../mock-server/sdk/table.ts'

const dialects: DialectName[] = ['spec', 'agent-server', 'js-dev']

describe.each(dialects)('the dialect %s', (dialect) => {
  test.each(remoteGraphCalls.map((call) => [nameOf(call), call] as const))('RemoteGraph: %s', async (_name, call) => {
    const url = await startMockServer({ dialect })
    if (call.refused === undefined) await tryRemoteGraph(call, url)
    else await expect(tryRemoteGraph(call, url)).rejects.toThrow(call.refused)
  })

  test('RemoteGraph resumes an interrupt', async () => {
    const mock = createMockServer({ dialect })
    mock.script('support', [interrupt('Publish?'), ({ resume }) => `You said ${resume}`])
    const client = new Client({ apiUrl: 'http://mock', callerOptions: { fetch: mock.fetch } })
    // The package has its own version of the client.
    const graph = new RemoteGraph({ graphId: 'support', client: client as never })
    const config = { configurable: { thread_id: crypto.randomUUID() } }
    await expect(graph.invoke(human('hi'), config)).rejects.toThrow('Publish?')
    expect(contents(await graph.invoke(new Command({ resume: 'yes' }), config)).at(-1)).toBe('You said yes')
  })

  test('RemoteGraph streams messages in events of version 3', async () => {
    // The client receives messages only if it asks for them before the run ends.
    const { promise: isAsked, resolve } = Promise.withResolvers<void>()
    const answer = async (_state: unknown, { messageId, token }: NodeContext) => {
      await isAsked
      const id = messageId()
      await token(id, 'done')
      return { messages: [{ role: 'ai', id, content: 'done' }] }
    }
    const mock = createMockServer({ dialect, graphs: { patient: defineGraph({ nodes: { answer } }) } })
    const watch = async (request: Request) => {
      const body = await request.clone().text()
      const response = await mock.fetch(request)
      if (request.url.endsWith('/stream/events') && body.includes('messages')) resolve()
      return response
    }
    const server = await listen({ handle: watch }, { port: 0 })
    onTestFinished(server.close)
    const graph = new RemoteGraph({ graphId: 'patient', url: server.url })
    const run = await graph.streamEvents(human('a b'), { version: 'v3' })
    const texts: string[] = []
    for await (const { text } of run.messages) texts.push(await text)
    expect(texts).toEqual(['done'])
    expect(contents(await run.output)).toEqual(['a b', 'done'])
  })
})

test('the tests cover every method of RemoteGraph', () => {
  expect(new Set(remoteGraphCalls.map(({ method }) => method))).toEqual(new Set(methodsOfRemoteGraph()))
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
