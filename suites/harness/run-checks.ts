import { applies } from '../catalog/catalog.ts'
import type { Check } from './check.ts'
import { type Decision, runCheck } from './run-check.ts'
import type { Session } from './session.ts'

/** Whether a check has anything to decide on an endpoint. */
export function runsOn(check: Check, session: Session): boolean {
  if (check.profile !== undefined && check.profile !== session.profile) return false
  return check.rows.some((row) => applies(row, session.profile))
}

/**
 * Runs checks in this process, side by side up to a bound, and returns all their decisions.
 *
 * @example
 * const decisions = await runChecks(deploymentChecks, [openSession(manifest, 'open', 'seed')], 8)
 */
export async function runChecks(
  checks: readonly Check[],
  sessions: readonly Session[],
  concurrency: number,
): Promise<readonly Decision[]> {
  const jobs = sessions.flatMap((session) =>
    checks.filter((check) => runsOn(check, session)).map((check) => () => runCheck(check, session)),
  )
  const decisions: Decision[] = []
  const queue = jobs.values()
  const worker = async () => {
    for (const job of queue) decisions.push(...(await job()))
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, worker))
  return decisions
}
