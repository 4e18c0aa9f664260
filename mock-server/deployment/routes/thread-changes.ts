import { z } from 'zod'
import { ApiError } from '../../http/errors.ts'
import { readBody } from '../../http/request.ts'
import { jsonResponse, ok } from '../../http/route.ts'
import { authorize, threadOf, writtenMetadata } from '../access.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import type { Thread } from '../records.ts'
import { thread } from '../schemas/responses.ts'
import { threadPatch, threadPrune } from '../schemas/thread-requests.ts'
import { copyThread, deleteThread } from '../threads.ts'

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
