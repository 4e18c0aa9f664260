import type { DeploymentContext } from '../../harness/context.ts'
import { listAt } from '../../harness/json.ts'
import { runBody } from '../../harness/run-request.ts'
import { isExecuting } from '../../harness/run-status.ts'
import { poll } from '../../harness/waiting.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { uniqueText } from './multitask-runs.ts'

/** Longest wait until the abandoned run is in the list, in milliseconds. The server may not have created one. */
const APPEARANCE_MS = 500

/** Sends a request for a run, closes the connection, and lists the runs of the thread until they have ended. */
async function createAndAbandon({ deployment, session }: DeploymentContext): Promise<void> {
  const request = { assistantId: await deployment.slowAssistant(), text: uniqueText(), strategy: 'enqueue' } as const
  const path = `/threads/${await deployment.thread()}/runs`
  await deployment.http.abandon({ method: 'POST', path, body: runBody(session, request) })
  const list = async () => listAt((await deployment.http.send({ method: 'GET', path })).json)
  const created = await poll(session, async () => (await list()).length > 0 || undefined, {
    budgetMs: () => APPEARANCE_MS,
  })
  if (created) await poll(session, async () => !(await list()).some(isExecuting) || undefined)
}

/** Number of abandoned requests: a server may create no run for some of them. */
const requests = 3

export const abandonedRunScenarios: readonly Scenario[] = [
  scenario(
    ['service.background.outlives-client'],
    'closes the connection before run creation returns',
    async (context) => {
      await Promise.all(Array.from({ length: requests }, () => createAndAbandon(context)))
    },
  ),
]
