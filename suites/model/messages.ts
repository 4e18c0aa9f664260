import type { MessageType } from '../catalog/deployment/message-fields.ts'
import { at, listAt, textAt } from '../values/json.ts'
import { textOf } from '../values/messages.ts'
import type { Thread } from './deployment.ts'

/** A stored message, and its type and tool call as the trace shows them. */
export interface StoredMessage {
  readonly message: unknown
  /** Type that the message must have: from its text if that shows who produced it, otherwise from its field `type`. */
  readonly type: MessageType | undefined
  /** Whether it must call a tool: it comes before a message of a tool, or it has tool calls. */
  readonly calls: boolean
  /** For a tool message: the call that it responds to. */
  readonly call?: unknown
}

/** Texts that the test graphs produce: the name of a step, then the text of the input. */
const stepText = /^(?:(found)|first|second|before|after|answer|chat): /

/** Returns the type that a message of a test graph must have, by its text; undefined if no test graph produces the text. */
export function typeByText(message: unknown): MessageType | undefined {
  const step = stepText.exec(textOf(message) ?? '')
  if (step === null) return undefined
  return step[1] === undefined ? 'ai' : 'tool'
}

/** Returns the messages of a thread's state, each with its place in the conversation. */
export function storedMessages(thread: Thread, state: unknown): readonly StoredMessage[] {
  const inputs = inputsOf(thread)
  const messages = listAt(state, 'values', 'messages')
  const types = messages.map((message) => typeOf(message, inputs))
  return messages.map((message, index) => {
    const calls =
      types[index] === 'ai' &&
      (listAt(message, 'tool_calls').length > 0 || isPlanBefore(messages[index + 1], message, inputs))
    const type = types[index]
    return { message, type, calls, ...(type === 'tool' ? { call: callOf(messages.slice(0, index), message) } : {}) }
  })
}

/** Whether an input message has the role `human`, by its text. */
type Inputs = ReadonlyMap<string | undefined, boolean>

function inputsOf(thread: Thread): Inputs {
  const messages = thread.runCreations.flatMap(({ request }) => listAt(request, 'input', 'messages'))
  return new Map(messages.map((message) => [textOf(message), (at(message, 'role') ?? at(message, 'type')) === 'human']))
}

function typeOf(message: unknown, inputs: Inputs): MessageType | undefined {
  const text = textOf(message)
  // Which type messages with another role get is a requirement of its own.
  if (text !== undefined && text !== '' && inputs.has(text)) return inputs.get(text) === true ? 'human' : undefined
  const produced = typeByText(message)
  if (produced !== undefined) return produced
  const shown = textAt(message, 'type')
  // A message without text may be the input, whatever its type says.
  if (text === '' && inputs.has('') && listAt(message, 'tool_calls').length === 0 && shown !== 'human') return undefined
  return shown === 'human' || shown === 'ai' || shown === 'tool' ? shown : undefined
}

/** Whether a message comes right before a tool's and is not itself the input. */
function isPlanBefore(next: unknown, message: unknown, inputs: Inputs): boolean {
  return textOf(message) === '' && next !== undefined && typeOf(next, inputs) === 'tool'
}

/**
 * The tool call that a tool message responds to: the latest one with the text of the message in its arguments, else the one
 * with its id, else the first one of the message before it.
 */
function callOf(before: readonly unknown[], message: unknown): unknown {
  const calls = before.flatMap((each) => listAt(each, 'tool_calls'))
  const id = at(message, 'tool_call_id')
  const input = JSON.stringify(textOf(message)?.replace(stepText, '') ?? null).slice(1, -1)
  const latest = before.findLast((each) => listAt(each, 'tool_calls').length > 0)
  return (
    calls.findLast((call) => JSON.stringify(at(call, 'args'))?.includes(input)) ??
    calls.find((call) => at(call, 'id') === id) ??
    at(latest, 'tool_calls', 0)
  )
}
