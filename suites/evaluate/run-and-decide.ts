import type { Check } from '../harness/check.ts'
import { runChecks } from '../harness/run-checks.ts'
import type { Session } from '../harness/session.ts'
import type { Decision } from './decisions.ts'

/**
 * Runs checks, then decides their requirements.
 *
 * @example
 * const decisions = await runAndDecide(deploymentChecks, [openSession(manifest, 'open', 'seed')], 8)
 */
export async function runAndDecide(
  checks: readonly Check[],
  sessions: readonly Session[],
  concurrency: number,
): Promise<readonly Decision[]> {
  await runChecks(checks, sessions, concurrency)
  const evaluations = new Set(sessions.map(({ recording }) => recording.evaluation))
  return (await Promise.all([...evaluations].map(({ decide }) => decide()))).flat()
}
