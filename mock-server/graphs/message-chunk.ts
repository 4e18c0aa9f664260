import { isObject } from '../http/fields.ts'
import type { ContentBlock, Message, MessageChunk, ToolCall, ToolCallChunk } from './types.ts'

/** Returns a message so far with a further chunk. */
export function addChunk(soFar: MessageChunk, chunk: MessageChunk): MessageChunk {
  const { content = '', tool_call_chunks = [], usage_metadata = soFar.usage_metadata } = chunk
  return {
    content: addContent(soFar.content ?? '', content),
    tool_call_chunks: tool_call_chunks.reduce(addCall, soFar.tool_call_chunks ?? []),
    ...(usage_metadata !== undefined && { usage_metadata }),
  }
}

function addContent(soFar: Message['content'], content: Message['content']): Message['content'] {
  if (typeof soFar === 'string' && typeof content === 'string') return soFar + content
  return blocks(content).reduce(addBlock, blocks(soFar))
}

function blocks(content: Message['content']): readonly ContentBlock[] {
  if (typeof content !== 'string') return content
  return content === '' ? [] : [{ type: 'text', text: content }]
}

function addBlock(soFar: readonly ContentBlock[], block: ContentBlock): readonly ContentBlock[] {
  const last = soFar.at(-1)
  if (last === undefined || block['index'] === undefined || last['index'] !== block['index']) return [...soFar, block]
  const joined = Object.entries(block).map(([key, value]) => {
    const before = last[key]
    return [key, key !== 'type' && typeof before === 'string' && typeof value === 'string' ? before + value : value]
  })
  return [...soFar.slice(0, -1), { ...last, ...Object.fromEntries(joined) }]
}

function addCall(soFar: readonly ToolCallChunk[], chunk: ToolCallChunk): readonly ToolCallChunk[] {
  const last = soFar.at(-1)
  if (last?.index !== chunk.index) return [...soFar, chunk]
  return [...soFar.slice(0, -1), { ...last, args: last.args + chunk.args }]
}

/** The tool calls of a message so far. */
interface CallsSoFar {
  readonly tool_calls: readonly ToolCall[]
  readonly invalid_tool_calls: readonly unknown[]
}

/** Returns the tool calls of chunks. Incomplete arguments are completed if that is possible, as LangChain does. */
export function callsSoFar(chunks: readonly ToolCallChunk[]): CallsSoFar {
  const calls = chunks.map((chunk) => ({ chunk, args: chunk.args === '' ? {} : partialJson(chunk.args) }))
  return {
    tool_calls: calls.flatMap(({ chunk: { name, id }, args }) =>
      isObject(args) ? [{ name: name ?? '', args, id: id as string, type: 'tool_call' }] : [],
    ),
    invalid_tool_calls: calls.flatMap(({ chunk: { name, id, args: text }, args }) =>
      isObject(args) ? [] : [{ name, args: text, id, error: null, type: 'invalid_tool_call' }],
    ),
  }
}

/** Parses the start of a JSON text: closes what is open, and drops characters from the end until it is valid. */
function partialJson(text: string): unknown {
  let isInString = false
  let isEscaped = false
  const open: string[] = []
  for (const character of text) {
    if (isInString) {
      isInString = isEscaped || character !== '"'
      isEscaped = !isEscaped && character === '\\'
    } else if (character === '"') isInString = true
    else if (character === '{') open.unshift('}')
    else if (character === '[') open.unshift(']')
    else if (character === '}' || character === ']') {
      if (open.shift() !== character) return undefined
    }
  }
  const closed = isInString ? `${isEscaped ? text.slice(0, -1) : text}"` : text
  for (let length = closed.length; length > 0; length--) {
    try {
      return JSON.parse(closed.slice(0, length) + open.join(''))
    } catch {
      // One more character has to go.
    }
  }
  return undefined
}
