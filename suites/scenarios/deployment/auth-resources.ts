import { searchPages } from '../../harness/assistants.ts'
import type { DeploymentContext, UserName } from '../../harness/context.ts'
import type { Deployment } from '../../harness/deployment.ts'
import { unexpectedResponse } from '../../harness/errors.ts'
import type { ApiRequest } from '../../harness/http.ts'
import { runBody } from '../../harness/run-request.ts'
import type { Session } from '../../harness/session.ts'
import { readToEnd } from '../../harness/stream-end.ts'
import { poll } from '../../harness/waiting.ts'
import { at, listAt, parseJson, textAt } from '../../values/json.ts'
import { textOf } from '../../values/messages.ts'
import { settlingMs } from '../../values/settling-time.ts'
import { uniqueText } from './multitask-runs.ts'

type AuthContext = Pick<DeploymentContext, 'as' | 'session'>

/** Resources of one user. */
export interface UserResources {
  readonly threadId: string
  readonly runId: string
  readonly assistantId: string
}

/** Creates a thread with a run that has ended, and an assistant. */
export async function createResources(deployment: Deployment): Promise<UserResources> {
  const { threadId, runId } = await deployment.runToEnd({ text: `kept ${crypto.randomUUID()}`, strategy: 'enqueue' })
  return { threadId, runId, assistantId: await deployment.assistant('echo') }
}

/** Reads resources, and searches page by page for the assistant. Returns whether the list and the search show them. */
export async function readAll(
  deployment: Deployment,
  { threadId, runId, assistantId }: UserResources,
): Promise<boolean> {
  const get = async (path: string) => (await deployment.http.send({ method: 'GET', path })).json
  const runs = `/threads/${threadId}/runs`
  await get(`/threads/${threadId}/state`)
  const listed = listAt(await get(runs)).some((run) => at(run, 'run_id') === runId)
  for (const path of [`${runs}/${runId}`, `${runs}/${runId}/join`, `/assistants/${assistantId}`]) await get(path)
  const pages = await searchPages(
    deployment,
    () => 100,
    (ids) => ids.has(assistantId),
  )
  return listed && pages.some(({ page }) => page.some((each) => at(each, 'assistant_id') === assistantId))
}

/** Reads resources as the user who created them, for `settlingMs`: lists and searches may show new entries a little later. */
export async function readOwn(session: Session, deployment: Deployment, resources: UserResources): Promise<void> {
  await poll(session, async () => (await readAll(deployment, resources)) || undefined, { budgetMs: () => settlingMs })
}

/** Returns a valid request for a run of echo. */
export function creation({ session }: AuthContext, threadId: string, text: string): ApiRequest {
  return { method: 'POST', path: `/threads/${threadId}/runs`, body: runBody(session, { text, strategy: 'enqueue' }) }
}

/** Returns a valid request for a streamed run of echo. The thread must be idle: streams have no documented strategy. */
export function streamCreation({ session }: AuthContext, threadId: string, text: string): ApiRequest {
  const body = runBody(session, { text, streamMode: ['updates'] })
  return { method: 'POST', path: `/threads/${threadId}/runs/stream`, body }
}

/** Streams a run on each of several idle threads as one user, and reads the streams to their ends. */
export async function streamOnThreads(
  context: AuthContext,
  { http }: Deployment,
  threadIds: readonly string[],
): Promise<void> {
  for (const threadId of threadIds)
    await readToEnd(context.session, await http.stream(streamCreation(context, threadId, uniqueText())))
}

/**
 * Creates concurrent runs of `whoami` as users and reads the states after all runs have ended. Returns for each run its
 * record and the user object that the graph received.
 */
export async function whoami(context: AuthContext, users: readonly UserName[], headers: ApiRequest['headers'] = {}) {
  const threads = await Promise.all(users.map(async (user) => ({ user, threadId: await context.as(user).thread() })))
  const runs = await Promise.all(
    threads.map(async ({ user, threadId }) => {
      const body = runBody(context.session, { graph: 'whoami', text: `who is ${user}`, strategy: 'enqueue' })
      const request = { method: 'POST', path: `/threads/${threadId}/runs`, body, headers } as const
      const response = await context.as(user).http.send(request)
      const runId = textAt(response.json, 'run_id')
      if (runId === undefined) throw unexpectedResponse(response, `a run in the response to POST ${request.path}`)
      return { user, threadId, runId }
    }),
  )
  const ended = await Promise.all(runs.map(({ user, threadId, runId }) => context.as(user).waitForEnd(threadId, runId)))
  const states = await Promise.all(runs.map(({ user, threadId }) => context.as(user).state(threadId)))
  return states.map((state, index) => {
    const message = parseJson(textOf(listAt(state, 'values', 'messages').at(-1)) ?? '')
    return { user: at(message, 'user'), run: ended[index] }
  })
}
