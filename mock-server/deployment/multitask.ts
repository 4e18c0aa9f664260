import { ApiError } from '../http/errors.ts'
import type { MultitaskStrategy } from './schemas/fields.ts'

/** The runs in flight on a thread. */
interface InFlight<Job> {
  /** Oldest first; the first one may be executing. */
  readonly jobs: readonly Job[]
  /** Stops a run at once and keeps it, with the state of its finished steps. */
  interrupt(job: Job): void
  /** Stops a run at once and deletes it with its state. */
  rollback(job: Job): void
}

/**
 * Prepares a thread for a new run, which is then queued behind the runs that are still in flight.
 *
 * @throws ApiError `thread-busy`
 */
export type ApplyStrategy = <Job>(inFlight: InFlight<Job>) => void

/** What each `multitask_strategy` does. Sections of the specification: Run status, Endpoints. */
export const multitask: Readonly<Record<MultitaskStrategy, ApplyStrategy>> = {
  reject: ({ jobs }) => {
    if (jobs.length === 0) return
    throw new ApiError(
      'thread-busy',
      'Thread is already running a task. Wait for it to finish or choose a different multitask strategy.',
    )
  },
  enqueue: () => undefined,
  interrupt: ({ jobs, interrupt }) => {
    // Newest first: a queued run must not start while the one before it is stopped.
    for (const job of jobs.toReversed()) interrupt(job)
  },
  rollback: ({ jobs, rollback }) => {
    for (const job of jobs.toReversed()) rollback(job)
  },
}
