import { z } from 'zod'
import { plainValues } from '../../graphs/values.ts'
import type { JsonObject } from '../../http/fields.ts'
import { readBody } from '../../http/request.ts'
import { ok } from '../../http/route.ts'
import { authorize } from '../access.ts'
import { matches } from '../auth/filter.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import { extract, respondWithPage, select } from '../present/select.ts'
import type { Thread } from '../records.ts'
import { threadPart } from '../schemas/responses.ts'
import { type ThreadFilter, type ThreadSearch, threadFilter, threadSearch } from '../schemas/thread-requests.ts'

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
