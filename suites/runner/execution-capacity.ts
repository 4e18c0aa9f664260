import type { Deployment } from '../harness/deployment.ts'
import { stillExecutes } from '../harness/deployment-client.ts'
import type { Session } from '../harness/session.ts'
import { poll } from '../harness/waiting.ts'

/** Sleep of the test graph `slow` without a configuration, in milliseconds. */
const sleepMs = 1000

/** Number of runs with which the capacity is measured: one with room for as many needs no fewer concurrent checks. */
const measured = 6

/** Number of sleeping runs that a server must execute beside another one, so that its capacity is not measured. */
const sleepers = 3

/**
 * Returns a function that tells how many runs a deployment executes at a time; undefined for at least six. It costs no time
 * on most servers: runs of `slow` that were created before others still sleep when these have ended. Otherwise it measures: runs
 * beyond the capacity wait for others to end.
 *
 * @throws Stopped, NoResponse or Inconclusive if the deployment does not execute `slow`
 */
export async function watchExecution(client: Deployment, session: Session): Promise<() => Promise<number | undefined>> {
  const sleeping = await Promise.all(Array.from({ length: sleepers }, () => startSlow(client)))
  return async () => {
    const runs = await Promise.all(sleeping.map(({ threadId, runId }) => client.getRun(threadId, runId)))
    if (runs.every(stillExecutes)) return undefined
    const durations = await Promise.all(Array.from({ length: measured }, () => measureSlow(client, session)))
    const shortest = Math.min(...durations.map(({ atMost }) => atMost))
    const waiting = durations.filter(({ atLeast }) => atLeast > shortest + sleepMs / 2)
    return waiting.length === 0 ? undefined : measured - waiting.length
  }
}

async function startSlow(client: Deployment) {
  const threadId = await client.thread()
  return { threadId, runId: await client.startRun(threadId, { graph: 'slow', text: 'preflight' }) }
}

/** Executes `slow` and returns bounds of its duration, in milliseconds, which hold however slow the responses are. */
async function measureSlow(client: Deployment, session: Session) {
  const sentAt = performance.now()
  const { threadId, runId } = await startSlow(client)
  const createdAt = performance.now()
  let lastExecuting = createdAt
  const hasEnded = await poll(session, async () => {
    const readAt = performance.now()
    if (!stillExecutes(await client.getRun(threadId, runId))) return true
    lastExecuting = readAt
    return undefined
  })
  return { atLeast: lastExecuting - createdAt, atMost: hasEnded ? performance.now() - sentAt : Infinity }
}
