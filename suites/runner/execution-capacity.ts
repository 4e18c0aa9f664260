import { type Deployment, stillExecutes } from '../harness/deployment.ts'
import type { Session } from '../harness/session.ts'
import { poll } from '../harness/waiting.ts'

/** Sleep of the test graph `slow` without a configuration, in milliseconds. */
const sleepMs = 1000

/** Number of runs that are started to measure the capacity. A capacity of as many is not limited. */
const measuredRuns = 6

/** Longest pause between two reads of a run that is measured, in milliseconds. */
const pollMs = 50

/** Measures how many runs a deployment executes at a time; undefined for at least six. */
type MeasureCapacity = () => Promise<number | undefined>

/**
 * Starts runs of `slow` and returns a function to call once runs that were created after them have ended. That function
 * returns how to measure the capacity, or undefined if all runs of `slow` still sleep: then the capacity is large enough.
 *
 * @throws Stopped, NoResponse or Inconclusive if the deployment does not execute `slow`
 */
export async function watchExecution(
  client: Deployment,
  session: Session,
): Promise<() => Promise<MeasureCapacity | undefined>> {
  const start = async () => startSlow(client, session, await client.thread())
  const sleeping = await Promise.all(Array.from({ length: measuredRuns - 1 }, start))
  return async () => {
    const runs = await Promise.all(sleeping.map(({ threadId, runId }) => client.getRun(threadId, runId)))
    return runs.every(stillExecutes) ? undefined : () => measureCapacity(client, session)
  }
}

/** Counts the runs of `slow` that do not wait for the end of others. */
async function measureCapacity(client: Deployment, session: Session): Promise<number | undefined> {
  const durations = await Promise.all(Array.from({ length: measuredRuns }, () => measureSlow(client, session)))
  const shortest = Math.min(...durations.map(({ atMost }) => atMost))
  const waiting = durations.filter(({ atLeast }) => atLeast > shortest + sleepMs / 2)
  return waiting.length === 0 ? undefined : measuredRuns - waiting.length
}

async function startSlow(client: Deployment, { inFlight }: Session, threadId: string) {
  const runId = await client.startRun(threadId, { graph: 'slow', text: 'preflight' })
  // The budget of a wait grows with the runs in flight: these must not delay the report of a server that executes none.
  inFlight.delete(runId)
  return { threadId, runId }
}

/** Executes `slow` and returns bounds of its duration, in milliseconds, which hold however slow the responses are. */
async function measureSlow(client: Deployment, session: Session) {
  const threadId = await client.thread()
  const sentAt = performance.now()
  const { runId } = await startSlow(client, session, threadId)
  const createdAt = performance.now()
  let lastExecuting = createdAt
  // Short pauses, so that the bounds are close.
  const budgets = { ...session.budgets, pollMs }
  const hasEnded = await poll({ ...session, budgets }, async () => {
    const readAt = performance.now()
    if (!stillExecutes(await client.getRun(threadId, runId))) return true
    lastExecuting = readAt
    return undefined
  })
  return { atLeast: lastExecuting - createdAt, atMost: hasEnded ? performance.now() - sentAt : Infinity }
}
