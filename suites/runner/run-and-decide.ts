import type { Decision } from '../evaluate/decisions.ts'
import { createEvaluation } from '../evaluate/evaluation.ts'
import type { Session } from '../harness/session.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { runScenarios } from './run-scenarios.ts'

/**
 * Runs scenarios, then decides their requirements.
 *
 * @example
 * const decisions = await runAndDecide(deploymentScenarios, [openSession(manifest, 'open', 'seed')], 8)
 */
export async function runAndDecide(
  scenarios: readonly Scenario[],
  sessions: readonly Session[],
  concurrency: number,
): Promise<readonly Decision[]> {
  const evaluations = [...new Set(sessions.map(({ trace }) => trace))].map((trace) => {
    const evaluation = createEvaluation()
    trace.follow(evaluation.add)
    return evaluation
  })
  await runScenarios(scenarios, sessions, concurrency)
  return (await Promise.all(evaluations.map(({ decide }) => decide()))).flat()
}
