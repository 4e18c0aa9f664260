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
  const [created, updated] = [at(object, 'created_at'), at(object, 'updated_at')]
  const [createdMs, updatedMs] = [timeOf(created), timeOf(updated)]
  if (createdMs === undefined || updatedMs === undefined) return false
  return updatedMs < createdMs && !isSameTime(created, updated)
}

/** How exactly a timestamp shows its time, in milliseconds: digits after the milliseconds may be rounded. */
function precisionOf(value: unknown, ms: number): number {
  // A time in whole seconds may show zeros.
  if (ms % 60_000 === 0) return 60_000
  if (ms % 1000 === 0) return 1000
  const [, digits = ''] = /[.,](\d+)/.exec(String(value)) ?? []
  return digits.length === 1 ? 100 : digits.length === 2 ? 10 : 2
}

/**
 * Whether two timestamps mean the same time, as far as the less precise one shows: it may have lost what is smaller. False if
 * one of them has no time.
 *
 * @example
 * isSameTime('2026-01-31T12:00:00.57Z', '2026-01-31T12:00:00.571Z')
 */
export function isSameTime(
  first: unknown,
  later: unknown,
  read: (value: unknown) => number | undefined = timeOf,
): boolean {
  const [a, b] = [read(first), read(later)]
  if (a === undefined || b === undefined) return false
  return Math.abs(a - b) < Math.max(precisionOf(first, a), precisionOf(later, b))
}
