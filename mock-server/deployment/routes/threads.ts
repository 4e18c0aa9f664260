import { z } from 'zod'
import { plainValues } from '../../graphs/values.ts'
import { ApiError } from '../../http/errors.ts'
import type { JsonObject } from '../../http/fields.ts'
import { only, takePage } from '../../http/page.ts'
import { parse, readBody } from '../../http/request.ts'
import { jsonResponse, ok } from '../../http/route.ts'
import { authorize, threadOf, writtenMetadata } from '../access.ts'
import { matches } from '../auth/filter.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import { extract, respondWithPage, select } from '../present/select.ts'
import type { Thread } from '../records.ts'
import { type ThreadCreate, threadCreate, threadList } from '../schemas/requests.ts'
import { thread, threadPart } from '../schemas/responses.ts'
import {
  type ThreadFilter,
  type ThreadSearch,
  threadFilter,
  threadPatch,
  threadPrune,
  threadSearch,
} from '../schemas/thread-requests.ts'
import { updateState } from '../state/update.ts'
import { addThread, copyThread, deleteThread } from '../threads.ts'

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

/** Searching threads, as the public API does. The specification does not mention it. */
export const threadSearchRoutes: readonly DeploymentRoute[] = [
  route('POST /threads/search', 'Search threads', {
    schemas: () => ({
      body: threadSearch,
      responses: ok('Threads, with the fields that were selected', z.array(threadPart)),
    }),
    handle: searchThreads,
  }),
  route('POST /threads/count', 'Count threads', {
    schemas: () => ({ body: threadFilter, responses: ok('The number of results', z.int()) }),
    handle: async (deployment, call) => {
      const filter = await readBody(deployment, call, threadFilter)
      return Response.json((await findThreads(deployment, call, filter)).length)
    },
  }),
]

async function searchThreads(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { dialect, policies } = deployment
  const request = await readBody(deployment, call, threadSearch)
  const present = (thread: Thread): JsonObject => {
    const whole = policies.presentThread(thread, dialect)
    const extracted = request.extract == null ? {} : { extracted: extract(whole, request.extract) }
    return { ...select(whole, request.select), ...extracted }
  }
  const threads = await findThreads(deployment, call, request)
  return respondWithPage(dialect, threads, { ...request, keyOf: orderOf(request), present })
}

async function findThreads(deployment: Deployment, call: DeploymentCall, filter: ThreadFilter): Promise<Thread[]> {
  const { store } = deployment
  const permit = await authorize(deployment, call, 'threads', 'search', { metadata: {}, ...filter })
  const { ids, metadata, values, status } = filter
  return [...store.threads.newestFirst()].filter(
    (thread) =>
      permit(thread.metadata) &&
      (ids == null || ids.includes(thread.thread_id)) &&
      (status == null || status === thread.status) &&
      (metadata == null || matches(metadata, thread.metadata)) &&
      (values == null || (thread.values !== null && matches(values, { ...plainValues(thread.values) }))),
  )
}

function orderOf({ sort_by }: ThreadSearch): ((thread: Thread) => string | number) | undefined {
  if (sort_by == null) return undefined
  if (sort_by === 'state_updated_at')
    return ({ checkpoints, created_at }) => checkpoints.at(-1)?.created_at ?? created_at
  return (thread) => thread[sort_by]
}

/** Changing, copying and deleting threads, as the public API does. The specification does not mention it. */
export const threadChangeRoutes: readonly DeploymentRoute[] = [
  route('PATCH /threads/{thread_id}', 'Add to the metadata of a thread', {
    schemas: () => ({
      body: threadPatch,
      responses: {
        '200': jsonResponse('The thread', thread),
        '204': { description: 'With `Prefer: return=minimal`' },
      },
      errors: ['thread-not-found'],
    }),
    handle: changeThread,
  }),
  route('DELETE /threads/{thread_id}', 'Delete a thread', {
    schemas: () => ({ responses: { '204': { description: 'Deleted' } }, errors: ['thread-not-found'] }),
    handle: async (deployment, call) => {
      deleteThread(deployment, await threadOf(deployment, call, 'delete'))
      return new Response(null, { status: 204 })
    },
  }),
  route('POST /threads/{thread_id}/copy', 'Copy a thread', {
    schemas: () => ({ responses: ok('The copy', thread), errors: ['thread-not-found'] }),
    handle: async (deployment, call) => {
      const { dialect, ids, policies } = deployment
      const original = await threadOf(deployment, call, 'read')
      const thread_id = ids.thread()
      const payload = { thread_id, metadata: { ...original.metadata } }
      await authorize(deployment, call, 'threads', 'create', payload)
      const copy = copyThread(deployment, original, thread_id, writtenMetadata(payload))
      return Response.json(policies.presentThread(copy, dialect))
    },
  }),
  route('POST /threads/prune', 'Delete threads, or their older states', {
    schemas: () => ({
      body: threadPrune,
      responses: ok('Number of pruned threads', z.object({ pruned_count: z.int() })),
      errors: ['thread-busy'],
    }),
    handle: pruneThreads,
  }),
]

async function changeThread(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { clock, dialect, policies } = deployment
  const request = await readBody(deployment, call, threadPatch)
  const payload = { ...request, metadata: { ...request.metadata } }
  const target = await threadOf(deployment, call, 'update', payload)
  target.metadata = { ...target.metadata, ...writtenMetadata(payload) }
  target.updated_at = clock.now()
  if (call.request.headers.get('prefer')?.includes('return=minimal')) return new Response(null, { status: 204 })
  return Response.json(policies.presentThread(target, dialect))
}

/** Skips threads that do not exist or that the caller may not see. */
async function pruneThreads(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { runner, store } = deployment
  const { thread_ids, strategy } = await readBody(deployment, call, threadPrune)
  const pruned: Thread[] = []
  for (const thread_id of new Set(thread_ids)) {
    const action = strategy === 'delete' ? 'delete' : 'update'
    const permit = await authorize(deployment, call, 'threads', action, { thread_id, metadata: {} })
    const target = store.threads.get(thread_id)
    if (target !== undefined && permit(target.metadata)) pruned.push(target)
  }
  const busy = pruned.find((target) => strategy === 'keep_latest' && runner.isThreadBusy(target))
  if (busy !== undefined)
    throw new ApiError('thread-busy', `Thread ${busy.thread_id} is busy; wait until its runs ended`)
  for (const target of pruned) {
    if (strategy === 'delete') deleteThread(deployment, target)
    else target.checkpoints = target.checkpoints.slice(-1)
  }
  return Response.json({ pruned_count: pruned.length })
}
