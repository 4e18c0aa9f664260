import { ApiError } from '../../http/errors.ts'
import type { JsonObject } from '../../http/fields.ts'
import { only, takePage } from '../../http/page.ts'
import { parse, readJsonBody } from '../../http/request.ts'
import { authorize, threadOf, writtenMetadata } from '../access.ts'
import type { Deployment, DeploymentCall, DeploymentRoute } from '../deployment.ts'
import type { Thread } from '../records.ts'
import { type ThreadCreate, threadCreate, threadList } from '../schemas/requests.ts'
import { updateState } from '../state/update.ts'
import { addThread } from '../threads.ts'

/** Threads. Sections of the document: Endpoints, Thread. */
export function threadRoutes(deployment: Deployment): DeploymentRoute[] {
  const { dialect, policies } = deployment
  return [
    {
      method: 'POST',
      path: '/threads',
      answer: async (call) => Response.json(policies.presentThread(await createThread(deployment, call), dialect)),
    },
    {
      method: 'GET',
      path: '/threads',
      answer: async (call) => {
        const page = parse(threadList, call.query(), 'invalid-query')
        const permit = await authorize(deployment, call, 'threads', 'search', { ...page, metadata: {} })
        const permitted = only(deployment.store.threads.newestFirst(), (thread) => permit(thread.metadata))
        return Response.json(takePage(permitted, page).map((thread) => policies.presentThread(thread, dialect)))
      },
    },
    {
      // The document does not name it, but every client reads a thread.
      method: 'GET',
      path: '/threads/:thread_id',
      answer: async (call) => Response.json(policies.presentThread(await threadOf(deployment, call, 'read'), dialect)),
    },
  ]
}

async function createThread(deployment: Deployment, call: DeploymentCall): Promise<Thread> {
  const request = parse(threadCreate, await readJsonBody(call.request, deployment.limits, deployment.dialect))
  const thread_id = request.thread_id ?? deployment.ids.thread()
  const payload = { ...request, thread_id, metadata: { ...request.metadata } }
  const permit = await authorize(deployment, call, 'threads', 'create', payload)
  const existing = request.thread_id === undefined ? undefined : deployment.store.threads.get(thread_id)
  if (existing === undefined) return newThread(deployment, call, thread_id, writtenMetadata(payload), request)
  if (request.if_exists === 'do_nothing' && permit(existing.metadata)) return existing
  throw new ApiError('already-exists', `Thread ${thread_id} already exists`)
}

/** A thread with the state that its supersteps lead to. Throws ApiError `invalid-body`; there is no thread then. */
function newThread(
  deployment: Deployment,
  call: DeploymentCall,
  thread_id: string,
  metadata: JsonObject,
  { supersteps }: ThreadCreate,
): Thread {
  const thread = addThread(deployment, thread_id, metadata)
  try {
    for (const { updates } of supersteps ?? []) {
      updateState(deployment, thread, thread.checkpoints.at(-1), updates, call.caller)
    }
    return thread
  } catch (error) {
    deployment.store.threads.delete(thread_id)
    throw error
  }
}
