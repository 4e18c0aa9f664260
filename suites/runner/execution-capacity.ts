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
  const ended: number[] = []
  const durations = await Promise.all(Array.from({ length: measuredRuns }, () => measureSlow(client, session, ended)))
  const [shortest = Infinity] = ended
  // A run that does not end although others do does not wait for them.
  if (ended.length < measuredRuns) return undefined
  const waiting = durations.filter((atLeast) => atLeast > shortest + sleepMs / 2)
  return waiting.length === 0 ? undefined : measuredRuns - waiting.length
}

async function startSlow(client: Deployment, { inFlight }: Session, threadId: string) {
  const runId = await client.startRun(threadId, { graph: 'slow', text: 'preflight' })
  // The budget of a wait grows with the runs in flight: these must not delay the report of a server that executes none.
  inFlight.delete(runId)
  return { threadId, runId }
}

/** How many times the duration of a run may pass without the end of another one, until those that are left count as lost. */
const patience = 5

/**
 * Executes `slow` and returns bounds of its duration, in milliseconds, which hold however slow the responses are. Adds the
 * longer one to `ended`, which contains those of the other runs.
 */
async function measureSlow(client: Deployment, session: Session, ended: number[]) {
  const threadId = await client.thread()
  const sentAt = performance.now()
  const { runId } = await startSlow(client, session, threadId)
  const createdAt = performance.now()
  let lastExecuting = createdAt
  // Short pauses, so that the bounds are close.
  const budgets = { ...session.budgets, pollMs }
  const pollOnce = async () => {
    const readAt = performance.now()
    if (!stillExecutes(await client.getRun(threadId, runId))) return ended.push(performance.now() - sentAt)
    lastExecuting = readAt
    return undefined
  }
  const budgetMs = () =>
    ended.length === 0 ? session.budgets.waitMs : Math.max(...ended) + patience * Math.min(...ended)
  await poll({ ...session, budgets }, pollOnce, { budgetMs })
  return lastExecuting - createdAt
}
