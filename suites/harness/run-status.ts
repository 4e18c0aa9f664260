import { isObject } from '../catalog/facts.ts'
import { Refused } from './errors.ts'
import { at, show, textAt } from './json.ts'

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

/** Whether a run has not ended; one without a status tells nothing, and the row of that field says so. */
export function stillExecutes(run: unknown): boolean {
  const status = at(run, 'status')
  if (typeof status === 'string') return isExecuting(run)
  if (!isObject(run)) throw new Refused('run.get.answers-run', 'a run', show(run, 300))
  throw new Refused(`run.fields.status.${status === undefined ? 'present' : 'type'}`, 'a status', show(run, 300))
}
