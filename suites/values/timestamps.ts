import { iso8601, offset } from '../catalog/facts.ts'
import { parseTimestamp } from '../catalog/timestamp.ts'
import { at } from './json.ts'

const label = 'timestamp'
const facts = [iso8601(), offset()]

/** Time of a timestamp, in milliseconds since the Unix epoch; undefined if it is not valid or has no offset. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const isValid = facts.every((fact) => fact.problem(value, { label, value }) === undefined)
  return isValid ? parseTimestamp(value) : undefined
}

/** Whether `updated_at` of an object is before `created_at`, as far as the less precise one shows. */
export function updatedBeforeCreated(object: unknown): boolean {
  const [created, updated] = [timeOf(at(object, 'created_at')), timeOf(at(object, 'updated_at'))]
  return created !== undefined && updated !== undefined && updated < created && !isSameTime(created, updated)
}

const second = 1000
const minute = 60 * second

/**
 * Whether two times in milliseconds are equal, as far as the less precise one shows: digits after the milliseconds may be
 * rounded, and a time with whole seconds or minutes may have lost what is smaller. False if one of them is not known.
 */
export function isSameTime(first = Number.NaN, later = Number.NaN): boolean {
  const isWhole = (unit: number) => first % unit === 0 || later % unit === 0
  return Math.abs(first - later) < (isWhole(minute) ? minute : isWhole(second) ? second : 2)
}
