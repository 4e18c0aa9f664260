import type { Clock } from '../../runtime/clock.ts'
import { BucketError } from '../bucket/bucket.ts'
import { destinationErrors } from '../destinations/test-file.ts'
import type { ExportRun } from '../types.ts'
import { attempt, dropLeftover, type RunTools, ScriptedFailure, type Sleep } from './attempt.ts'
import { mayPass, RUN_RETRIES, retryDelayMs } from './retry.ts'

/**
 * Executes a run to its end: `Completed`, or `Failed` once it has been tried often enough. Known problems are kept in
 * its `errors`. When the signal is aborted it ends as it is; whoever aborted says what becomes of it.
 */
export async function executeRun(tools: RunTools, run: ExportRun): Promise<void> {
  const { clock, policies } = tools.context
  const work = beginWork(clock, policies.longestHoldMs)
  try {
    let retry = run.retry_number
    while (!(await tryOnce(tools, run, work, retry))) retry++
  } catch (error) {
    if (!tools.signal.aborted) throw error
  } finally {
    work.end()
  }
}

/** Tries once and tells whether that was the end of the run; where it was not, the wait before the next try is over. */
async function tryOnce(tools: RunTools, run: ExportRun, work: Work, retry_number: number): Promise<boolean> {
  const { signal, context } = tools
  const { store, clock, random } = context
  store.runs.update(run, { status: 'Running', retry_number, rows_written: 0, updated_at: clock.now() })
  try {
    const { rows, files } = await attempt(tools, run, work.sleep)
    end(tools, run, { status: 'Completed', rows_written: rows, files })
    return true
  } catch (error) {
    if (signal.aborted) throw error
    const errors = { ...store.runs.get(run.id)?.errors, [`retry_${retry_number}`]: messageOf(error) }
    if (!mayPass(error) || retry_number >= RUN_RETRIES) {
      end(tools, run, { status: 'Failed', rows_written: 0, errors })
      return true
    }
    store.runs.update(run, { errors, rows_written: 0, updated_at: clock.now() })
    await work.sleep(retryDelayMs(retry_number, random), signal).catch(async (reason: unknown) => {
      await dropLeftover(tools, run).catch(() => undefined)
      throw reason
    })
    return false
  }
}

function end({ context: { store, clock } }: RunTools, run: ExportRun, outcome: Partial<ExportRun>): void {
  const now = clock.now()
  store.runs.update(run, { ...outcome, upload: null, updated_at: now, finished_at: now })
}

// Messages in `errors` of a run for a problem of its bucket.
const runErrors = { ...destinationErrors, unreachable: 'The bucket was not reached' }

function messageOf(error: unknown): string {
  if (error instanceof ScriptedFailure) return error.message
  if (error instanceof BucketError) return `${runErrors[error.problem]} (${error.message})`
  return `The rows could not be written: ${error instanceof Error ? error.message : String(error)}`
}

/** Work that takes real time: jumps of the clock wait for it, except where it waits for the clock itself. */
export interface Work {
  readonly sleep: Sleep
  end(): void
}

export function beginWork(clock: Clock, longestHoldMs: number): Work {
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
