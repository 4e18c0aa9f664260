import { applies } from '../catalog/catalog.ts'
import { evaluateSessions } from '../evaluate/decisions.ts'
import type { Check } from './check.ts'
import { type Decision, runCheck } from './run-check.ts'
import type { Session } from './session.ts'

/** Options of a run. */
export interface RunChecksOptions {
  /** Called with the decisions of each check when it ends. */
  readonly onDecisions?: (decisions: readonly Decision[]) => void
  /**
   * Called with an error that is not a decision of a check, which is a bug in Touchstone.
   * @default such an error rejects the run
   */
  readonly onError?: (error: unknown, check: Check) => void
  /** Stops the run early: no further check starts, and the decisions of running checks are discarded. */
  readonly signal?: AbortSignal
}

/** Whether a check has anything to decide on an endpoint. */
function runsOn(check: Check, session: Session): boolean {
  if (check.profile !== undefined && check.profile !== session.profile) return false
  return check.rows.some((row) => applies(row, session.profile))
}

/**
 * Runs checks concurrently up to a bound, then applies the rules, and returns all decisions.
 *
 * @example
 * const decisions = await runChecks(deploymentChecks, [openSession(manifest, 'open', 'seed')], 8)
 */
export async function runChecks(
  checks: readonly Check[],
  sessions: readonly Session[],
  concurrency: number,
  { onDecisions, onError, signal }: RunChecksOptions = {},
): Promise<readonly Decision[]> {
  // Endpoints take turns, so that their waits overlap. Several sessions on one endpoint follow one another.
  const byEndpoint = [...Map.groupBy(sessions, ({ endpointName }) => endpointName)]
  const rounds = Math.max(0, ...byEndpoint.map(([, own]) => own.length))
  const jobs = Array.from({ length: rounds }, (_, round) =>
    checks.flatMap((check) =>
      byEndpoint
        .flatMap(([, own]) => own[round] ?? [])
        .filter((session) => runsOn(check, session))
        .map((session) => ({ check, session })),
    ),
  ).flat()
  const decisions: Decision[] = []
  // Failures that a check found on its way block its own requirements, so they stay.
  const attributed: Decision[] = []
  // What scenarios exercise is decided at the end.
  const left: Decision[] = []
  const queue = jobs.values()
  const worker = async () => {
    for (const { check, session } of queue) {
      if (signal?.aborted) return
      try {
        const decided = await runCheck(check, session)
        if (signal?.aborted) return
        const own = decided.filter(({ row }) => check.rows.includes(row))
        attributed.push(...decided.filter((decision) => !own.includes(decision)))
        if (check.decidedByRules) left.push(...own)
        else {
          decisions.push(...own)
          onDecisions?.(own)
        }
      } catch (error) {
        if (!onError) throw error
        onError(error, check)
      }
    }
  }
  const ended = Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, worker))
  await (signal ? Promise.race([ended, aborted(signal)]) : ended)
  const evaluated = await evaluateSessions(sessions)
  if (!signal?.aborted) onDecisions?.(replaced(left, evaluated))
  const order = byEndpoint.map(([name]) => name)
  return [...replaced([...decisions, ...left], evaluated), ...attributed].sort(
    (a, b) => order.indexOf(a.endpoint) - order.indexOf(b.endpoint),
  )
}

/**
 * Replaces the decisions of checks about requirements that rules decided: a check sees less. What rules found broken
 * beside that is added.
 */
function replaced(decisions: readonly Decision[], evaluated: readonly Decision[]): readonly Decision[] {
  const key = ({ endpoint, row }: Decision) => `${endpoint} ${row}`
  const byRules = new Map(evaluated.map((decision) => [key(decision), decision]))
  const known = new Set(decisions.map(key))
  const others = evaluated.filter((one) => ['fail', 'warning'].includes(one.verdict) && !known.has(key(one)))
  return [
    ...decisions.map((decision) => ({
      ...(byRules.get(key(decision)) ?? decision),
      check: decision.check,
      durationMs: decision.durationMs,
    })),
    ...others,
  ]
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
