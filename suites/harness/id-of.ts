import { Refused } from './errors.ts'
import { at, show } from './json.ts'

/** The id that an object carries; one without is of no further use, and the row of that field says so. */
export function idOf(
  object: unknown,
  field: 'thread.fields.thread_id' | 'run.fields.run_id' | 'assistant.fields.assistant_id',
): string {
  const id = at(object, field.split('.').at(-1) ?? '')
  if (typeof id === 'string') return id
  throw new Refused(`${field}.${id === undefined ? 'present' : 'type'}`, 'a string id', show(object, 300))
}
