import { ApiError } from '../../http/errors.ts'
import { readBody } from '../../http/request.ts'
import { authorize, threadOf, writtenMetadata } from '../access.ts'
import type { Deployment, DeploymentCall, DeploymentRoute } from '../deployment.ts'
import type { Thread } from '../records.ts'
import { threadPatch, threadPrune } from '../schemas/thread-requests.ts'
import { copyThread, deleteThread } from '../threads.ts'

/** Changing, copying and deleting threads, as the public API does; the document does not name it. */
export function threadChangeRoutes(deployment: Deployment): DeploymentRoute[] {
  const { dialect, policies } = deployment
  return [
    { method: 'PATCH', path: '/threads/:thread_id', answer: (call) => changeThread(deployment, call) },
    {
      method: 'DELETE',
      path: '/threads/:thread_id',
      answer: async (call) => {
        deleteThread(deployment, await threadOf(deployment, call, 'delete'))
        return new Response(null, { status: 204 })
      },
    },
    {
      method: 'POST',
      path: '/threads/:thread_id/copy',
      answer: async (call) => {
        const thread = await threadOf(deployment, call, 'read')
        const thread_id = deployment.ids.thread()
        const payload = { thread_id, metadata: { ...thread.metadata } }
        await authorize(deployment, call, 'threads', 'create', payload)
        const copy = copyThread(deployment, thread, thread_id, writtenMetadata(payload))
        return Response.json(policies.presentThread(copy, dialect))
      },
    },
    { method: 'POST', path: '/threads/prune', answer: (call) => pruneThreads(deployment, call) },
  ]
}

async function changeThread(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { clock, dialect, policies } = deployment
  const request = await readBody(deployment, call, threadPatch)
  const payload = { ...request, metadata: { ...request.metadata } }
  const thread = await threadOf(deployment, call, 'update', payload)
  thread.metadata = { ...thread.metadata, ...writtenMetadata(payload) }
  thread.updated_at = clock.now()
  if (call.request.headers.get('prefer')?.includes('return=minimal')) return new Response(null, { status: 204 })
  return Response.json(policies.presentThread(thread, dialect))
}

/** Threads that there are not, or that the caller may not see, are passed over. */
async function pruneThreads(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { runner, store } = deployment
  const { thread_ids, strategy } = await readBody(deployment, call, threadPrune)
  const pruned: Thread[] = []
  for (const thread_id of new Set(thread_ids)) {
    const action = strategy === 'delete' ? 'delete' : 'update'
    const permit = await authorize(deployment, call, 'threads', action, { thread_id, metadata: {} })
    const thread = store.threads.get(thread_id)
    if (thread !== undefined && permit(thread.metadata)) pruned.push(thread)
  }
  const busy = pruned.find((thread) => strategy === 'keep_latest' && runner.isThreadBusy(thread))
  if (busy !== undefined)
    throw new ApiError('thread-busy', `Thread ${busy.thread_id} is busy; wait until its runs ended`)
  for (const thread of pruned) {
    if (strategy === 'delete') deleteThread(deployment, thread)
    else thread.checkpoints = thread.checkpoints.slice(-1)
  }
  return Response.json({ pruned_count: pruned.length })
}
