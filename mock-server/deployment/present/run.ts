import { plainValues } from '../../graphs/values.ts'
import type { Dialect } from '../dialect.ts'
import type { Run } from '../records.ts'
import type { RunStatus } from '../schemas/fields.ts'
import type { Presenter } from './presenter.ts'

/** Section of the document: Run. */
export const presentRun: Presenter<Run> = (run, dialect) => ({
  run_id: run.run_id,
  thread_id: run.thread_id,
  assistant_id: run.assistant_id,
  created_at: dialect.timestamp(run.created_at),
  updated_at: dialect.timestamp(run.updated_at),
  metadata: run.metadata,
  status: shownStatus(run, dialect),
  kwargs: run.kwargs,
  multitask_strategy: run.multitask_strategy,
})

/**
 * The status that a caller sees.
 *
 * Whether an executing run is told from a waiting one is the dialect's affair, but the first poll shows `pending` in all of them.
 */
export function shownStatus(run: Run, dialect: Dialect): RunStatus {
  if (run.status !== 'running') return run.status
  return run.polled ? dialect.executingStatus : 'pending'
}

/** What joining a run answers: the state that it left, with what it waits for, or its error. */
export const presentOutcome: Presenter<Run> = ({ outcome }) => {
  if (outcome?.error !== undefined) return { __error__: outcome.error }
  const values = outcome?.values == null ? {} : plainValues(outcome.values)
  return outcome?.interrupts?.length ? { ...values, __interrupt__: outcome.interrupts } : values
}
