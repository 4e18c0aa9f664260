import { textAt } from '../json.ts'

const words = (text: string) => new Set(text.split(' '))

/** Words for success, without case and separators; only `Cancelled` is documented. */
const good = words('completed complete done finished success succeeded successful exported ended')
/** Words for other ends. */
const bad = words('cancelled canceled error errored expired aborted terminated stopped failed timedout timeout')
const underway = words('running inprogress processing started executing')
const waiting = words(
  'created new accepted submitted pending queued waiting scheduled intervalscheduled active paused retrying',
)

function wordOf(found: unknown): string {
  return (textAt(found, 'status') ?? '').toLowerCase().replaceAll(/[^a-z]/g, '')
}

/** Whether an export, or an export run, tells in a word that is known that more happens to it. */
export function isUnderway(found: unknown): boolean {
  return underway.has(wordOf(found)) || waiting.has(wordOf(found))
}

/** Whether an export tells that it does something, or has done it. */
export function hasBegun(found: unknown): boolean {
  return underway.has(wordOf(found)) || hasEnded(found)
}

/** Whether an export, or an export run, tells that nothing more happens to it. */
export function hasEnded(found: unknown): boolean {
  return good.has(wordOf(found)) || bad.has(wordOf(found))
}

/** Whether it tells that it succeeded. */
export function hasSucceeded(found: unknown): boolean {
  return good.has(wordOf(found))
}
