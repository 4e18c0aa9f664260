import { assistantTable } from '../../../suites/catalog/deployment/assistant.ts'
import { stateTable } from '../../../suites/catalog/deployment/state.ts'
import type { Fields } from '../../wrappers/requests.ts'
import { everyObject, json, objects } from '../../wrappers/responses.ts'
import { type Choice, choicesOf } from '../choice.ts'

const absent = {
  '*.present': 'a field that the specification shows as null or empty may be absent (ruling 11, lenient null)',
}

/** Which fields records have. */
export const recordChoices: readonly Choice[] = choicesOf('deployment', {
  'deployment.further-fields': {
    description: 'Fields of records that the specification does not name.',
    legal:
      'thread.fields.further, run.fields.further, run.kwargs.further, assistant.fields.further, state.fields.further, message.further',
    values: {
      nested: { wrap: objects((object) => (isRecord(object) ? { ...object, x_extra: { deep: [1, null] } } : object)) },
      null: { wrap: objects((object) => (isRecord(object) ? { ...object, x_null: null, object: 'record' } : object)) },
      none: { wrap: json((body) => everyObject(body, onlyDocumented)) },
    },
  },
  'deployment.null-fields': {
    description: 'Whether fields that are null are present.',
    legal: 'Lenient null: a field that the specification shows as null may be absent',
    values: {
      absent: { wrap: objects((object) => (isRecord(object) ? withoutNull(object) : object)), excuses: absent },
    },
  },
  'message.empty-fields': {
    description: 'Whether fields of messages that are null, false or empty are present.',
    legal: 'Ruling 11: absent is as good as null, false or empty where the specification allows these',
    values: {
      absent: { wrap: objects((object) => (isMessage(object) ? withoutEmpty(object) : object)), excuses: absent },
    },
  },
})

/** Whether an object is one of the service, which can have further fields. */
function isRecord(object: Fields): boolean {
  return isMessage(object) || 'next' in object || ('created_at' in object && 'updated_at' in object)
}

function isMessage(object: Fields): boolean {
  return 'response_metadata' in object && 'content' in object
}

const ofAssistants = assistantTable.fields.map(({ name }) => name)
const ofStates = [...stateTable.fields.map(({ name }) => name), 'parent_checkpoint_id']

/** Removes the fields of assistants and states that only public servers have. */
function onlyDocumented(object: Fields): Record<string, unknown> {
  const names = 'graph_id' in object && 'version' in object ? ofAssistants : 'next' in object ? ofStates : undefined
  return Object.fromEntries(Object.entries(object).filter(([name]) => names?.includes(name) ?? true))
}

/** Removes fields that are null. `artifact` must be present; what it contains is not shown. */
function withoutNull(object: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== null || name === 'artifact'))
}

const lenient = ['example', 'name', 'additional_kwargs', 'invalid_tool_calls', 'usage_metadata']

function withoutEmpty(message: Fields): Record<string, unknown> {
  const isEmpty = (value: unknown) => [null, false].includes(value as null) || Object.keys(Object(value)).length === 0
  const entries = Object.entries(message).filter(([name, value]) => !(lenient.includes(name) && isEmpty(value)))
  return Object.fromEntries(entries)
}
