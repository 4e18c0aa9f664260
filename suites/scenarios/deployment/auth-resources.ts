import { searchPages } from '../../harness/assistants.ts'
import type { DeploymentContext, UserName } from '../../harness/context.ts'
import type { Deployment } from '../../harness/deployment.ts'
import { unexpectedResponse } from '../../harness/errors.ts'
import type { ApiRequest } from '../../harness/http.ts'
import { runBody } from '../../harness/run-request.ts'
import { at, listAt, parseJson, textAt } from '../../values/json.ts'
import { textOf } from '../../values/messages.ts'

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

/** Reads resources, and searches page by page for the assistant. Returns whether it was found. */
export async function readAll(
  deployment: Deployment,
  { threadId, runId, assistantId }: UserResources,
): Promise<boolean> {
  const thread = `/threads/${threadId}`
  const runs = `${thread}/runs`
  const paths = [`${thread}/state`, runs, `${runs}/${runId}`, `${runs}/${runId}/join`, `/assistants/${assistantId}`]
  for (const path of paths) await deployment.http.send({ method: 'GET', path })
  const pages = await searchPages(
    deployment,
    () => 100,
    (ids) => ids.has(assistantId),
  )
  return pages.some(({ page }) => page.some((each) => at(each, 'assistant_id') === assistantId))
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
