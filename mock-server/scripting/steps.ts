import type { MessageInput } from '../graphs/types.ts'
import type { JsonObject } from '../http/fields.ts'
import { preview } from '../runtime/preview.ts'

/** Where a step happens, and what it writes beside its message. */
export interface Place {
  /**
   * The node that takes the step, as streams and the state name it.
   *
   * @default 'agent'; 'tools' for results of tools
   */
  readonly node?: string
  /** Values of further channels of the state. */
  readonly set?: JsonObject
}

/** A piece of a streamed message; milliseconds of the server's clock pass before it. */
export interface Piece {
  readonly text: string
  readonly afterMs?: number
}

/** When the pieces of a streamed message come, in milliseconds of the server's clock. */
interface Pace {
  /** Before the first piece. @default 0 */
  readonly firstMs?: number
  /** Before each further piece. @default 0 */
  readonly everyMs?: number
}

/** A tool call, with what comes of it; with neither `result` nor `error` the tool never answers. */
export interface ToolUse {
  readonly name: string
  readonly args: JsonObject
  /** @default a fresh one */
  readonly id?: string
  /** Content of the tool's message: a text as it is, anything else as JSON. */
  readonly result?: unknown
  /** Content of the tool's message, whose status is `error`. */
  readonly error?: string
  readonly artifact?: unknown
  /** Milliseconds that the tool takes. @default 0 */
  readonly tookMs?: number
}

export interface SayStep extends Place {
  readonly say: string | MessageInput
}
export interface StreamStep extends Place, Pace {
  readonly stream: string | readonly (string | Piece)[]
  /** Further fields of the whole message, such as `usage_metadata`. */
  readonly message?: MessageInput
}
export interface CallToolStep extends Place {
  readonly callTool: ToolUse | readonly ToolUse[]
  /** What the message with the calls says. @default '' */
  readonly content?: string
  /** @default 'tools' */
  readonly toolNode?: string
}
export interface InterruptStep {
  readonly interrupt: unknown
  readonly node?: string
}
export interface FailStep {
  readonly fail: string | { readonly error: string; readonly message: string }
  readonly node?: string
}
export interface PauseStep {
  readonly pause: number
}
export interface EmitStep {
  readonly emit: unknown
}
export interface SetStateStep {
  readonly setState: JsonObject
  readonly node?: string
}

/** One thing that a scripted graph does: plain data, as it stands in scenario files. */
export type Step = SayStep | StreamStep | CallToolStep | InterruptStep | FailStep | PauseStep | EmitStep | SetStateStep

/**
 * Says a message in one piece: a text of type `ai`, or a message with any fields.
 *
 * @example say('It is on its way.', { set: { order: 7 } })
 */
export function say(message: string | MessageInput, place: Place = {}): SayStep {
  return { say: message, ...place }
}

/**
 * Streams a message: the words of a text, or pieces as they are given.
 *
 * @example stream('One word after the other.', { firstMs: 300, everyMs: 20 })
 */
export function stream(
  text: string | readonly (string | Piece)[],
  options: Omit<StreamStep, 'stream'> = {},
): StreamStep {
  return { stream: text, ...options }
}

/**
 * Calls a tool: a message with the call, then the tool's message with the result. An Error makes the tool fail; without a
 * result the tool never answers.
 *
 * @example callTool('lookup', { order: 7 }, { status: 'shipped' })
 */
export function callTool(
  name: string,
  args: JsonObject = {},
  result?: unknown,
  { id, artifact, tookMs, ...options }: Omit<ToolUse, 'name' | 'args'> & Omit<CallToolStep, 'callTool'> = {},
): CallToolStep {
  const outcome = result instanceof Error ? { error: result.message } : { ...(result !== undefined && { result }) }
  const use = {
    name,
    args,
    ...(id !== undefined && { id }),
    ...outcome,
    ...(artifact !== undefined && { artifact }),
    ...(tookMs !== undefined && { tookMs }),
  }
  return { callTool: use, ...options }
}

/**
 * Calls several tools in one message. Throws a TypeError for what is no `callTool(…)`.
 *
 * @example callTools(callTool('weather', { city: 'Oslo' }, 'rain'), callTool('time', { city: 'Oslo' }, '12:00'))
 */
export function callTools(...calls: readonly CallToolStep[]): CallToolStep {
  for (const [index, call] of calls.entries()) {
    if (typeof call === 'object' && call !== null && 'callTool' in call) continue
    throw new TypeError(`callTools: expected a callTool(…) as argument ${index + 1}, received ${preview(call)}`)
  }
  return { ...calls[0], callTool: calls.flatMap((call) => call.callTool) }
}

/**
 * Asks, and stops the run; a run with `command: { resume }` goes on behind it.
 *
 * @example interrupt({ question: 'Refund 20 €?' })
 */
export function interrupt(value: unknown, place: Pick<Place, 'node'> = {}): InterruptStep {
  return { interrupt: value, ...place }
}

/**
 * Fails the run: its status is `error`. A run without input goes on behind it.
 *
 * @example fail(new RangeError('the context is too long'))
 */
export function fail(error: string | Error, place: Pick<Place, 'node'> = {}): FailStep {
  return { fail: error instanceof Error ? { error: error.name, message: error.message } : error, ...place }
}

/** Lets so many milliseconds of the server's clock pass before the next step. */
export function pause(ms: number): PauseStep {
  return { pause: ms }
}

/** Streams an event of mode `custom` before the next step. */
export function emit(data: unknown): EmitStep {
  return { emit: data }
}

/** Writes to channels of the state; `messages` are appended to, any other channel is replaced. */
export function setState(values: JsonObject, place: Pick<Place, 'node'> = {}): SetStateStep {
  return { setState: values, ...place }
}
