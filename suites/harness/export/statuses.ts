import { textAt } from '../json.ts'

/** Words for an export that has ended, whatever the case and the separators: `Cancelled` is documented, the rest usual. */
const ended = new Set([
  'cancelled',
  'canceled',
  'completed',
  'complete',
  'done',
  'error',
  'errored',
  'exported',
  'ended',
  'expired',
  'aborted',
  'terminated',
  'stopped',
  'successful',
  'failed',
  'finished',
  'success',
  'succeeded',
  'timedout',
  'timeout',
])
const good = new Set([
  'completed',
  'complete',
  'done',
  'finished',
  'success',
  'succeeded',
  'successful',
  'exported',
  'ended',
])

function wordOf(found: unknown): string {
  return (textAt(found, 'status') ?? '').toLowerCase().replaceAll(/[^a-z]/g, '')
}

const underway = new Set(['running', 'inprogress', 'processing', 'started', 'executing'])

const waiting = new Set([
  'created',
  'new',
  'accepted',
  'submitted',
  'pending',
  'queued',
  'waiting',
  'scheduled',
  'intervalscheduled',
  'active',
  'paused',
  'retrying',
])

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
  return ended.has(wordOf(found))
}

/** Whether it tells that it succeeded. */
export function hasSucceeded(found: unknown): boolean {
  return good.has(wordOf(found))
}
