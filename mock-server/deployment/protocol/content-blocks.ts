import type { Message, MessageChunk } from '../../graphs/types.ts'
import type { JsonObject } from '../../http/fields.ts'

/** The data of the event that starts a message. */
export function messageStart(id: string): JsonObject {
  return { event: 'message-start', role: 'ai', id }
}

/** Returns the blocks of a message so far. Tool calls are blocks with a part of their arguments. */
export function blocksSoFar({ content = '', tool_call_chunks = [] }: MessageChunk): JsonObject[] {
  return [...contentBlocks(content), ...tool_call_chunks.map(({ index: _, ...chunk }) => chunk)]
}

/** How the arguments of a tool call are sent: each part alone, or all parts so far. */
export type ArgumentsDelta = 'part' | 'so-far'

/** The data of the events for a further part of a message, which changes its blocks from `before` to `now`. */
export function nextPart(
  before: readonly JsonObject[],
  now: readonly JsonObject[],
  argumentsDelta: ArgumentsDelta,
): JsonObject[] {
  return now.flatMap((block, index) => {
    const previous = before[index]
    const field = FIELDS.get(block['type'])
    if (field === undefined) {
      return previous === undefined ? [{ event: 'content-block-start', index, content: block }] : []
    }
    const part = String(block[field]).slice(String(previous?.[field] ?? '').length)
    const fieldsOfCall = { type: 'block-delta', fields: block }
    const partOfCall = { type: 'tool-call-delta', args: part }
    const ofCall = argumentsDelta === 'part' ? partOfCall : fieldsOfCall
    const delta = field === 'args' ? ofCall : { type: `${field}-delta`, [field]: part }
    return [
      ...(previous === undefined ? [{ event: 'content-block-start', index, content: { ...block, [field]: '' } }] : []),
      ...(part === '' ? [] : [{ event: 'content-block-delta', index, delta }]),
    ]
  })
}

/** The field of each type of block that grows. */
const FIELDS: ReadonlyMap<unknown, string> = new Map([
  ['text', 'text'],
  ['reasoning', 'reasoning'],
  ['tool_call_chunk', 'args'],
])

/** The data of the events of a message that was not streamed. */
export function wholeMessage(message: Message): JsonObject[] {
  const blocks = blocksOf(message)
  return [messageStart(message.id), ...wholeBlocks(blocks, 0), end(message)]
}

/** The data of the events that end a message of which some blocks were streamed. */
export function messageFinish(message: Message, streamed: readonly JsonObject[]): JsonObject[] {
  const blocks = blocksOf(message)
  return [
    ...streamed.map((block, index) => ({ event: 'content-block-finish', index, content: blocks[index] ?? block })),
    ...wholeBlocks(blocks.slice(streamed.length), streamed.length),
    end(message),
  ]
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
  const calls = tool_calls.map(({ id, name, args }) => ({ type: 'tool_call', id, name, args }))
  return [...contentBlocks(content), ...calls]
}

function contentBlocks(content: Message['content']): JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return content.map((block) => ({ ...block }))
}

/** A text at the start is sent as a delta, a tool call as a chunk of its arguments, and any other block at once. */
function wholeBlocks(blocks: readonly JsonObject[], from: number): JsonObject[] {
  return blocks.flatMap((content, position) => {
    const index = from + position
    const finish = { event: 'content-block-finish', index, content }
    if (content['type'] === 'text' && index === 0) return [...nextPart([], [content], 'so-far'), finish]
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
