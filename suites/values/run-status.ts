import { textAt } from './json.ts'

/** Final statuses of runs: those of the specification, and those of failed runs on public servers. */
export const finalStatusWords = [
  'success',
  'interrupted',
  'error',
  'timeout',
  'failed',
  'cancelled',
  'canceled',
  'completed',
] as const

const final: ReadonlySet<string> = new Set(finalStatusWords)

/** Statuses of runs that have not ended, on public servers. */
const underway = new Set([
  'pending',
  'queued',
  'scheduled',
  'starting',
  'started',
  'running',
  'executing',
  'in_progress',
])

/** The statuses that a run may have before its end, for messages. */
export const notFinal = '"pending", "running" or another one that is not final'

/** Whether a status is final. */
export function isFinal(status: unknown): boolean {
  return typeof status === 'string' && final.has(status)
}

/** Whether a run has a status that is not final. */
export function isExecuting(run: unknown): boolean {
  const status = textAt(run, 'status')
  return status !== undefined && !final.has(status)
}

/** Whether nothing is known of the status of a run. */
export function isUnknown(run: unknown): boolean {
  return isExecuting(run) && !underway.has(textAt(run, 'status') ?? '')
}
