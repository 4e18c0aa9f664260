import { callsSoFar } from '../../graphs/message-chunk.ts'
import type { Message, MessageChunk } from '../../graphs/types.ts'
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
  const partial: WireEvent = { event: 'messages/partial', data: [messageSoFar(messageId, soFar)] }
  if (!isFirst) return [partial]
  return [{ event: 'messages/metadata', data: { [messageId]: { metadata: messageOrigin(event, run) } } }, partial]
}

/** Mode `messages-tuple`: one token with its metadata. */
export function tokenTuple(event: EventOf<'token'>, run: Run): WireEvent[] {
  return [{ event: 'messages', data: [messageChunk(event.token), messageOrigin(event, run)] }]
}

/** Returns one token as a message chunk of LangChain. */
export function messageChunk({ messageId, chunk }: EventOf<'token'>['token']): JsonObject {
  const { tool_call_chunks = [] } = chunk
  return { ...messageSoFar(messageId, chunk), type: 'AIMessageChunk', tool_call_chunks }
}

/** Mode `messages-tuple`: messages that were not streamed. */
export function messageTuples(event: EventOf<'result'>, run: Run): WireEvent[] {
  return unsentMessages(event, run)
    .filter((message) => !event.streamed.has(message.id))
    .map((message) => ({ event: 'messages', data: [message, messageOrigin(event, run)] }))
}

/** Returns the messages of a node, without those that the events of its subgraphs contain. */
export function unsentMessages({ update, nested }: EventOf<'result'>, { subgraphs }: Run): readonly Message[] {
  return subgraphs ? update.messages.filter(({ id }) => !nested.has(id)) : update.messages
}

/** Returns the message of a model that consists of a chunk. */
function messageSoFar(id: string, { content = '', tool_call_chunks = [], usage_metadata }: MessageChunk): Message {
  return {
    content,
    additional_kwargs: {},
    response_metadata: {},
    type: 'ai',
    name: null,
    id,
    example: false,
    ...callsSoFar(tool_call_chunks),
    usage_metadata: usage_metadata ?? null,
  }
}

/** Returns the metadata of what a node streams. */
export function messageOrigin({ task, step, namespace }: EventOf<'task' | 'token' | 'result'>, run: Run): JsonObject {
  const { run_id, thread_id, graph_id, assistant_id, user_id } = run.kwargs.config.configurable
  const { created_by } = run.kwargs.config.metadata
  return {
    langgraph_node: task.name,
    langgraph_step: step,
    ...(namespace.length > 0 && { langgraph_checkpoint_ns: [...namespace, `${task.name}:${task.id}`].join('|') }),
    run_id,
    thread_id,
    graph_id,
    assistant_id,
    user_id,
    created_by,
  }
}
