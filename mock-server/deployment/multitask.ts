import { ApiError } from '../http/errors.ts'
import type { MultitaskStrategy } from './schemas/fields.ts'

/** The runs in flight on a thread, as a strategy sees them: oldest first, the first one may be executing. */
interface InFlight<Job> {
  readonly jobs: readonly Job[]
  /** Stops a run at once; it is kept, with the state that its finished steps left. */
  interrupt(job: Job): void
  /** Stops a run at once and takes it back: the run and its state are gone. */
  rollback(job: Job): void
}

/**
 * Makes way for a new run, which is queued behind whatever is still in flight afterwards.
 *
 * @throws ApiError `thread-busy`
 */
export type MakeWay = <Job>(inFlight: InFlight<Job>) => void

/** What each `multitask_strategy` does. Sections of the document: Run status, Endpoints. */
export const multitask: Readonly<Record<MultitaskStrategy, MakeWay>> = {
  reject: ({ jobs }) => {
    if (jobs.length === 0) return
    throw new ApiError(
      'thread-busy',
      'Thread is already running a task. Wait for it to finish or choose a different multitask strategy.',
    )
  },
  enqueue: () => undefined,
  interrupt: ({ jobs, interrupt }) => {
    // From the newest: a queued run must not start while the one before it is being stopped.
    for (const job of jobs.toReversed()) interrupt(job)
  },
  rollback: ({ jobs, rollback }) => {
    for (const job of jobs.toReversed()) rollback(job)
  },
}
