import { z } from 'zod'
import { ApiError } from '../../http/errors.ts'
import type { JsonObject } from '../../http/fields.ts'
import { only, takePage } from '../../http/page.ts'
import { parse, readBody } from '../../http/request.ts'
import { ok } from '../../http/route.ts'
import { authorize, threadOf, writtenMetadata } from '../access.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import type { Thread } from '../records.ts'
import { type ThreadCreate, threadCreate, threadList } from '../schemas/requests.ts'
import { thread } from '../schemas/responses.ts'
import { updateState } from '../state/update.ts'
import { addThread } from '../threads.ts'

/** Threads. Sections of the specification: Endpoints, Thread. */
export const threadRoutes: readonly DeploymentRoute[] = [
  route('POST /threads', 'Create a thread', {
    schemas: () => ({ body: threadCreate, responses: ok('The thread', thread), errors: ['already-exists'] }),
    handle: async (deployment, call) => {
      const created = await createThread(deployment, call)
      return Response.json(deployment.policies.presentThread(created, deployment.dialect))
    },
  }),
  route('GET /threads', 'List threads', {
    schemas: () => ({ query: threadList, responses: ok('Threads, newest first', z.array(thread)) }),
    handle: async (deployment, call) => {
      const { dialect, policies, store } = deployment
      const page = parse(threadList, call.query(), 'invalid-query')
      const permit = await authorize(deployment, call, 'threads', 'search', { ...page, metadata: {} })
      const permitted = only(store.threads.newestFirst(), ({ metadata }) => permit(metadata))
      return Response.json(takePage(permitted, page).map((item) => policies.presentThread(item, dialect)))
    },
  }),
  route('GET /threads/{thread_id}', 'Read a thread', {
    schemas: () => ({ responses: ok('The thread', thread), errors: ['thread-not-found'] }),
    handle: async (deployment, call) => {
      const { dialect, policies } = deployment
      return Response.json(policies.presentThread(await threadOf(deployment, call, 'read'), dialect))
    },
  }),
]

async function createThread(deployment: Deployment, call: DeploymentCall): Promise<Thread> {
  const request = await readBody(deployment, call, threadCreate)
  const thread_id = request.thread_id ?? deployment.ids.thread()
  const payload = { ...request, thread_id, metadata: { ...request.metadata } }
  const permit = await authorize(deployment, call, 'threads', 'create', payload)
  const existing = request.thread_id === undefined ? undefined : deployment.store.threads.get(thread_id)
  if (existing === undefined) return newThread(deployment, call, thread_id, writtenMetadata(payload), request)
  if (request.if_exists === 'do_nothing' && permit(existing.metadata)) return existing
  throw new ApiError('already-exists', `Thread ${thread_id} already exists`)
}

/** Creates a thread with the state after its supersteps. Throws ApiError `invalid-body` without creating a thread. */
function newThread(
  deployment: Deployment,
  call: DeploymentCall,
  thread_id: string,
  metadata: JsonObject,
  { supersteps }: ThreadCreate,
): Thread {
  const created = addThread(deployment, thread_id, metadata)
  try {
    for (const { updates } of supersteps ?? []) {
      updateState(deployment, created, created.checkpoints.at(-1), updates, call.caller)
    }
    return created
  } catch (error) {
    deployment.store.threads.delete(thread_id)
    throw error
  }
}
