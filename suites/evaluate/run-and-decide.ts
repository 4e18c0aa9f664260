import type { Check } from '../harness/check.ts'
import { runChecks } from '../harness/run-checks.ts'
import type { Session } from '../harness/session.ts'
import type { Decision } from './decisions.ts'
import { createEvaluation } from './evaluation.ts'

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
  const evaluations = [...new Set(sessions.map(({ trace }) => trace))].map((trace) => {
    const evaluation = createEvaluation()
    trace.follow(evaluation.add)
    return evaluation
  })
  await runChecks(checks, sessions, concurrency)
  return (await Promise.all(evaluations.map(({ decide }) => decide()))).flat()
}
