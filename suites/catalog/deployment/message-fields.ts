import {
  array,
  boolean,
  equals,
  isObject,
  matches,
  nullOr,
  object,
  present,
  shouldBePresent,
  string,
} from '../facts.ts'
import { type Fact, type Field, type FieldTable, field, type ResponsePlace } from '../fields.ts'

/** Types of stored messages. */
export type MessageType = 'human' | 'ai' | 'tool'

const common = { area: 'deployment', section: 'Resources and their fields / Message' } as const

/** Whether a message is of a type. */
export function ofType(type: MessageType): (message: unknown) => boolean {
  return (message) => isObject(message) && message['type'] === type
}

function stored(where: (message: unknown) => boolean, ...at: readonly string[]): ResponsePlace {
  return { method: 'GET', path: '/threads/{thread_id}/state', at: ['values', 'messages', '*', ...at], where }
}

/** Type of `content`. */
export function content(): Fact {
  return matches(
    'type',
    'is a string or an array of content blocks',
    (value) => typeof value === 'string' || (Array.isArray(value) && value.every(isObject)),
    7,
  )
}

/** The fields of every stored message. */
function storedFields(type: MessageType, other: MessageType): readonly Field[] {
  return [
    field('content', present(), content()),
    field('additional_kwargs', shouldBePresent(), object()),
    field('response_metadata', present(), object()),
    field('type', present(), string(), equals('value', `is \`${type}\``, type, other)),
    field('name', shouldBePresent(), nullOr(string())),
    field('id', present(), string()),
    field('example', shouldBePresent(), boolean()),
  ]
}

/** A stored message of type `human`. */
export const humanTable: FieldTable = {
  ...common,
  prefix: 'message.human',
  subject: 'a stored `human` message',
  places: [stored(ofType('human'))],
  fields: storedFields('human', 'ai'),
}

const usage = { input_tokens: 7, output_tokens: 5, total_tokens: 12 }

/** Facts about one count of `usage_metadata` if that is an object. */
function tokens(name: string): readonly Fact[] {
  const { [name as keyof typeof usage]: _, ...lacking } = usage
  return [
    matches(
      name,
      `contains \`${name}\` if it is an object`,
      (value) => !isObject(value) || Object.hasOwn(value, name),
      lacking,
    ),
    matches(
      `${name}-integer`,
      `contains an integer \`${name}\` if it is an object`,
      (value) => !isObject(value) || !Object.hasOwn(value, name) || Number.isInteger(value[name]),
      { ...usage, [name]: '7' },
    ),
  ]
}

/** Fields of messages of type `ai`, except `tool_calls`. */
const aiFields: readonly Field[] = [
  field('invalid_tool_calls', shouldBePresent(), array()),
  field(
    'usage_metadata',
    shouldBePresent(),
    nullOr(object()),
    ...['input_tokens', 'output_tokens', 'total_tokens'].flatMap(tokens),
  ),
]

/** A stored message of type `ai`. */
export const aiTable: FieldTable = {
  ...common,
  prefix: 'message.ai',
  subject: 'a stored `ai` message',
  places: [stored(ofType('ai'))],
  fields: [...storedFields('ai', 'human'), ...aiFields],
}

/** Whether a message is an ai message that calls tools. */
export const callsTools = (message: unknown): boolean =>
  ofType('ai')(message) && isObject(message) && Array.isArray(message['tool_calls']) && message['tool_calls'].length > 0

/** `tool_calls` of an ai message that calls no tool; the field may be absent. */
export const plainTable: FieldTable = {
  ...common,
  prefix: 'message.plain',
  subject: 'a stored `ai` message that calls no tool',
  places: [stored((message) => ofType('ai')(message) && !callsTools(message))],
  fields: [field('tool_calls', shouldBePresent(), array())],
}

/** `tool_calls` of an ai message that calls tools; the field must be present. */
export const callingTable: FieldTable = {
  ...common,
  prefix: 'message.calling',
  subject: 'a stored `ai` message that calls a tool',
  places: [stored(callsTools)],
  fields: [
    field(
      'tool_calls',
      present(),
      array(),
      matches('filled', 'contains the calls', (value) => !Array.isArray(value) || value.length > 0, []),
      matches('objects', 'is an array of objects', (value) => !Array.isArray(value) || value.every(isObject), [
        'lookup',
      ]),
    ),
  ],
}

/** An element of `tool_calls`. */
export const toolCallTable: FieldTable = {
  ...common,
  prefix: 'message.tool_call',
  subject: 'a tool call',
  places: [stored(isObject, 'tool_calls', '*')],
  fields: ['name', 'args', 'id', 'type'].map((name) => field(name, present())),
}

/** Fields of messages of type `tool`; `root` of a subject is the tool call that the message responds to. */
const toolFields: readonly Field[] = [
  field(
    'tool_call_id',
    present(),
    matches('same', 'is the id of the tool call that the message responds to', sameCall, 'call_of_another_message'),
  ),
  field('artifact', present()),
  field('status', present()),
]

function sameCall(value: unknown, { root }: { readonly root?: unknown }): boolean {
  return !isObject(root) || !Object.hasOwn(root, 'id') || value === root['id']
}

/** A stored message of type `tool`. */
export const toolTable: FieldTable = {
  ...common,
  prefix: 'message.tool',
  subject: 'a stored `tool` message',
  places: [stored(ofType('tool'))],
  fields: [...storedFields('tool', 'ai'), ...toolFields],
}
