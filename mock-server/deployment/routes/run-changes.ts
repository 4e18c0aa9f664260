import { ApiError } from '../../http/errors.ts'
import { parse, readBody, uuidParam } from '../../http/request.ts'
import { authorize, runNotFound, runOf, threadOf } from '../access.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import type { Run, Thread } from '../records.ts'
import { cancelAction, type RunCancel, type RunsCancel, runCancel, runsCancel } from '../schemas/run-requests.ts'
import { restingStatus } from '../state/checkpoint.ts'

/** Cancelling and deleting runs, as the public API does. The specification does not mention it. */
export const runChangeRoutes: readonly DeploymentRoute[] = [
  route('POST /threads/{thread_id}/runs/{run_id}/cancel', 'Cancel a run', {
    schemas: () => ({
      query: runCancel,
      responses: {
        '202': { description: 'The run is being stopped' },
        '204': { description: 'With `wait`: the run has stopped' },
      },
      errors: ['thread-not-found', 'run-not-found'],
    }),
    handle: async (deployment, call) => {
      const { action, wait } = parse(runCancel, call.query(), 'invalid-query')
      cancel(deployment, [await runOf(deployment, call, 'update')], action)
      // A run stops at once, so `wait` changes only the status.
      return new Response(null, { status: wait ? 204 : 202 })
    },
  }),
  route('POST /runs/cancel', 'Cancel runs', {
    schemas: () => ({
      query: cancelAction,
      body: runsCancel,
      responses: { '204': { description: 'The runs have stopped' } },
      errors: ['run-not-found'],
    }),
    handle: cancelMany,
  }),
  route('DELETE /threads/{thread_id}/runs/{run_id}', 'Delete a run', {
    schemas: () => ({
      responses: { '204': { description: 'Deleted' } },
      errors: ['thread-not-found', 'run-not-found'],
    }),
    handle: deleteRun,
  }),
]

function cancel({ runner }: Deployment, runs: readonly Run[], action: RunCancel['action']): void {
  const inFlight = runs.filter(({ outcome }) => outcome === undefined)
  if (inFlight.length === 0) {
    throw new ApiError('run-not-found', 'There is no such run that could be cancelled: it is unknown, or it has ended')
  }
  // From the newest: a queued run must not start while the one before it is being stopped.
  for (const run of inFlight.toReversed()) runner[action](run)
}

async function cancelMany(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const request = await readBody(deployment, call, runsCancel)
  const { action } = parse(cancelAction, call.query(), 'invalid-query')
  const permit = await authorize(deployment, call, 'threads', 'update', { ...request, action, metadata: {} })
  const runs = threadsOf(deployment, request)
    .filter(({ metadata }) => permit(metadata))
    .flatMap((thread) => [...thread.runs.values()])
  cancel(
    deployment,
    runs.filter((run) => isMeant(run, request)),
    action,
  )
  return new Response(null, { status: 204 })
}

function threadsOf({ store }: Deployment, { thread_id }: RunsCancel): Thread[] {
  if (thread_id == null) return [...store.threads.values()]
  const thread = store.threads.get(thread_id)
  return thread === undefined ? [] : [thread]
}

function isMeant({ run_id, status }: Run, wanted: RunsCancel): boolean {
  const hasStatus = wanted.status == null || wanted.status === 'all' || wanted.status === status
  return hasStatus && (wanted.run_ids == null || wanted.run_ids.includes(run_id))
}

/** Deletes a run with its state. A run in flight is stopped first. */
async function deleteRun(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { dialect, runner } = deployment
  const run_id = uuidParam(call.param('run_id'), 'run', dialect)
  const thread = await threadOf(deployment, call, 'delete', { run_id, metadata: {} })
  const run = thread.runs.get(run_id)
  if (run === undefined) throw runNotFound(run_id)
  runner.rollback(run)
  thread.runs.delete(run_id)
  thread.checkpoints = thread.checkpoints.filter(({ metadata }) => metadata.run_id !== run_id)
  thread.values = thread.checkpoints.at(-1)?.values ?? null
  if (!runner.isThreadBusy(thread)) thread.status = restingStatus(thread)
  return new Response(null, { status: 204 })
}
