import { z } from 'zod'
import { uuid } from '../../http/fields.ts'
import { parse, readBody } from '../../http/request.ts'
import { ok } from '../../http/route.ts'
import { threadOf } from '../access.ts'
import { matches } from '../auth/filter.ts'
import type { Checkpoint } from '../checkpoint.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import type { Thread } from '../records.ts'
import { threadState } from '../schemas/responses.ts'
import { type HistorySearch, historyList, historySearch, stateAt, stateUpdate } from '../schemas/thread-requests.ts'
import { checkpointOf } from '../state/checkpoint.ts'
import { updateState } from '../state/update.ts'

/** The current and earlier states of a thread. Sections of the specification: Endpoints, Thread state. */
export const stateRoutes: readonly DeploymentRoute[] = [
  route('GET /threads/{thread_id}/state', 'Read the state of a thread', {
    schemas: () => ({ responses: theState(), errors: ['thread-not-found'] }),
    handle: async (deployment, call) => {
      const { dialect, policies } = deployment
      const thread = await threadOf(deployment, call, 'read')
      return Response.json(policies.presentState(thread, policies.stateView(thread), dialect))
    },
  }),
  route('POST /threads/{thread_id}/state', 'Write into the state of a thread', {
    schemas: () => ({
      body: stateUpdate,
      responses: ok(
        'The checkpoint that was written',
        z.looseObject({ checkpoint: z.looseObject({ thread_id: uuid, checkpoint_id: z.string() }) }),
      ),
      errors: ['thread-not-found', 'checkpoint-not-found', 'thread-busy'],
    }),
    handle: writeState,
  }),
  route('POST /threads/{thread_id}/state/checkpoint', 'Read the state of a thread at a checkpoint', {
    schemas: () => ({ body: stateAt, responses: theState(), errors: ['thread-not-found', 'checkpoint-not-found'] }),
    handle: async (deployment, call) => {
      const { checkpoint } = await readBody(deployment, call, stateAt)
      return showState(deployment, call, checkpoint.checkpoint_id ?? undefined)
    },
  }),
  route('GET /threads/{thread_id}/state/{checkpoint_id}', 'Read the state of a thread at a checkpoint', {
    schemas: () => ({ responses: theState(), errors: ['thread-not-found', 'checkpoint-not-found'] }),
    handle: (deployment, call) => showState(deployment, call, call.param('checkpoint_id')),
  }),
  route('POST /threads/{thread_id}/history', 'Search the states of a thread', {
    schemas: () => ({ body: historySearch, responses: theStates(), errors: ['thread-not-found'] }),
    handle: async (deployment, call) => showHistory(deployment, call, await readBody(deployment, call, historySearch)),
  }),
  route('GET /threads/{thread_id}/history', 'Read the earlier states of a thread', {
    schemas: () => ({ query: historyList, responses: theStates(), errors: ['thread-not-found'] }),
    handle: (deployment, call) => showHistory(deployment, call, parse(historyList, call.query(), 'invalid-query')),
  }),
]

const theState = () => ok('The state', threadState)
const theStates = () => ok('States, newest first', z.array(threadState))

async function showState(
  deployment: Deployment,
  call: DeploymentCall,
  checkpoint_id: string | undefined,
): Promise<Response> {
  const thread = await threadOf(deployment, call, 'read')
  return Response.json(
    deployment.policies.presentState(thread, checkpointOf(thread, checkpoint_id), deployment.dialect),
  )
}

async function showHistory(deployment: Deployment, call: DeploymentCall, wanted: HistorySearch): Promise<Response> {
  const { dialect, policies } = deployment
  const thread = await threadOf(deployment, call, 'read')
  return Response.json(history(thread, wanted).map((checkpoint) => policies.presentState(thread, checkpoint, dialect)))
}

async function writeState(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const request = await readBody(deployment, call, stateUpdate)
  const thread = await threadOf(deployment, call, 'update', { ...request, metadata: {} })
  const parent = checkpointOf(thread, request.checkpoint_id ?? request.checkpoint?.checkpoint_id)
  const { checkpoint_id } = updateState(deployment, thread, parent, [request], call.caller)
  const { thread_id } = thread
  const reference = { thread_id, checkpoint_ns: '', checkpoint_id }
  return Response.json({ checkpoint: reference, configurable: reference })
}

/** Returns the states of a thread that match a search, newest first. */
function history(thread: Thread, { limit, before, metadata, checkpoint }: HistorySearch): Checkpoint[] {
  const onlyId = checkpoint?.checkpoint_id
  const beforeId = idOf(before)
  const end = beforeId === undefined ? -1 : thread.checkpoints.findIndex((state) => state.checkpoint_id === beforeId)
  // Nothing is before an unknown checkpoint.
  const older = beforeId === undefined ? thread.checkpoints : thread.checkpoints.slice(0, Math.max(end, 0))
  return older
    .toReversed()
    .filter(
      (state) =>
        (onlyId == null || state.checkpoint_id === onlyId) &&
        (metadata == null || matches(metadata, { ...state.metadata })),
    )
    .slice(0, limit)
}

function idOf(before: HistorySearch['before']): string | undefined {
  if (before == null || typeof before === 'string') return before ?? undefined
  return before.checkpoint_id ?? before.configurable?.checkpoint_id ?? undefined
}
