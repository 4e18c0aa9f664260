import { iso8601, offset } from '../catalog/facts.ts'
import { parseTimestamp } from '../catalog/timestamp.ts'
import { at } from './json.ts'

const label = 'timestamp'

/** Returns the time of a timestamp; undefined if it is not valid or has no offset, which other requirements state. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const sound = [iso8601(), offset()].every((fact) => fact.problem(value, { label, value }) === undefined)
  return sound ? parseTimestamp(value) : undefined
}

/** Whether an object says that it was updated before it was created. */
export function updatedBeforeCreated(object: unknown): boolean {
  const [created, updated] = [timeOf(at(object, 'created_at')), timeOf(at(object, 'updated_at'))]
  return created !== undefined && updated !== undefined && updated < created
}
