import type { DeploymentContext, RunContext } from '../../harness/context.ts'
import type { Deployment } from '../../harness/deployment.ts'
import { ignoreLoss, Stopped } from '../../harness/errors.ts'
import type { ApiResponse } from '../../harness/http.ts'
import { type RunRequest, runBody, type Strategy } from '../../harness/run-request.ts'
import { retryWithLongerSleep } from '../../harness/sleep.ts'
import { poll, runsAreLost } from '../../harness/waiting.ts'
import { at, textAt } from '../../values/json.ts'
import { isExecuting } from '../../values/run-status.ts'

/** A run of the graph `slow`. */
interface SleepingRun {
  readonly id: string
  /** Time of the response, in milliseconds of `performance.now()`. */
  readonly respondedAt: number
  /** Requests must get their response before this time to be made during the sleep, in milliseconds of `performance.now()`. */
  readonly deadline: number
}

/** Requests a run on a thread that may be busy; the server may refuse it. */
export async function tryRun(
  { deployment, session }: RunContext,
  threadId: string,
  request: RunRequest,
): Promise<{ readonly response: ApiResponse; readonly runId: string | undefined }> {
  const path = `/threads/${threadId}/runs`
  const response = await deployment.http.send({ method: 'POST', path, body: runBody(session, request) })
  const runId = response.ok ? textAt(response.json, 'run_id') : undefined
  if (runId !== undefined && isExecuting(response.json)) session.inFlight.add(runId)
  return { response, runId }
}

/** How much earlier than the rules require a request must get its response, in milliseconds. */
const MARGIN_MS = 20

/** Starts the graph `slow` on a thread and waits until it sleeps. */
export async function startSleepingRun(
  { deployment, session }: RunContext,
  threadId: string,
  text: string,
  strategy: Strategy,
  ms: number = session.budgets.slowMs,
): Promise<SleepingRun> {
  const assistantId = await deployment.slowAssistant(ms)
  const sentAt = performance.now()
  const id = await deployment.startRun(threadId, { assistantId, text, strategy })
  const respondedAt = performance.now()
  await deployment.untilSleeping({ threadId, runId: id, text, ms })
  return { id, respondedAt, deadline: sentAt + ms * 0.75 - MARGIN_MS }
}

/** Returns a text that is the input of no other run. */
export function uniqueText(): string {
  return `text ${crypto.randomUUID().slice(0, 8)}`
}

/** Returns an input with several messages, whose texts are the input of no other run. */
export function severalMessages(count: number): unknown {
  return { messages: Array.from({ length: count }, () => ({ role: 'human', content: uniqueText() })) }
}

/** Creates runs of `echo` one after another without waiting for their ends, and returns their ids. Later inputs are shorter. */
export async function createEchoRuns(
  { deployment }: RunContext,
  threadId: string,
  strategy: Strategy,
  count: number,
): Promise<readonly string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const text = uniqueText() + ' and more'.repeat(count - ids.length - 1)
    ids.push(await deployment.startRun(threadId, { text, strategy }))
  }
  return ids
}

/** Waits for the ends of runs, then reads the state of their thread. */
export async function waitAndReadState(context: RunContext, threadId: string, ids: readonly string[]): Promise<void> {
  await finalStatuses(context, threadId, ids)
  await context.deployment.state(threadId)
}

/** Creates runs on an idle thread. If they fail, too, the strategy is not the cause of a failure. */
export function runOnIdleThread(context: RunContext, strategy: Strategy): Promise<void> {
  return context.session.memoize(`plain ${strategy}`, async () => {
    const threadId = await context.deployment.thread()
    await waitAndReadState(context, threadId, await createEchoRuns(context, threadId, strategy, 1))
    if (strategy !== 'enqueue') return runOnIdleThread(context, 'enqueue')
    await waitAndReadState(context, threadId, await createEchoRuns(context, threadId, strategy, 1))
  })
}

/**
 * Waits for the end of runs and returns their statuses in the same order; `gone` for a run that cannot be read, `not ended`
 * for one that does not end.
 */
export async function finalStatuses(
  context: RunContext,
  threadId: string,
  ids: readonly string[],
): Promise<readonly unknown[]> {
  // If some runs do not end, waiting for one after another takes long.
  if (runsAreLost(context.session)) return Promise.all(ids.map((id) => finalStatus(context, threadId, id)))
  const statuses: unknown[] = []
  for (const id of ids) statuses.push(await finalStatus(context, threadId, id))
  return statuses
}

/**
 * Sends a request for a run, or for a stream, that the server must refuse while a run sleeps that it might interrupt, then
 * waits for the end of the sleeping run.
 */
export async function refuseInterruption(
  context: DeploymentContext,
  sender: Deployment,
  { assistantId = context.session.graph('echo'), isStream = false } = {},
): Promise<void> {
  await retryWithLongerSleep(context, async (ms) => {
    const threadId = await context.deployment.thread()
    const { id, deadline } = await startSleepingRun(context, threadId, uniqueText(), 'enqueue', ms)
    // Streams have no documented strategy.
    const form = isStream ? { streamMode: ['updates'] } : { strategy: 'interrupt' as const }
    const body = runBody(context.session, { assistantId, text: uniqueText(), ...form })
    const path = `/threads/${threadId}/runs${isStream ? '/stream' : ''}`
    const request = { method: 'POST', path, body, intent: 'fault' } as const
    await sender.http.send(request).catch(ignoreLoss)
    const isInTime = performance.now() < deadline
    await finalStatuses(context, threadId, [id])
    return isInTime
  })
}

/** Waits for the end of a run and returns its status. Rules decide about a run that is gone or does not end. */
async function finalStatus({ deployment }: RunContext, threadId: string, id: string): Promise<unknown> {
  try {
    return at(await deployment.waitForEnd(threadId, id), 'status')
  } catch (error) {
    if (error instanceof Stopped) return error.requirement === 'run.status.ends' ? 'not ended' : 'gone'
    throw error
  }
}

/** Requests a run with `reject` until the server accepts it, and waits for its end: a thread may be busy for a moment after a run. */
export async function runOnceIdle(context: RunContext, threadId: string): Promise<void> {
  const request = () => tryRun(context, threadId, { text: uniqueText(), strategy: 'reject' })
  const budgetMs = () => context.session.budgets.waitMs
  const runId = await poll(context.session, async () => (await request()).runId, { budgetMs })
  await waitAndReadState(context, threadId, runId === undefined ? [] : [runId])
}
