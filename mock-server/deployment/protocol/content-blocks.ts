import type { Message } from '../../graphs/types.ts'
import type { JsonObject } from '../../http/fields.ts'

/** The data of the events that start a message with streamed text. */
export function messageStart(id: string): JsonObject[] {
  return [
    { event: 'message-start', role: 'ai', id },
    { event: 'content-block-start', index: 0, content: { type: 'text', text: '' } },
  ]
}

/** The data of the event with a piece of text. */
export function textDelta(text: string): JsonObject {
  return { event: 'content-block-delta', index: 0, delta: { type: 'text-delta', text } }
}

/** The data of the events of a message that was not streamed. */
export function wholeMessage(message: Message): JsonObject[] {
  const [first, ...others] = blocksOf(message)
  const text = first?.['type'] === 'text' ? first['text'] : undefined
  if (typeof text !== 'string') {
    return [{ event: 'message-start', role: 'ai', id: message.id }, ...wholeBlocks(blocksOf(message), 0), end(message)]
  }
  const finish = { event: 'content-block-finish', index: 0, content: first }
  return [...messageStart(message.id), textDelta(text), finish, ...wholeBlocks(others, 1), end(message)]
}

/** The data of the events that end a message with streamed text. */
export function messageFinish(message: Message): JsonObject[] {
  const [text = { type: 'text', text: '' }, ...others] = blocksOf(message)
  return [{ event: 'content-block-finish', index: 0, content: text }, ...wholeBlocks(others, 1), end(message)]
}

function end({ usage_metadata, response_metadata }: Message): JsonObject {
  return {
    event: 'message-finish',
    ...(usage_metadata != null && { usage: usage_metadata }),
    ...(Object.keys(response_metadata).length > 0 && { metadata: response_metadata }),
  }
}

/** Returns the content of a message as blocks, followed by its tool calls. */
function blocksOf({ content, tool_calls = [] }: Message): JsonObject[] {
  const blocks = typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', text: content }]) : content
  const calls = tool_calls.map(({ id, name, args }) => ({ type: 'tool_call', id, name, args }))
  return [...blocks.map((block) => ({ ...block })), ...calls]
}

/** A tool call is sent as a chunk of its arguments first, any other block at once. */
function wholeBlocks(blocks: readonly JsonObject[], from: number): JsonObject[] {
  return blocks.flatMap((content, position) => {
    const index = from + position
    const finish = { event: 'content-block-finish', index, content }
    if (content['type'] !== 'tool_call') return [{ event: 'content-block-start', index, content }, finish]
    const { id, name, args } = content
    const chunk = { type: 'tool_call_chunk', id, name }
    const fields = { ...chunk, args: JSON.stringify(args) }
    return [
      { event: 'content-block-start', index, content: { ...chunk, args: '' } },
      { event: 'content-block-delta', index, delta: { type: 'block-delta', fields } },
      finish,
    ]
  })
}
