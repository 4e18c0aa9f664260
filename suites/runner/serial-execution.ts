import type { Deployment } from '../harness/deployment.ts'
import { stillExecutes } from '../harness/deployment-client.ts'

/** Sleep of the test graph `slow` without a configuration, in milliseconds. */
const SLEEP_MS = 1000

/** Share of the sleep by which the ends of two runs differ if one waited for the other. */
const APART = 0.6

/**
 * Returns a function that tells whether a deployment executes runs one after another. It costs no time on a server that does
 * not: a run of `slow` that was created before other runs still sleeps when these have ended. Otherwise it measures: of two
 * runs of `slow`, the second one ends well after the first.
 *
 * @throws Stopped, NoResponse or Inconclusive if the deployment does not execute `slow`
 */
export async function watchExecution(client: Deployment): Promise<() => Promise<boolean>> {
  const first = await startSlow(client)
  return async () => {
    if (stillExecutes(await client.getRun(first.threadId, first.runId))) return false
    const ends = await Promise.all([0, 1].map(() => endOfSlow(client)))
    return Math.max(...ends) - Math.min(...ends) > APART * SLEEP_MS
  }
}

async function startSlow(client: Deployment) {
  const threadId = await client.thread()
  return { threadId, runId: await client.startRun(threadId, { graph: 'slow', text: 'preflight' }) }
}

/** Executes `slow` and returns the time at which it ended, in milliseconds of `performance.now()`. */
async function endOfSlow(client: Deployment): Promise<number> {
  const { threadId, runId } = await startSlow(client)
  await client.waitForEnd(threadId, runId)
  return performance.now()
}
