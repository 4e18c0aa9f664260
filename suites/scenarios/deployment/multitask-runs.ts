import type { DeploymentContext } from '../../harness/context.ts'
import type { ApiResponse } from '../../harness/http.ts'
import { at, textAt } from '../../harness/json.ts'
import { type RunRequest, runBody } from '../../harness/run-request.ts'
import { isExecuting } from '../../harness/run-status.ts'
import { pollEnd, retryWithLongerSleep } from '../../harness/waiting.ts'

/** The parts of a context that scenarios of concurrent runs need. */
export type RunContext = Pick<DeploymentContext, 'deployment' | 'session'>

/** A run on a thread, as the scenarios of multitask create it: its strategy is always named. */
export type NamedRun = RunRequest & { readonly strategy: 'reject' | 'enqueue' | 'interrupt'; readonly text: string }

/** A run that was created. */
export interface Created {
  readonly id: string
  /** In milliseconds of `performance.now()`. */
  readonly respondedAt: number
}

/** A run of the graph `slow`. */
export interface Sleeper extends Created {
  /** What must happen while it sleeps must get a response before this moment, in milliseconds of `performance.now()`. */
  readonly actBefore: number
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

/** Creates a run that must be accepted, whatever else executes. */
export async function createRun({ deployment }: RunContext, threadId: string, request: NamedRun): Promise<Created> {
  const id = await deployment.startRun(threadId, request)
  return { id, respondedAt: performance.now() }
}

/** How much earlier than rules demand a request must get a response, in milliseconds. */
const MARGIN_MS = 20

/** Starts the graph `slow` on a thread and waits until it sleeps. */
export async function sleeper(
  context: RunContext,
  threadId: string,
  text: string,
  strategy: NamedRun['strategy'],
  ms: number = context.session.budgets.slowMs,
): Promise<Sleeper> {
  const assistantId = await context.deployment.slowAssistant(ms)
  const sentAt = performance.now()
  const created = await createRun(context, threadId, { assistantId, text, strategy })
  await context.deployment.untilSleeping(threadId, created.id, text)
  return { ...created, actBefore: sentAt + ms * 0.75 - MARGIN_MS }
}

/** A text that no other run is created with. */
export function uniqueText(): string {
  return `text ${crypto.randomUUID().slice(0, 8)}`
}

/** Creates runs of `echo` one after another, without a wait for their ends, and returns their ids. */
export async function inTurn(
  { deployment }: RunContext,
  threadId: string,
  strategy: NamedRun['strategy'],
  count: number,
): Promise<readonly string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push(await deployment.startRun(threadId, { text: uniqueText(), strategy }))
  return ids
}

/** Waits for the ends of runs, then reads the state of their thread. */
export async function settled(context: RunContext, threadId: string, ids: readonly string[]): Promise<void> {
  await statuses(context, threadId, ids)
  await context.deployment.state(threadId)
}

/** Creates runs on an idle thread, which show whether a strategy is the cause of what goes wrong. */
export function plainRun(context: RunContext, strategy: NamedRun['strategy']): Promise<void> {
  return context.session.memoize(`plain ${strategy}`, async () => {
    const threadId = await context.deployment.thread()
    await settled(context, threadId, await inTurn(context, threadId, strategy, 1))
    if (strategy !== 'enqueue') return plainRun(context, 'enqueue')
    await settled(context, threadId, await inTurn(context, threadId, strategy, 1))
  })
}

/** Waits for the end of runs and returns their statuses in the same order; `gone` stands for a run that is no more. */
export async function statuses(
  context: RunContext,
  threadId: string,
  ids: readonly string[],
): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for (const id of ids) found.push(await statusAtEnd(context, threadId, id))
  return found
}

/** Returns how a run ended; rules decide about a run that is gone or does not end. */
async function statusAtEnd({ deployment, session }: RunContext, threadId: string, id: string): Promise<unknown> {
  let last: unknown
  const path = `/threads/${threadId}/runs/${id}`
  await pollEnd(session, 'run', async () => {
    const { ok, json } = await deployment.http.send({ method: 'GET', path })
    last = ok ? at(json, 'status') : 'gone'
    return ok && isExecuting(json) ? undefined : true
  })
  session.inFlight.delete(id)
  return last
}

/** Plays a scene in which something must happen while the graph `slow` sleeps, if need be with a longer sleep. */
export function whileAsleep<T>(
  context: RunContext,
  play: (ms: number) => Promise<T>,
  isInTime: (played: T) => boolean = () => true,
): Promise<T> {
  return retryWithLongerSleep(context, play, isInTime)
}
