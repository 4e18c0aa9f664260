import { Command, GraphInterrupt, Send } from '@langchain/langgraph'
import { RemoteGraph } from '@langchain/langgraph/remote'
import { Client } from '@langchain/langgraph-sdk'
import { expect } from 'vitest'
import { contents, human } from './context.ts'

/** A call of a method of RemoteGraph. */
interface RemoteGraphCall {
  readonly method: string
  /** The variant of the method. */
  readonly how?: string
  /** The message with which the class refuses the call, if it does. */
  readonly refused?: string
  /** Makes the call on the graph `echo`, with a thread that the first run creates. */
  readonly try: (graph: RemoteGraph, config: { configurable: { thread_id: string } }, client: Client) => Promise<void>
}

/** Creates a graph `echo` and the configuration of a new thread, and makes a call. */
export function tryRemoteGraph(call: RemoteGraphCall, url: string): Promise<void> {
  const client = new Client({ apiUrl: url })
  return call.try(remoteGraph('echo', client), { configurable: { thread_id: crypto.randomUUID() } }, client)
}

function remoteGraph(graphId: string, client: Client): RemoteGraph {
  // The package has its own version of the client.
  return new RemoteGraph({ graphId, client: client as never })
}

/** The methods that the class defines. Those of Runnable, such as `batch`, call these. */
export function methodsOfRemoteGraph(): string[] {
  return Object.getOwnPropertyNames(RemoteGraph.prototype)
    .map((name) => (name === '_streamIterator' ? 'stream' : name))
    .filter((name) => name !== 'constructor' && !name.startsWith('_'))
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const ECHO = ['hi', 'first: hi', 'second: hi']

export const remoteGraphCalls: readonly RemoteGraphCall[] = [
  {
    method: 'withConfig',
    try: async (graph, config) => {
      const bound = graph.withConfig(config)
      await bound.invoke(human('hi'))
      expect(contents((await bound.getState({})).values)).toEqual(ECHO)
    },
  },
  {
    method: 'invoke',
    try: async (graph) => expect(contents(await graph.invoke(human('hi')))).toEqual(ECHO),
  },
  {
    method: 'invoke',
    how: 'to resume a run',
    try: async (graph, config, client) => {
      const interrupted = graph.invoke(human('hi'), { ...config, interruptBefore: ['second'] })
      await expect(interrupted).rejects.toThrow(GraphInterrupt)
      // The class has left the stream before the end of the run.
      const { thread_id } = config.configurable
      const [run] = await client.runs.list(thread_id)
      await client.runs.join(thread_id, run?.run_id ?? '')
      expect(contents(await graph.invoke(new Command({ resume: 'x' }), config))).toEqual(ECHO)
    },
  },
  {
    method: 'invoke',
    how: 'with several nodes',
    try: async (graph, config) => {
      await graph.invoke(human('hi'), config)
      const values = await graph.invoke(new Command({ goto: ['first', 'second'] }), config)
      expect(contents(values).slice(3)).toEqual(['first: hi', 'second: hi', 'second: hi'])
    },
  },
  {
    method: 'invoke',
    how: 'with inputs of nodes',
    try: async (graph, config) => {
      await graph.invoke(human('hi'), config)
      const sends = [new Send('second', human('one')), new Send('second', human('two'))]
      const values = await graph.invoke(new Command({ goto: sends }), config)
      expect(contents(values).slice(3)).toEqual(['second: one', 'second: two'])
    },
  },
  {
    method: 'stream',
    try: async (graph) => {
      const updates = await all(await graph.stream(human('hi'), { streamMode: 'updates' }))
      expect(updates.map((update) => Object.keys(update))).toEqual([['first'], ['second']])
    },
  },
  {
    method: 'streamEvents',
    try: async (graph) => {
      const run = await graph.streamEvents(human('hi'), { version: 'v3' })
      expect(contents((await all(run.values)).at(-1))).toEqual(ECHO)
    },
  },
  {
    method: 'updateState',
    try: async (graph, config) => {
      await graph.invoke(human('hi'), config)
      const edited = { messages: [{ role: 'ai', content: 'edited' }] }
      const { values, next } = await graph.getState(await graph.updateState(config, edited, 'first'))
      expect([contents(values).at(-1), next]).toEqual(['edited', ['second']])
    },
  },
  {
    method: 'getStateHistory',
    try: async (graph, config) => {
      await graph.invoke(human('hi'), config)
      const states = await all(graph.getStateHistory(config))
      expect(states.map(({ next }) => next)).toEqual([[], ['second'], ['first'], ['__start__']])
    },
  },
  {
    method: 'getState',
    try: async (graph, config) => {
      await graph.invoke(human('hi'), config)
      const { values, next } = await graph.getState(config)
      expect([contents(values), next]).toEqual([ECHO, []])
    },
  },
  {
    method: 'getGraph',
    refused: 'The synchronous "getGraph" is not supported for this graph. Call "getGraphAsync" instead.',
    try: async (graph) => void graph.getGraph(),
  },
  {
    method: 'getGraphAsync',
    try: async (graph) => {
      const { nodes } = await graph.getGraphAsync()
      expect(Object.keys(nodes)).toEqual(['__start__', 'first', 'second', '__end__'])
    },
  },
  {
    method: 'getSubgraphs',
    refused: 'The synchronous "getSubgraphs" method is not supported for this graph. Call "getSubgraphsAsync" instead.',
    try: async (graph) => void graph.getSubgraphs(),
  },
  {
    method: 'getSubgraphsAsync',
    try: async (_graph, _config, client) => {
      // The public Python server refuses the name of a graph here.
      const [assistant] = await client.assistants.search({ graphId: 'echo' })
      const graph = remoteGraph(assistant?.assistant_id ?? '', client)
      expect(await all(graph.getSubgraphsAsync())).toEqual([])
    },
  },
]
