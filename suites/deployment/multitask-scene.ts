import { isObject } from '../catalog/facts.ts'
import type { CheckContext } from '../harness/context.ts'
import { Inconclusive, Refused } from '../harness/errors.ts'
import type { Answer } from '../harness/http.ts'
import { idOf } from '../harness/id-of.ts'
import { at, show, textAt } from '../harness/json.ts'
import { textsOf } from '../harness/messages.ts'
import type { Need } from '../harness/plain-runs.ts'
import { acceptedBy, refusedBy } from '../harness/refused-run.ts'
import { type RunRequest, runBody } from '../harness/run-request.ts'
import { isExecuting } from '../harness/run-status.ts'
import { poll } from '../harness/waiting.ts'

/** The parts of a context that a scene needs. */
export type Stage = Pick<CheckContext, 'deployment' | 'session'>

/** A run on a thread, as the checks of multitask create it: its strategy is always named. */
export type NamedRun = RunRequest & { readonly strategy: 'reject' | 'enqueue' | 'interrupt'; readonly text: string }

/** A run as its creation was answered. */
export interface Created {
  readonly id: string
  readonly run: unknown
  /** In milliseconds of `performance.now()`. */
  readonly answeredAt: number
}

/** A run of the graph `slow`. */
export interface Sleeper extends Created {
  /** Until when it sleeps for certain, unless something stops it; in milliseconds of `performance.now()`. */
  readonly sleepsUntil: number
}

/** POST …/runs on a thread that may be busy, without judging the answer. */
export async function tryRun(
  { deployment, session }: Stage,
  threadId: string,
  request: RunRequest,
): Promise<{ readonly answer: Answer; readonly runId: string | undefined }> {
  const path = `/threads/${threadId}/runs`
  const answer = await deployment.http.send({ method: 'POST', path, body: runBody(session, request) })
  const runId = answer.ok ? textAt(answer.json, 'run_id') : undefined
  if (runId !== undefined && isExecuting(answer.json)) session.inFlight.add(runId)
  return { answer, runId }
}

/** Creates a run that must be accepted whatever else goes on. */
export async function meet(stage: Stage, threadId: string, request: NamedRun): Promise<Created> {
  const { answer } = await tryRun(stage, threadId, request)
  const answeredAt = performance.now()
  if (answer.ok && isObject(answer.json)) {
    return { id: idOf(answer.json, 'run.fields.run_id'), run: answer.json, answeredAt }
  }
  const received = `${answer.status} ${show(answer.text, 300)}`
  const { deployment, session } = stage
  const row = await refusedBy(deployment, session, request, acceptedBy[request.strategy])
  throw new Refused(answer.ok ? 'run.create.answers-run' : row, 'a 2xx response with a run', received)
}

/** Starts the graph `slow` on a thread and waits until it sleeps. */
export async function sleeper(
  stage: Stage,
  threadId: string,
  text: string,
  strategy: NamedRun['strategy'],
  ms: number = stage.session.budgets.slowMs,
): Promise<Sleeper> {
  const assistantId = await stage.deployment.slow(ms)
  const sentAt = performance.now()
  const created = await meet(stage, threadId, { assistantId, text, strategy })
  const awakeAt = await stage.deployment.untilSleeping(threadId, created.id, text)
  // A quarter of the sleep is kept as a margin: a state may show a step later than it happened.
  const sleepsUntil = (awakeAt ?? sentAt) + ms * 0.75
  return { ...created, sleepsUntil }
}

/** Makes a thread on which the graph `slow` sleeps, and acts while it does. */
export async function whileBusy<T>(
  stage: Stage,
  text: string,
  strategy: NamedRun['strategy'],
  act: (threadId: string) => Promise<T>,
): Promise<{ readonly threadId: string; readonly runId: string; readonly acted: T }> {
  const play = async (ms: number) => {
    const threadId = await stage.deployment.thread()
    const { id: runId } = await sleeper(stage, threadId, text, strategy, ms)
    const acted = await act(threadId)
    const path = `/threads/${threadId}/runs/${runId}`
    const { json } = await stage.deployment.http.send({ method: 'GET', path })
    return { threadId, runId, acted, inTime: isExecuting(json) }
  }
  return whileAsleep(stage, play, ({ inTime }) => inTime)
}

/** A text that no other run is created with. */
export function uniqueText(): string {
  return `text ${crypto.randomUUID().slice(0, 8)}`
}

/** Creates runs of `echo` one after another, without a wait for their ends, and returns their ids. */
export async function inTurn(
  { deployment }: Stage,
  threadId: string,
  strategy: NamedRun['strategy'],
  count: number,
): Promise<readonly string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push(await deployment.startRun(threadId, { text: uniqueText(), strategy }))
  return ids
}

/** Waits for the ends of runs, then reads the state of their thread. */
export async function settled(stage: Stage, threadId: string, ids: readonly string[]): Promise<void> {
  await statuses(stage, threadId, ids)
  await contents(stage, threadId)
}

/** A run that meets no other: where that goes wrong, a strategy is not the cause. */
export function plainRun(stage: Stage, strategy: NamedRun['strategy']): Promise<void> {
  return stage.session.once(`plain ${strategy}`, async () => {
    const threadId = await stage.deployment.thread()
    for (const _ of [1, 2]) await settled(stage, threadId, await inTurn(stage, threadId, strategy, 1))
  })
}

/** The texts of the messages in a thread's state, in order. */
export async function contents({ deployment }: Stage, threadId: string): Promise<readonly string[]> {
  return textsOf(await deployment.state(threadId))
}

/** Those of the contents that are expected, for comparison with them: a thread may hold further messages. */
export function only(messages: readonly string[], expected: readonly string[]): readonly string[] {
  return messages.filter((content) => expected.includes(content))
}

/** Waits for the end of runs and returns their statuses in the same order; `gone` stands for a run that is no more. */
export async function statuses(stage: Stage, threadId: string, ids: readonly string[]): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for (const id of ids) found.push(await statusAtEnd(stage, threadId, id))
  return found
}

/** A run that a strategy may have harmed is for the check to judge: neither its loss nor its going on is blamed here. */
async function statusAtEnd({ deployment, session }: Stage, threadId: string, id: string): Promise<unknown> {
  let last: unknown
  const path = `/threads/${threadId}/runs/${id}`
  await poll(session, async () => {
    const { ok, json } = await deployment.http.send({ method: 'GET', path })
    last = ok ? at(json, 'status') : 'gone'
    return ok && isExecuting(json) ? undefined : true
  })
  session.inFlight.delete(id)
  return last
}

/** Whether a run that met no other was answered as pending. */
export function plainPending({ run }: Created): Need {
  return { row: 'run.create.status-pending', holds: at(run, 'status') === 'pending' }
}

/** What `echo` leaves in the state for a text: input, then answers. */
export function echoed(text: string): readonly string[] {
  return [text, `first: ${text}`, `second: ${text}`]
}

/** What `slow` leaves in the state for a text. */
export function slept(text: string): readonly string[] {
  return [text, `before: ${text}`, `after: ${text}`]
}

/** How much longer than at first `slow` sleeps where the target was too slow. */
const longer = [1, 3, 9] as const

/**
 * Plays a scene in which something must happen while the graph `slow` sleeps; where the target was too slow for that,
 * again with a longer sleep.
 */
export async function whileAsleep<T>(
  { session }: Stage,
  play: (ms: number) => Promise<T>,
  inTime: (played: T) => boolean = () => true,
): Promise<T> {
  const last = longer.length - 1
  for (const factor of longer.slice(0, last)) {
    try {
      const played = await play(session.budgets.slowMs * factor)
      if (inTime(played)) return played
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error
    }
  }
  return play(session.budgets.slowMs * Number(longer[last]))
}
