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

/** A minute, a second, a tenth and a hundredth of a second, in milliseconds: timestamps may show no smaller unit. */
const units = [60_000, 1000, 100, 10]

/**
 * Whether two times in milliseconds are equal, as far as the less precise one shows: digits after the milliseconds may be
 * rounded, and a time in whole units may have lost what is smaller. False if one of them is not known.
 */
export function isSameTime(first = Number.NaN, later = Number.NaN): boolean {
  const unit = units.find((each) => first % each === 0 || later % each === 0) ?? 2
  return Math.abs(first - later) < unit
}
