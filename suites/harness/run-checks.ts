import { applies } from '../catalog/catalog.ts'
import type { Check } from './check.ts'
import { runCheck } from './run-check.ts'
import type { Session } from './session.ts'

/** Options of a run. */
export interface RunChecksOptions {
  /** Called with each check when it ends. */
  readonly onEnd?: (check: Check) => void
  /**
   * Called with an error that is not a result of a check, which is a bug in Touchstone.
   * @default such an error rejects the run
   */
  readonly onError?: (error: unknown, check: Check) => void
  /** Stops the run early: no further check starts, and running checks are left behind. */
  readonly signal?: AbortSignal
}

/** Whether a check exercises anything on an endpoint. */
export function runsOn(check: Check, { profile }: Pick<Session, 'profile'>): boolean {
  if (check.profile !== undefined && check.profile !== profile) return false
  return check.rows.some((row) => applies(row, profile))
}

/**
 * Runs checks concurrently up to a bound, the repeats one after another. What checks send, receive and report is in the
 * traces of the sessions.
 *
 * @example
 * await runChecks(deploymentChecks, [openSession(manifest, 'open', 'seed')], 8)
 */
export async function runChecks(
  checks: readonly Check[],
  sessions: readonly Session[],
  concurrency: number,
  options: RunChecksOptions = {},
): Promise<void> {
  const byRound = [...Map.groupBy(sessions, ({ round }) => round)].sort(([a], [b]) => a - b)
  for (const [round, own] of byRound) {
    await runRound(checks, own, concurrency, options)
    if (options.signal?.aborted) return
    for (const trace of new Set(own.map((session) => session.trace))) trace.endRound(round)
  }
}

async function runRound(
  checks: readonly Check[],
  sessions: readonly Session[],
  concurrency: number,
  { onEnd, onError, signal }: RunChecksOptions,
): Promise<void> {
  // Endpoints take turns, so that their waits overlap.
  const jobs = checks.flatMap((check) =>
    sessions.filter((session) => runsOn(check, session)).map((session) => ({ check, session })),
  )
  const queue = jobs.values()
  const worker = async () => {
    for (const { check, session } of queue) {
      if (signal?.aborted) return
      try {
        await runCheck(check, session, signal)
        if (!signal?.aborted) onEnd?.(check)
      } catch (error) {
        if (!onError) throw error
        onError(error, check)
      }
    }
  }
  const ended = Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, worker))
  await (signal ? Promise.race([ended, aborted(signal)]) : ended)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
