import { array, boolean, equals, matches, nullOr, object, present, shouldBePresent, string, uuid } from '../facts.ts'
import { type Fact, type Field, type FieldTable, field, type ResponsePlace } from '../fields.ts'
import { callsTools, content, type MessageType, ofType } from './message-fields.ts'

const common = { area: 'deployment', section: 'Events' } as const
const path = '/threads/{thread_id}/runs/stream'

/** Data of the event `metadata`. */
export const metadataEventTable: FieldTable = {
  ...common,
  prefix: 'stream.metadata',
  subject: 'the `metadata` event',
  places: [{ method: 'POST', path, event: 'metadata', at: [] }],
  fields: [field('run_id', present(), string(), uuid())],
}

function updated(where: (message: unknown) => boolean): ResponsePlace {
  return { method: 'POST', path, event: 'updates', at: ['*', 'messages', '*'], where }
}

/** A field that must have the right type if present; only stored messages must have it. */
function optional(name: string, fact: Fact): Field {
  const listed = 'The specification lists this field for stored messages'
  const present = shouldBePresent({
    statement: 'is present',
    interpretation: `${listed}, so its presence in an event is a SHOULD.`,
  })
  return field(name, present, {
    ...fact,
    interpretation: `${listed}: where an event has it, it has the type of stored messages.`,
  })
}

/** The fields of every message in an `updates` event. */
function updateFields(type: MessageType, other: MessageType): readonly Field[] {
  return [
    field('content', present(), content()),
    field('type', present(), string(), equals('value', `is \`${type}\``, type, other)),
    optional('additional_kwargs', object()),
    optional('response_metadata', object()),
    optional('name', nullOr(string())),
    optional('id', nullOr(string())),
    optional('example', boolean()),
  ]
}

/** A message of type `ai` in an `updates` event. */
export const updatedAiTable: FieldTable = {
  ...common,
  prefix: 'stream.updates.ai',
  subject: 'an `ai` message in an `updates` event',
  places: [updated(ofType('ai'))],
  fields: [
    ...updateFields('ai', 'human'),
    optional('invalid_tool_calls', array()),
    optional('usage_metadata', nullOr(object())),
  ],
}

/** A message of type `ai` that calls no tool in an `updates` event. */
export const updatedPlainTable: FieldTable = {
  ...common,
  prefix: 'stream.updates.plain',
  subject: 'an `ai` message in an `updates` event that calls no tool',
  places: [updated((message) => ofType('ai')(message) && !callsTools(message))],
  fields: [optional('tool_calls', nullOr(array()))],
}

/** A message that calls tools in an `updates` event. */
export const updatedCallTable: FieldTable = {
  ...common,
  prefix: 'stream.updates.calling',
  subject: 'an `ai` message in an `updates` event that calls a tool',
  places: [updated(callsTools)],
  fields: [
    field(
      'tool_calls',
      present(),
      array(),
      matches('filled', 'contains the calls', (value) => !Array.isArray(value) || value.length > 0, []),
    ),
  ],
}

/** A message of type `tool` in an `updates` event. */
export const updatedToolTable: FieldTable = {
  ...common,
  prefix: 'stream.updates.tool',
  subject: 'a `tool` message in an `updates` event',
  places: [updated(ofType('tool'))],
  fields: [
    ...updateFields('tool', 'ai'),
    field('tool_call_id', present()),
    field('artifact', shouldBePresent({ statement: 'is present' })),
    field('status', shouldBePresent({ statement: 'is present' })),
  ],
}
