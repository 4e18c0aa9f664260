import { plainValues } from '../../graphs/values.ts'
import type { Dialect } from '../dialect.ts'
import type { Run } from '../records.ts'
import type { RunStatus } from '../schemas/fields.ts'
import type { Presenter } from './presenter.ts'

/** Serializes a run. Section of the specification: Run. */
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
 * Returns the status that a caller sees.
 *
 * The dialect decides whether an executing run is `running`, but the first poll always shows `pending`.
 */
export function shownStatus(run: Run, dialect: Dialect): RunStatus {
  if (run.status !== 'running') return run.status
  return run.polled ? dialect.executingStatus : 'pending'
}

/** Serializes the outcome of a run: its state with its interrupts, or its error. */
export const presentOutcome: Presenter<Run> = ({ outcome }) => {
  if (outcome?.error !== undefined) return { __error__: outcome.error }
  const values = outcome?.values == null ? {} : plainValues(outcome.values)
  return outcome?.interrupts?.length ? { ...values, __interrupt__: outcome.interrupts } : values
}
