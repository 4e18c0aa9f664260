import type { MessageInput } from '../graphs/types.ts'
import type { JsonObject } from '../http/fields.ts'
import { preview } from '../runtime/preview.ts'
import type { Pace } from './pace.ts'

/** The node of a step, and other channels that it writes. */
export interface Place {
  /**
   * The node of the step in streams and states.
   *
   * @default 'agent'; 'tools' for results of tools
   */
  readonly node?: string
  /** Values of further channels of the state. */
  readonly set?: JsonObject
}

/** A token of a streamed message, after a delay in milliseconds of the server's clock. */
export interface Piece {
  readonly text: string
  readonly afterMs?: number
}

/** A tool call with its result or error. With neither, the tool never responds. */
export interface ToolUse {
  readonly name: string
  readonly args: JsonObject
  /** @default a fresh one */
  readonly id?: string
  /** Content of the tool's message: a string as text, any other value as JSON. */
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
  /** Reasoning of the model, which is streamed before the text. The content then consists of blocks. */
  readonly reasoning?: string | readonly (string | Piece)[]
  /** Further fields of the whole message, such as `usage_metadata`. */
  readonly message?: MessageInput
}
export interface CallToolStep extends Place, Pace {
  readonly callTool: ToolUse | readonly ToolUse[]
  /** Content of the message with the calls. @default '' */
  readonly content?: string
  /** Streams the content word by word and the arguments in pieces. The delays apply to these. @default false */
  readonly streamed?: boolean
  /** Reasoning of the model, which is streamed before the content; requires `streamed`. */
  readonly reasoning?: string | readonly (string | Piece)[]
  /** Further fields of the message with the calls, such as `usage_metadata`. */
  readonly message?: MessageInput
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

export interface SubgraphStep {
  /** The name of the node that has the subgraph. */
  readonly subgraph: string
  /** What the nodes of the subgraph do. They cannot interrupt the run. */
  readonly steps: readonly (string | Step)[]
}

/** A step of a scripted graph: plain data, as in scenario files. */
export type Step =
  | SayStep
  | StreamStep
  | CallToolStep
  | InterruptStep
  | FailStep
  | PauseStep
  | EmitStep
  | SetStateStep
  | SubgraphStep

/**
 * Returns a step that sends a whole message: a text of type `ai`, or a message with any fields.
 *
 * @example say('It is on its way.', { set: { order: 7 } })
 */
export function say(message: string | MessageInput, place: Place = {}): SayStep {
  return { say: message, ...place }
}

/**
 * Returns a step that streams a message: the words of a text, or the given tokens.
 *
 * @example stream('One word after the other.', { firstMs: 300, tokensPerSecond: 50, jitter: 0.3 })
 */
export function stream(
  text: string | readonly (string | Piece)[],
  options: Omit<StreamStep, 'stream'> = {},
): StreamStep {
  return { stream: text, ...options }
}

/**
 * Returns a step that calls a tool: a message with the call, then the tool's message with the result. An Error makes the
 * tool fail. Without a result, the tool never responds.
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
 * Returns a step that calls several tools in one message. Throws a TypeError unless all arguments are `callTool(…)`.
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
 * Returns a step that interrupts the run. A run with `command: { resume }` continues after it.
 *
 * @example interrupt({ question: 'Refund 20 €?' })
 */
export function interrupt(value: unknown, place: Pick<Place, 'node'> = {}): InterruptStep {
  return { interrupt: value, ...place }
}

/**
 * Returns a step that fails the run. A run without input continues after it.
 *
 * @example fail(new RangeError('the context is too long'))
 */
export function fail(error: string | Error, place: Pick<Place, 'node'> = {}): FailStep {
  return { fail: error instanceof Error ? { error: error.name, message: error.message } : error, ...place }
}

/**
 * Returns a step that runs a subgraph in a node of this name. Its steps are those of a reply, except interrupts and functions.
 *
 * @example subgraph('research', stream('Looking it up.'), callTool('search', { query: 'tea' }, 'found'))
 */
export function subgraph(name: string, ...steps: readonly (string | Step)[]): SubgraphStep {
  return { subgraph: name, steps }
}

/** Returns a step that waits, in milliseconds of the server's clock. */
export function pause(ms: number): PauseStep {
  return { pause: ms }
}

/** Returns a step that streams an event of mode `custom`. */
export function emit(data: unknown): EmitStep {
  return { emit: data }
}

/** Returns a step that writes channels of the state. It appends to `messages` and replaces any other channel. */
export function setState(values: JsonObject, place: Pick<Place, 'node'> = {}): SetStateStep {
  return { setState: values, ...place }
}
