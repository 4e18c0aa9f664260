import type { DeploymentContext } from './context.ts'
import { at, listAt } from './json.ts'

/** A thread as a target shows it, and by which endpoint. */
export interface ThreadView {
  readonly by: string
  readonly thread: unknown
}

/** Looks for a thread where a target may show one: by its id, which the document does not name, or in the list. */
export async function viewThread(
  { deployment }: Pick<DeploymentContext, 'deployment'>,
  threadId: string,
): Promise<ThreadView | undefined> {
  const single = await deployment.http.send({ method: 'GET', path: `/threads/${threadId}` })
  if (single.ok) return { by: 'GET /threads/{thread_id}', thread: single.json }
  const list = await deployment.http.send({ method: 'GET', path: '/threads?limit=1000' })
  const thread = listAt(list.json).find((one) => at(one, 'thread_id') === threadId)
  return thread === undefined ? undefined : { by: 'GET /threads', thread }
}
