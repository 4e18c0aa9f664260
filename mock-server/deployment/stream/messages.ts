import type { Message } from '../../graphs/types.ts'
import type { JsonObject } from '../../http/fields.ts'
import type { Run } from '../records.ts'
import type { EventOf, WireEvent } from './wire-event.ts'

/** Mode `messages`: whole messages, one event each. */
export function completeMessages(messages: readonly Message[]): WireEvent[] {
  return messages.map((message) => ({ event: 'messages/complete', data: [message] }))
}

/** Mode `messages`: the message so far; before its first token, its metadata. */
export function partialMessage(event: EventOf<'token'>, run: Run): WireEvent[] {
  const { messageId, soFar, isFirst } = event.token
  const partial: WireEvent = { event: 'messages/partial', data: [aiMessage(messageId, soFar)] }
  if (!isFirst) return [partial]
  return [{ event: 'messages/metadata', data: { [messageId]: { metadata: messageOrigin(event, run) } } }, partial]
}

/** Mode `messages-tuple`: one token with its metadata. */
export function tokenTuple(event: EventOf<'token'>, run: Run): WireEvent[] {
  const { messageId, text } = event.token
  const chunk = { ...aiMessage(messageId, text), type: 'AIMessageChunk', tool_call_chunks: [] }
  return [{ event: 'messages', data: [chunk, messageOrigin(event, run)] }]
}

/** Mode `messages-tuple`: messages that were not streamed. */
export function messageTuples(event: EventOf<'result'>, run: Run): WireEvent[] {
  return event.update.messages
    .filter((message) => !event.streamed.has(message.id))
    .map((message) => ({ event: 'messages', data: [message, messageOrigin(event, run)] }))
}

/** Returns a message of a model. */
export function aiMessage(id: string, content: string): Message {
  return {
    content,
    additional_kwargs: {},
    response_metadata: {},
    type: 'ai',
    name: null,
    id,
    example: false,
    tool_calls: [],
    invalid_tool_calls: [],
    usage_metadata: null,
  }
}

/** Returns the metadata of what a node streams. */
export function messageOrigin({ task, step }: EventOf<'task' | 'token' | 'result'>, run: Run): JsonObject {
  const { run_id, thread_id, graph_id, assistant_id, user_id } = run.kwargs.config.configurable
  const { created_by } = run.kwargs.config.metadata
  return {
    langgraph_node: task.name,
    langgraph_step: step,
    run_id,
    thread_id,
    graph_id,
    assistant_id,
    user_id,
    created_by,
  }
}
