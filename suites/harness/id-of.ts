import { describeMissing, textAt } from '../values/json.ts'
import { Stopped } from './errors.ts'

/**
 * Returns the id of an object.
 *
 * @throws Stopped if it is not a string
 */
export function idOf(object: unknown, key: 'thread_id' | 'run_id' | 'assistant_id'): string {
  const id = textAt(object, key)
  if (id !== undefined) return id
  throw new Stopped(`expected a string as ${key}, received ${describeMissing(key, object)}`)
}
