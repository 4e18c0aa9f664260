import { addChunk } from '../graphs/message-chunk.ts'
import type { MessageChunk, MessageInput, NodeContext } from '../graphs/types.ts'
import { delaysOf, type Pace } from './pace.ts'
import type { CallToolStep, Piece, StreamStep } from './steps.ts'

/** A part of a message, and the delay before it in place of that of the pace. */
interface TimedChunk {
  readonly chunk: MessageChunk
  readonly afterMs?: number | undefined
}

/** Streams the message of a step. */
export function streamMessage(step: StreamStep, context: NodeContext): Promise<MessageInput> {
  const { stream, reasoning, message } = step
  const { usage_metadata } = message ?? {}
  return send(
    message ?? {},
    [...contentChunks(stream, reasoning), ...usageChunks(usage_metadata, reasoning)],
    step,
    context,
  )
}

/** Streams a message with tool calls: its content, then the arguments of each call in pieces. */
export async function streamCalls(
  step: CallToolStep,
  { tool_calls = [], ...fields }: MessageInput,
  context: NodeContext,
): Promise<MessageInput> {
  const { content = '', reasoning } = step
  const chunks = [
    ...contentChunks(content, reasoning),
    ...tool_calls.flatMap(({ id, name, args }, index): TimedChunk[] => {
      const parts = ['', ...(JSON.stringify(args).match(/.{1,6}/gsu) ?? [])]
      return parts.map((part, position) => {
        const names = position === 0 ? { id, name } : { id: null, name: null }
        return { chunk: { tool_call_chunks: [{ type: 'tool_call_chunk', index, ...names, args: part }] } }
      })
    }),
    ...usageChunks(fields.usage_metadata, reasoning),
  ]
  return { ...(await send(fields, chunks, step, context)), tool_calls }
}

async function send(
  message: MessageInput,
  chunks: readonly TimedChunk[],
  pace: Pace,
  { chunk: stream, sleep, messageId }: NodeContext,
): Promise<MessageInput> {
  const id = message.id ?? messageId()
  const nextDelay = delaysOf(pace)
  let soFar: MessageChunk = {}
  for (const { chunk, afterMs } of chunks) {
    const delay = nextDelay()
    const ms = afterMs ?? delay
    if (ms > 0) await sleep(ms)
    stream(id, chunk)
    soFar = addChunk(soFar, chunk)
  }
  return { role: 'ai', ...message, id, content: soFar.content ?? '' }
}

/** Returns the chunks of a text. With reasoning before it, its content consists of blocks. */
function contentChunks(text: StreamStep['stream'], reasoning: StreamStep['reasoning']): TimedChunk[] {
  const pieces = piecesOf(text)
  if (reasoning === undefined) return pieces.map(({ text: content, afterMs }) => ({ chunk: { content }, afterMs }))
  return [
    ...piecesOf(reasoning).map((piece) => blockChunk({ type: 'reasoning', reasoning: piece.text, index: 0 }, piece)),
    ...pieces.map((piece) => blockChunk({ type: 'text', text: piece.text, index: 1 }, piece)),
  ]
}

function blockChunk(block: { type: string; [field: string]: unknown }, { afterMs }: Piece): TimedChunk {
  return { chunk: { content: [block] }, afterMs }
}

function usageChunks(
  usage_metadata: MessageInput['usage_metadata'],
  reasoning: StreamStep['reasoning'],
): readonly TimedChunk[] {
  if (usage_metadata == null) return []
  return [{ chunk: { content: reasoning === undefined ? '' : [], usage_metadata }, afterMs: 0 }]
}

/** Returns the words of a text, or the given pieces. */
function piecesOf(text: StreamStep['stream']): readonly Piece[] {
  const pieces = typeof text === 'string' ? (text.match(/\s*\S+|\s+$/g) ?? []) : text
  return pieces.map((piece) => (typeof piece === 'string' ? { text: piece } : piece))
}
