import { array, boolean, equals, holds, isObject, nullOr, object, present, shown, string, uuid } from '../facts.ts'
import { type AnswerPlace, type Fact, type Field, type FieldTable, field } from '../fields.ts'
import { callsTools, type MessageType, ofType } from './message-fields.ts'

const common = { area: 'deployment', section: 'Events' } as const
const path = '/threads/{thread_id}/runs/stream'

/** Data of the event `metadata`. */
export const metadataEventTable: FieldTable = {
  ...common,
  prefix: 'stream.metadata',
  subject: 'the data of the event `metadata`',
  needs: 'stream.metadata.data-object',
  places: [{ method: 'POST', path, event: 'metadata', at: [] }],
  fields: [field('run_id', present(), string(), uuid())],
}

function updated(where: (message: unknown) => boolean): AnswerPlace {
  return { method: 'POST', path, event: 'updates', at: ['*', 'messages', '*'], where }
}

/** Right type wherever the field is shown: only what is stored must have all of them. */
function advised(name: string, fact: Fact): Field {
  const interpretation = 'The table of fields describes stored messages: presence in an event is advised.'
  return field(name, shown({ statement: 'is present', interpretation }), { ...fact, interpretation })
}

/** The fields of every message in an `updates` event. */
function updateFields(type: MessageType, other: MessageType): readonly Field[] {
  const content = holds(
    'type',
    'is a string or an array of content blocks',
    (value) => typeof value === 'string' || (Array.isArray(value) && value.every(isObject)),
    7,
  )
  return [
    field('content', present(), content),
    field('type', present(), string(), equals('value', `is \`${type}\``, type, other)),
    advised('additional_kwargs', object()),
    advised('response_metadata', object()),
    advised('name', nullOr(string())),
    advised('id', nullOr(string())),
    advised('example', boolean()),
  ]
}

/** A message of type `ai` in an `updates` event. */
export const updatedAiTable: FieldTable = {
  ...common,
  prefix: 'stream.updates.ai',
  subject: 'an ai message in an `updates` event',
  needs: 'stream.updates.messages-objects',
  places: [updated(ofType('ai'))],
  fields: [
    ...updateFields('ai', 'human'),
    advised('invalid_tool_calls', array()),
    advised('usage_metadata', nullOr(object())),
  ],
}

/** A message that calls tools in an `updates` event. */
export const updatedCallTable: FieldTable = {
  ...common,
  prefix: 'stream.updates.calling',
  subject: 'an ai message in an `updates` event that calls a tool',
  needs: 'stream.updates.messages-objects',
  places: [updated(callsTools)],
  fields: [
    field(
      'tool_calls',
      present(),
      array(),
      holds('filled', 'holds the calls', (value) => !Array.isArray(value) || value.length > 0, []),
    ),
  ],
}

/** A message of type `tool` in an `updates` event. */
export const updatedToolTable: FieldTable = {
  ...common,
  prefix: 'stream.updates.tool',
  subject: 'a tool message in an `updates` event',
  needs: 'stream.updates.messages-objects',
  places: [updated(ofType('tool'))],
  fields: [
    ...updateFields('tool', 'ai'),
    field('tool_call_id', present()),
    field('artifact', shown({ statement: 'is present' })),
    field('status', shown({ statement: 'is present' })),
  ],
}
