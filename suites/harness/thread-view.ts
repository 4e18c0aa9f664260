import { at, listAt } from '../values/json.ts'
import type { Deployment } from './deployment.ts'

/** Thread in a response, with the endpoint that returned it. */
export interface ThreadView {
  readonly by: string
  readonly thread: unknown
}

/** Reads a thread by its id, which is not documented, or in the list of threads; undefined if neither contains it. */
export async function viewThread(deployment: Deployment, threadId: string): Promise<ThreadView | undefined> {
  const single = await deployment.http.send({ method: 'GET', path: `/threads/${threadId}` })
  if (single.ok) return { by: 'GET /threads/{thread_id}', thread: single.json }
  const list = await deployment.http.send({ method: 'GET', path: '/threads?limit=1000' })
  const thread = listAt(list.json).find((each) => at(each, 'thread_id') === threadId)
  return thread === undefined ? undefined : { by: 'GET /threads', thread }
}
