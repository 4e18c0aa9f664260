import type { DeploymentContext } from '../../harness/context.ts'
import { runBody } from '../../harness/run-request.ts'
import { poll } from '../../harness/waiting.ts'
import { listAt } from '../../values/json.ts'
import { isExecuting } from '../../values/run-status.ts'
import { settlingMs } from '../../values/settling-time.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { uniqueText } from './multitask-runs.ts'

/**
 * Sends a request for a run, closes the connection after a wait, and lists the runs of the thread until they have ended.
 * Returns whether the server created a run.
 */
async function createAndAbandon({ deployment, session }: DeploymentContext, waitMs: number): Promise<boolean> {
  const request = { assistantId: await deployment.slowAssistant(), text: uniqueText(), strategy: 'enqueue' } as const
  const path = `/threads/${await deployment.thread()}/runs`
  await deployment.http.abandon({ method: 'POST', path, body: runBody(session, request) }, waitMs)
  const list = async () => listAt((await deployment.http.send({ method: 'GET', path })).json)
  // The server may not have created a run.
  const created = await poll(session, async () => (await list()).length > 0 || undefined, {
    budgetMs: () => settlingMs,
  })
  if (created) await poll(session, async () => !(await list()).some(isExecuting) || undefined)
  return created === true
}

/**
 * Waits until the connection is closed, in milliseconds, from short to long: a server that notices it before it has read
 * the request may create no run. The longer ones are used if no run was created after the shorter ones.
 */
const waits = [
  [0, 10, 50],
  [250, 1000],
]

export const abandonedRunScenarios: readonly Scenario[] = [
  scenario(
    ['service.background.outlives-client'],
    'closes the connection before run creation returns',
    async (context) => {
      for (const waitsMs of waits) {
        const created = await Promise.all(waitsMs.map((waitMs) => createAndAbandon(context, waitMs)))
        if (created.includes(true)) return
      }
    },
  ),
]
