import type { GraphState, MessageInput } from '../types.ts'

/** Revision of the test graphs; a suite reads it from the messages that the graphs produce. */
const REVISION = '1'

/** A message of type `ai` with the name of its graph and the revision in `response_metadata`. */
export function testGraphMessage(graph: string, message: MessageInput): MessageInput {
  return { type: 'ai', response_metadata: { kit: { graph, revision: REVISION } }, ...message }
}

/** Returns the text of the newest human message; an empty string without one. */
export function textOf(state: GraphState): string {
  const content = state.messages.findLast((message) => message.type === 'human')?.content ?? ''
  if (typeof content === 'string') return content
  return content.map((block) => (block.type === 'text' ? String(block['text'] ?? '') : '')).join('')
}
