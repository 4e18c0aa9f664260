import type { DeploymentContext } from '../../harness/context.ts'
import { listAt } from '../../harness/json.ts'
import { runBody } from '../../harness/run-request.ts'
import { isExecuting } from '../../harness/run-status.ts'
import { poll } from '../../harness/waiting.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { uniqueText } from './multitask-runs.ts'

/** Longest wait until the run of a client that has left is in the list, in milliseconds: there may be none. */
const APPEARANCE_MS = 500

/** Sends a request for a run, leaves, and lists the runs of the thread until they have ended. */
async function createAndLeave({ deployment, session }: DeploymentContext): Promise<void> {
  const request = { assistantId: await deployment.slow(), text: uniqueText(), strategy: 'enqueue' } as const
  const path = `/threads/${await deployment.thread()}/runs`
  await deployment.http.leave({ method: 'POST', path, body: runBody(session, request) })
  const list = async () => listAt((await deployment.http.send({ method: 'GET', path })).json)
  const created = await poll(session, async () => (await list()).length > 0 || undefined, {
    budgetMs: () => APPEARANCE_MS,
  })
  if (created) await poll(session, async () => !(await list()).some(isExecuting) || undefined)
}

/** Number of clients that leave: a server may create no run for some of them. */
const clients = 3

export const leftRunScenarios: readonly Scenario[] = [
  scenario(['service.background.outlives-client'], 'leaves before run creation returns', async (context) => {
    await Promise.all(Array.from({ length: clients }, () => createAndLeave(context)))
  }),
]
