import type { Clock } from '../../runtime/clock.ts'
import { BucketError } from '../bucket/bucket.ts'
import { destinationErrors } from '../destinations/test-file.ts'
import type { ExportRun } from '../types.ts'
import {
  attempt,
  dropLeftover,
  isTransient,
  RUN_RETRIES,
  type RunContext,
  retryDelayMs,
  ScriptedFailure,
  type Sleep,
} from './attempt.ts'

/**
 * Executes a run until it is `Completed`, or `Failed` after too many retries. The error of each attempt is in its `errors`.
 * If the signal is aborted, the run keeps its status, and the caller that aborted it sets the final one.
 */
export async function executeRun(runContext: RunContext, run: ExportRun): Promise<void> {
  const { clock, policies } = runContext.context
  const work = beginWork(clock, policies.longestHoldMs)
  try {
    let retry = run.retry_number
    while (!(await tryOnce(runContext, run, work, retry))) retry++
  } catch (error) {
    if (!runContext.signal.aborted) throw error
  } finally {
    work.end()
  }
}

/** Makes one attempt. Returns true if the run has ended; otherwise, after the delay before the next attempt, false. */
async function tryOnce(runContext: RunContext, run: ExportRun, work: Work, retry_number: number): Promise<boolean> {
  const { signal, context } = runContext
  const { store, clock, random } = context
  store.runs.update(run, { status: 'Running', retry_number, rows_written: 0, updated_at: clock.now() })
  try {
    const { rows, files } = await attempt(runContext, run, work.sleep)
    end(runContext, run, { status: 'Completed', rows_written: rows, files })
    return true
  } catch (error) {
    if (signal.aborted) throw error
    const errors = { ...store.runs.get(run.id)?.errors, [`retry_${retry_number}`]: messageOf(error) }
    if (!isTransient(error) || retry_number >= RUN_RETRIES) {
      end(runContext, run, { status: 'Failed', rows_written: 0, errors })
      return true
    }
    store.runs.update(run, { errors, rows_written: 0, updated_at: clock.now() })
    await work.sleep(retryDelayMs(retry_number, random), signal).catch(async (reason: unknown) => {
      await dropLeftover(runContext, run).catch(() => undefined)
      throw reason
    })
    return false
  }
}

function end({ context: { store, clock } }: RunContext, run: ExportRun, outcome: Partial<ExportRun>): void {
  const now = clock.now()
  store.runs.update(run, { ...outcome, upload: null, updated_at: now, finished_at: now })
}

// Messages for bucket problems in `errors` of a run.
const runErrors = { ...destinationErrors, unreachable: 'The bucket was not reached' }

function messageOf(error: unknown): string {
  if (error instanceof ScriptedFailure) return error.message
  if (error instanceof BucketError) return `${runErrors[error.problem]} (${error.message})`
  return `The rows could not be written: ${error instanceof Error ? error.message : String(error)}`
}

/** Work that takes real time. Jumps of the clock wait for it, except while it sleeps on the clock itself. */
interface Work {
  readonly sleep: Sleep
  end(): void
}

function beginWork(clock: Clock, longestHoldMs: number): Work {
  let release = clock.hold(longestHoldMs)
  return {
    sleep: async (ms, signal) => {
      release()
      try {
        await clock.sleep(ms, signal)
      } finally {
        release = clock.hold(longestHoldMs)
      }
    },
    end: () => release(),
  }
}
