import { array, boolean, equals, holds, isObject, nullOr, object, present, shown, string } from '../facts.ts'
import { type AnswerPlace, type Fact, type Field, type FieldTable, field } from '../fields.ts'

/** Types of stored messages. */
export type MessageType = 'human' | 'ai' | 'tool'

const common = { area: 'deployment', section: 'Resources and their fields / Message' } as const

/** Whether a message is of a type. */
export function ofType(type: MessageType): (message: unknown) => boolean {
  return (message) => isObject(message) && message['type'] === type
}

function stored(where: (message: unknown) => boolean, ...at: readonly string[]): AnswerPlace {
  return { method: 'GET', path: '/threads/{thread_id}/state', at: ['values', 'messages', '*', ...at], where }
}

/** `content`: a string or an array of content blocks. */
function content(): Fact {
  return holds(
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
    field('additional_kwargs', shown(), object()),
    field('response_metadata', present(), object()),
    field('type', present(), string(), equals('value', `is \`${type}\``, type, other)),
    field('name', shown(), nullOr(string())),
    field('id', present(), string()),
    field('example', shown(), boolean()),
  ]
}

/** A stored message of type `human`. */
export const humanTable: FieldTable = {
  ...common,
  prefix: 'message.human',
  subject: 'a stored human message',
  needs: 'message.input.stored',
  places: [stored(ofType('human'))],
  fields: storedFields('human', 'ai'),
}

const usage = { input_tokens: 7, output_tokens: 5, total_tokens: 12 }

/** One count of `usage_metadata`, wherever that is an object. */
function tokens(name: string): readonly Fact[] {
  const { [name as keyof typeof usage]: _, ...lacking } = usage
  return [
    holds(
      name,
      `holds \`${name}\` where it is an object`,
      (value) => !isObject(value) || Object.hasOwn(value, name),
      lacking,
    ),
    holds(
      `${name}-integer`,
      `holds \`${name}\` as an integer where it is an object`,
      (value) => !isObject(value) || !Object.hasOwn(value, name) || Number.isInteger(value[name]),
      { ...usage, [name]: '7' },
    ),
  ]
}

/** What messages of type `ai` also carry, beside `tool_calls`. */
const aiFields: readonly Field[] = [
  field('invalid_tool_calls', shown(), array()),
  field(
    'usage_metadata',
    shown(),
    nullOr(object()),
    ...['input_tokens', 'output_tokens', 'total_tokens'].flatMap(tokens),
  ),
]

/** A stored message of type `ai`. */
export const aiTable: FieldTable = {
  ...common,
  prefix: 'message.ai',
  subject: 'a stored ai message',
  needs: 'message.answer.stored',
  places: [stored(ofType('ai'))],
  fields: [...storedFields('ai', 'human'), ...aiFields],
}

/** Whether a message is an ai message that calls tools. */
export const callsTools = (message: unknown): boolean =>
  ofType('ai')(message) && isObject(message) && Array.isArray(message['tool_calls']) && message['tool_calls'].length > 0

/** `tool_calls` of an ai message that calls no tool: absent is as good as empty. */
export const plainTable: FieldTable = {
  ...common,
  prefix: 'message.plain',
  subject: 'a stored ai message that calls no tool',
  needs: 'message.answer.stored',
  places: [stored((message) => ofType('ai')(message) && !callsTools(message))],
  fields: [field('tool_calls', shown(), array())],
}

/** `tool_calls` of an ai message that calls tools: there it may not be missing. */
export const callingTable: FieldTable = {
  ...common,
  prefix: 'message.calling',
  subject: 'a stored ai message that calls a tool',
  needs: 'message.answer.stored',
  places: [stored(callsTools)],
  fields: [
    field(
      'tool_calls',
      present(),
      array(),
      holds('filled', 'holds the calls', (value) => !Array.isArray(value) || value.length > 0, []),
      holds('objects', 'is an array of objects', (value) => !Array.isArray(value) || value.every(isObject), ['lookup']),
    ),
  ],
}

/** An element of `tool_calls`. */
export const toolCallTable: FieldTable = {
  ...common,
  prefix: 'message.tool_call',
  subject: 'a tool call',
  needs: 'message.calling.tool_calls.filled',
  places: [stored(isObject, 'tool_calls', '*')],
  fields: ['name', 'args', 'id', 'type'].map((name) => field(name, present())),
}

/** What messages of type `tool` also carry; `root` of a subject is the call that it answers. */
const toolFields: readonly Field[] = [
  field(
    'tool_call_id',
    present(),
    holds('same', 'is the id of the tool call that the message answers', sameCall, 'call_of_another_message'),
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
  subject: 'a stored tool message',
  needs: 'message.tool.stored',
  places: [stored(ofType('tool'))],
  fields: [...storedFields('tool', 'ai'), ...toolFields],
}
