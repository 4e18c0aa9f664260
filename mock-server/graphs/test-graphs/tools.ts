import { defineGraph, type Graph } from '../define.ts'
import type { Message } from '../types.ts'
import { testGraphMessage, textOf } from './message.ts'

/** Calls a tool, returns its result, and responds. */
export const tools: Graph = defineGraph({
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
