import type { CheckContext, UserName } from '../harness/context.ts'
import type { Deployment } from '../harness/deployment.ts'
import { Refused } from '../harness/errors.ts'
import type { ApiRequest } from '../harness/http.ts'
import { at, listAt, parsed, textAt } from '../harness/json.ts'
import { textOf } from '../harness/messages.ts'
import { type RunRequest, runBody } from '../harness/run-request.ts'

/** The parts of a context that the scenes of authentication need. */
export type Stage = Pick<CheckContext, 'as' | 'deployment' | 'session'>

/** Resources of one user, with texts that stand nowhere else. */
export interface Belongings {
  readonly threadId: string
  readonly runId: string
  readonly assistantId: string
  /** Content of a message on the thread. */
  readonly text: string
  /** A setting of the assistant. */
  readonly marker: string
}

/** Makes a thread with a run that has ended, and an assistant, all of one user. */
export async function belongings(stage: Stage, user: UserName, text: string): Promise<Belongings> {
  const deployment = stage.as(user)
  const threadId = await deployment.thread()
  const runId = String(at(await deployment.createRun(threadId, { text, strategy: 'enqueue' }), 'run_id'))
  await deployment.settle(threadId, runId)
  const marker = `marker of ${text}`
  const config = { configurable: { marker } }
  const assistant = await deployment.createAssistant(stage.session.graph('echo'), { config })
  return { threadId, runId, assistantId: String(at(assistant, 'assistant_id')), text, marker }
}

/** The same resources for all checks of an endpoint that only read them. */
export function sharedBelongings(stage: Stage, user: UserName): Promise<Belongings> {
  return stage.session.once(`belongings of ${user}`, () => belongings(stage, user, `kept by ${user}`))
}

/** What the graph `whoami` tells of a run: the user and the rest of its configuration. */
export interface Told {
  readonly user: unknown
  readonly configurable: unknown
  readonly run: unknown
}

/** Runs `whoami` as a user on a thread of that user. */
export async function whoami(stage: Stage, user: UserName, headers: ApiRequest['headers'] = {}): Promise<Told> {
  const started = await startWhoami(stage, user, await stage.as(user).thread(), headers)
  const run = await started.end()
  return { ...(await started.tell()), run }
}

/** Runs `whoami` as several users at once: no run is created before all threads stand, no state read before all have ended. */
export async function whoamiTogether(stage: Stage, users: readonly UserName[]): Promise<readonly Pick<Told, 'user'>[]> {
  const threads = await Promise.all(users.map(async (user) => ({ user, threadId: await stage.as(user).thread() })))
  const started = await Promise.all(threads.map(({ user, threadId }) => startWhoami(stage, user, threadId)))
  await Promise.all(started.map((run) => run.end()))
  return Promise.all(started.map((run) => run.tell()))
}

async function startWhoami(stage: Stage, user: UserName, threadId: string, headers: ApiRequest['headers'] = {}) {
  const deployment = stage.as(user)
  const body = runBody(stage.session, { graph: 'whoami', text: `who is ${user}`, strategy: 'enqueue' })
  const created = await deployment.http.send({ method: 'POST', path: `/threads/${threadId}/runs`, body, headers })
  const runId = textAt(created.json, 'run_id')
  if (!created.ok || runId === undefined) {
    throw new Refused('run.create.answers-run', 'a 2xx response with a run', `${created.status} ${created.text}`)
  }
  return {
    end: () => deployment.settle(threadId, runId),
    tell: async () => told(await deployment.state(threadId)),
  }
}

/** What `whoami` left in a thread's state. */
export function told(state: unknown): { readonly user: unknown; readonly configurable: unknown } {
  const json = parsed(textOf(listAt(state, 'values', 'messages').at(-1)) ?? '')
  return { user: at(json, 'user'), configurable: at(json, 'configurable') }
}

/** The ids of the runs on a thread. */
export async function runIds(stage: Stage, user: UserName, threadId: string): Promise<readonly unknown[]> {
  return (await stage.as(user).listRuns(threadId)).map((run) => at(run, 'run_id'))
}

/** POST …/runs as the table of the document has it. */
export function creation({ session }: Pick<Stage, 'session'>, threadId: string, request: RunRequest): ApiRequest {
  return { method: 'POST', path: `/threads/${threadId}/runs`, body: runBody(session, request) }
}

/** Whether an assistant is found by a search, through all pages. */
export async function finds(deployment: Deployment, assistantId: string): Promise<boolean> {
  const limit = 100
  for (let offset = 0; ; offset += limit) {
    const page = await deployment.searchAssistants({ limit, offset })
    if (page.some((one) => at(one, 'assistant_id') === assistantId)) return true
    if (page.length === 0) return false
  }
}
