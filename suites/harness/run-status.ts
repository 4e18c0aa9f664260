import { Stopped } from './errors.ts'
import { show, textAt } from './json.ts'

/** Statuses of runs that have ended: those of the document, and the public ones of failure. Any other may still change. */
const final = new Set(['success', 'interrupted', 'error', 'timeout', 'failed', 'cancelled', 'canceled', 'completed'])

/** Whether a status is that of a run that has ended. */
export function isFinal(status: unknown): boolean {
  return typeof status === 'string' && final.has(status)
}

/** Whether a run's status says that it has not ended. */
export function isExecuting(run: unknown): boolean {
  const status = textAt(run, 'status')
  return status !== undefined && !final.has(status)
}

/** Whether a run has not ended. */
export function stillExecutes(run: unknown): boolean {
  if (textAt(run, 'status') !== undefined) return isExecuting(run)
  throw new Stopped(`expected a run with a status, received ${show(run, 300)}`)
}
