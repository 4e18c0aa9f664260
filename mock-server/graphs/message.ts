import { isObject } from '../http/fields.ts'
import type { ContentBlock, Message, ToolCall, UsageMetadata } from './types.ts'

/** The error of an invalid message, with its path in the input. */
export class InvalidMessage extends Error {
  readonly path: readonly (string | number)[]
  constructor(path: readonly (string | number)[], expected: string, received: unknown) {
    super(`${path.join('.')}: expected ${expected}, received ${describe(received)}`)
    this.name = 'InvalidMessage'
    this.path = path
  }
}

/** How missing fields of messages are completed. */
export interface MessageDefaults {
  /** The type of a message without role and type; without it, such a message is invalid. */
  readonly type?: Message['type']
  /** Creates the id of a message without one. */
  readonly newId: () => string
}

const TYPES: ReadonlyMap<unknown, Message['type']> = new Map([
  ['user', 'human'],
  ['human', 'human'],
  ['assistant', 'ai'],
  ['ai', 'ai'],
  ['tool', 'tool'],
  ['system', 'system'],
  ['developer', 'system'],
  ['remove', 'remove'],
])

/** Names of LangChain's classes in serialized messages. */
export const MESSAGE_CLASSES: Readonly<Record<Message['type'], string>> = {
  human: 'HumanMessage',
  ai: 'AIMessage',
  tool: 'ToolMessage',
  system: 'SystemMessage',
  remove: 'RemoveMessage',
}

/**
 * Converts messages of a caller or a node to stored messages with all documented fields.
 *
 * Accepts a single message or a string, too. Like the public servers, also accepts pairs of role and text, and serialized
 * messages of LangChain. Section of the specification: Message.
 *
 * @throws InvalidMessage
 */
export function storedMessages(input: unknown, defaults: MessageDefaults): Message[] {
  const list = Array.isArray(input) ? input : [input]
  return list.map((message, index) => storedMessage(message, defaults, ['messages', index]))
}

function storedMessage(given: unknown, defaults: MessageDefaults, path: readonly (string | number)[]): Message {
  const input = asObject(given)
  if (!isObject(input)) throw new InvalidMessage(path, 'a message object with role and content', given)
  const type = messageType(input, defaults, path)
  const message: Message = {
    content: type === 'remove' ? '' : content(input['content'], [...path, 'content']),
    additional_kwargs: objectOrEmpty(input['additional_kwargs']),
    response_metadata: objectOrEmpty(input['response_metadata']),
    type,
    name: stringOr(input['name'], null),
    id: stringOr(input['id'], null) ?? defaults.newId(),
    example: input['example'] === true,
  }
  if (type === 'ai') {
    message.tool_calls = arrayOrEmpty(input['tool_calls']) as readonly ToolCall[]
    message.invalid_tool_calls = arrayOrEmpty(input['invalid_tool_calls'])
    message.usage_metadata = isObject(input['usage_metadata'])
      ? (input['usage_metadata'] as unknown as UsageMetadata)
      : null
  }
  if (type === 'tool') {
    const callId = input['tool_call_id']
    if (typeof callId !== 'string') throw new InvalidMessage([...path, 'tool_call_id'], 'a string', callId)
    message.tool_call_id = callId
    message.artifact = input['artifact'] ?? null
    message.status = input['status'] === 'error' ? 'error' : 'success'
  }
  return message
}

/** Returns a message in one of its short forms as an object, and any other value as it is. */
function asObject(given: unknown): unknown {
  if (typeof given === 'string') return { role: 'user', content: given }
  if (Array.isArray(given) && given.length === 2) return { role: given[0], content: given[1] }
  if (!isObject(given) || given['type'] !== 'constructor' || !isObject(given['kwargs'])) return given
  const name = String(arrayOrEmpty(given['id']).at(-1)).replace(/Chunk$/, '')
  const [type = name] = Object.entries(MESSAGE_CLASSES).find(([, className]) => className === name) ?? []
  return { ...given['kwargs'], type }
}

/** Returns the text of a message's content. */
export function contentText(content: Message['content']): string {
  if (typeof content === 'string') return content
  return content.map((block) => (block.type === 'text' ? String(block['text'] ?? '') : '')).join('')
}

function messageType(
  input: Record<string, unknown>,
  defaults: MessageDefaults,
  path: readonly (string | number)[],
): Message['type'] {
  const named = input['role'] ?? input['type']
  const type = named === undefined ? defaults.type : TYPES.get(named)
  if (type === undefined) throw new InvalidMessage([...path, 'role'], `one of ${[...TYPES.keys()].join(', ')}`, named)
  return type
}

function content(value: unknown, path: readonly (string | number)[]): Message['content'] {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every(isBlock)) return value
  throw new InvalidMessage(path, 'a string or an array of content blocks', value)
}

function isBlock(value: unknown): value is ContentBlock {
  return isObject(value) && typeof value['type'] === 'string'
}

function objectOrEmpty(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

function arrayOrEmpty(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function stringOr<T>(value: unknown, otherwise: T): string | T {
  return typeof value === 'string' && value !== '' ? value : otherwise
}

function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}
