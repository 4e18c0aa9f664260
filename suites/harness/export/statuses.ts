import { textAt } from '../json.ts'

const words = (text: string) => new Set(text.split(' '))

// Statuses in lower case without separators. Only `Cancelled` is documented.
const successes = words('completed complete done finished success succeeded successful exported ended')
const failures = words('cancelled canceled error errored expired aborted terminated stopped failed timedout timeout')
const executing = words('running inprogress processing started executing')
const waiting = words(
  'created new accepted submitted pending queued waiting scheduled intervalscheduled active paused retrying',
)

function statusOf(record: unknown): string {
  return (textAt(record, 'status') ?? '').toLowerCase().replaceAll(/[^a-z]/g, '')
}

/** Whether an export or export run has a known status that is not final. */
export function isUnderway(record: unknown): boolean {
  return executing.has(statusOf(record)) || waiting.has(statusOf(record))
}

/** Whether an export is executing or has ended. */
export function hasBegun(record: unknown): boolean {
  return executing.has(statusOf(record)) || hasEnded(record)
}

/** Whether an export or export run has a final status. */
export function hasEnded(record: unknown): boolean {
  return successes.has(statusOf(record)) || failures.has(statusOf(record))
}

/** Whether an export or export run has succeeded. */
export function hasSucceeded(record: unknown): boolean {
  return successes.has(statusOf(record))
}
