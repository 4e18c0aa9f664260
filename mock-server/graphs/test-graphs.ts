import { defineGraph, type Graph } from './define.ts'
import { contentText } from './message.ts'
import type { GraphState, Message, MessageInput, Node } from './types.ts'

/** Revision of the test graphs; a suite reads it from the messages that the graphs produce. */
const REVISION = '1'

/** A message of type `ai` with the name of its graph and the revision in `response_metadata`. */
function testGraphMessage(graph: string, message: MessageInput): MessageInput {
  return { type: 'ai', response_metadata: { kit: { graph, revision: REVISION } }, ...message }
}

/** Returns the text of the newest human message; an empty string without one. */
export function textOf(state: GraphState): string {
  return contentText(state.messages.findLast((message) => message.type === 'human')?.content ?? '')
}

/** Two nodes that each repeat the newest human message. */
const echo: Graph = defineGraph({ nodes: { first: say('echo', 'first'), second: say('echo', 'second') } })

const DEFAULT_DELAY_MS = 1000

/** Sends a message, waits `configurable.delay_ms` milliseconds, and sends another message. */
const slow: Graph = defineGraph({
  nodes: {
    before: say('slow', 'before'),
    sleep: async (_state, { config, sleep }) => {
      await sleep(delay(config.configurable['delay_ms']))
    },
    after: say('slow', 'after'),
  },
})

function delay(value: unknown): number {
  if (value === undefined) return DEFAULT_DELAY_MS
  if (typeof value === 'number' && value >= 0) return value
  throw new RangeError(`configurable.delay_ms must be a number of milliseconds, received ${JSON.stringify(value)}`)
}

/** Calls a tool, returns its result, and responds. */
const tools: Graph = defineGraph({
  nodes: {
    plan: (state, { messageId }) => {
      const call = {
        name: 'lookup',
        args: { query: textOf(state) },
        id: `call_${messageId()}`,
        type: 'tool_call',
      } as const
      return { messages: [testGraphMessage('tools', { content: '', tool_calls: [call] })] }
    },
    lookup: (state) => {
      const query = textOf(state)
      return {
        messages: [
          testGraphMessage('tools', {
            type: 'tool',
            name: 'lookup',
            content: `found: ${query}`,
            tool_call_id: newestCall(state.messages),
            artifact: { query },
            status: 'success',
          }),
        ],
      }
    },
    answer: (state) => ({
      messages: [
        testGraphMessage('tools', {
          content: `answer: ${textOf(state)}`,
          usage_metadata: { input_tokens: 7, output_tokens: 5, total_tokens: 12 },
        }),
      ],
    }),
  },
})

function newestCall(messages: readonly Message[]): string {
  return messages.at(-1)?.tool_calls?.at(-1)?.id ?? ''
}

/** Sends a message, then fails. */
const fail: Graph = defineGraph({
  nodes: {
    before: say('fail', 'before'),
    boom: () => {
      throw new Error('this graph always fails')
    },
  },
})

/** Returns the user and the configuration of the run. */
const whoami: Graph = defineGraph({
  nodes: {
    whoami: (_state, { config }) => {
      const { graph_auth_user: user = null, langgraph_auth_user: _public, ...configurable } = config.configurable
      return { messages: [testGraphMessage('whoami', { content: JSON.stringify({ user, configurable }) })] }
    },
  },
})

/** Streams one message token by token. A token is a word with the space before it. */
const chat: Graph = defineGraph({
  nodes: {
    chat: (state, { token, messageId }) => {
      const content = `chat: ${textOf(state)}`
      const id = messageId()
      for (const word of content.match(/\s*\S+|\s+$/g) ?? []) token(id, word)
      return { messages: [testGraphMessage('chat', { id, content })] }
    },
  },
})

/** A node that repeats the newest human message after a word. */
function say(graph: string, word: string): Node {
  return (state) => ({ messages: [testGraphMessage(graph, { content: `${word}: ${textOf(state)}` })] })
}

/** Small graphs with known behavior, described in docs/reference/test-graphs.md. */
export const testGraphs: Readonly<Record<string, Graph>> = { echo, slow, tools, fail, whoami, chat }
