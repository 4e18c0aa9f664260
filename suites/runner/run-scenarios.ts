import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { applies } from '../catalog/catalog.ts'
import { mapConcurrently } from '../harness/map-concurrently.ts'
import type { Session } from '../harness/session.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { runScenario } from './run-scenario.ts'

/** Time between the starts of the first scenarios, in milliseconds: many targets answer their first requests slowly. */
const RAMP_MS = 10

/** Options of a run. */
export interface RunScenariosOptions {
  /** Called with each scenario when it ends. */
  readonly onEnd?: (scenario: Scenario) => void
  /**
   * Called with an error that is not a result of a scenario, which is a bug in Touchstone.
   * @default such an error rejects the run
   */
  readonly onError?: (error: unknown, scenario: Scenario) => void
  /** Stops the run early: no further scenario starts, and running scenarios are left behind. */
  readonly signal?: AbortSignal
}

/** Whether a scenario exercises anything on an endpoint. */
export function runsOn(scenario: Scenario, { profile }: Pick<Session, 'profile'>): boolean {
  return scenario.exercises.some((requirement) => applies(requirement, profile))
}

/**
 * Runs scenarios concurrently up to a bound, the repeats one after another. What scenarios send, receive and report is in the
 * traces of the sessions.
 *
 * @example
 * await runScenarios(deploymentScenarios, [openSession(manifest, 'open', 'seed')], 8)
 */
export async function runScenarios(
  scenarios: readonly Scenario[],
  sessions: readonly Session[],
  concurrency: number,
  options: RunScenariosOptions = {},
): Promise<void> {
  const byRound = [...Map.groupBy(sessions, ({ round }) => round)].sort(([a], [b]) => a - b)
  for (const [round, own] of byRound) {
    await runRound(scenarios, own, concurrency, options)
    if (options.signal?.aborted) return
    for (const trace of new Set(own.map((session) => session.trace))) trace.endRound(round)
  }
}

async function runRound(
  scenarios: readonly Scenario[],
  sessions: readonly Session[],
  concurrency: number,
  { onEnd, onError, signal }: RunScenariosOptions,
): Promise<void> {
  // Endpoints take turns, so that their waits overlap.
  const jobs = scenarios
    .flatMap((scenario) =>
      sessions.filter((session) => runsOn(scenario, session)).map((session) => ({ scenario, session })),
    )
    .map((job, index) => ({ ...job, delayMs: index < concurrency ? index * RAMP_MS : 0 }))
  const ended = mapConcurrently(jobs, concurrency, async ({ scenario, session, delayMs }) => {
    if (delayMs > 0) await setTimeout(delayMs, undefined, { signal }).catch(() => {})
    if (signal?.aborted) return
    try {
      await runScenario(scenario, session, signal)
      if (!signal?.aborted) onEnd?.(scenario)
    } catch (error) {
      if (!onError) throw error
      onError(error, scenario)
    }
  })
  const readAgain = ended.then(() => Promise.all(sessions.map((session) => session.readAgain())))
  await (signal ? Promise.race([readAgain, aborted(signal)]) : readAgain)
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
