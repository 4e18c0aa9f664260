import { textAt } from '../json.ts'

const words = (text: string) => new Set(text.split(' '))

// Statuses in lower case, letters and digits only. Only `Cancelled` is documented.
const successes = words('completed complete done finished success succeeded successful exported ended')
const failures = words(
  'cancelled canceled error errored expired aborted terminated stopped failed failure timedout timeout',
)
const executing = words('running inprogress processing started executing')
const waiting = words(
  'created new accepted submitted pending queued waiting scheduled intervalscheduled active paused retrying',
)

/** Final statuses of a service that Touchstone does not know. */
export interface StatusWords {
  /** Statuses of exports that have succeeded. */
  readonly ended: readonly string[]
  /** Statuses of exports that have ended without success. */
  readonly failed: readonly string[]
}

const plain = (status: string): string => status.toLowerCase().replaceAll(/[^\p{L}\d]/gu, '')

const statusOf = (record: unknown): string => plain(textAt(record, 'status') ?? '')

const includes = (statuses: readonly string[], record: unknown): boolean =>
  statuses.some((status) => plain(status) === statusOf(record))

/** Whether an export or export run has a known status that is not final. */
export function isUnderway(record: unknown, words: StatusWords): boolean {
  return !hasEnded(record, words) && (executing.has(statusOf(record)) || waiting.has(statusOf(record)))
}

/** Whether an export is executing or has ended. */
export function hasBegun(record: unknown, words: StatusWords): boolean {
  return hasEnded(record, words) || executing.has(statusOf(record))
}

/** Whether an export or export run has a final status. */
export function hasEnded(record: unknown, words: StatusWords): boolean {
  return hasSucceeded(record, words) || includes(words.failed, record) || failures.has(statusOf(record))
}

/** Whether an export or export run has succeeded. */
export function hasSucceeded(record: unknown, words: StatusWords): boolean {
  if (includes(words.failed, record)) return false
  return includes(words.ended, record) || successes.has(statusOf(record))
}

/** Whether an export, or a request that changes one, has the status of a cancelled export that the specification names. */
export const isCancelled = (record: unknown): boolean => textAt(record, 'status') === 'Cancelled'

/** How an export has ended, `underway`, or `unknown` if its status is not known. */
export function outcomeOf(
  record: unknown,
  words: StatusWords,
): 'succeeded' | 'cancelled' | 'failed' | 'underway' | 'unknown' {
  if (isUnderway(record, words)) return 'underway'
  if (!hasEnded(record, words)) return 'unknown'
  if (hasSucceeded(record, words)) return 'succeeded'
  return ['cancelled', 'canceled'].includes(statusOf(record)) ? 'cancelled' : 'failed'
}
