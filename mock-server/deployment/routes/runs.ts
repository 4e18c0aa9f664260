import { z } from 'zod'
import { ApiError } from '../../http/errors.ts'
import { parse, readBody, uuidParam } from '../../http/request.ts'
import { json } from '../../http/response.ts'
import { ok } from '../../http/route.ts'
import { authorize, runNotFound, runOf, threadOf } from '../access.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import { shownStatus } from '../present/records.ts'
import { select } from '../present/select.ts'
import type { Run, Thread } from '../records.ts'
import { type CreatedRun, createRun } from '../runs/create.ts'
import { CREATE_ERRORS, outcome, run, runPart } from '../schemas/responses.ts'
import {
  cancelAction,
  type RunCancel,
  type RunsCancel,
  runCancel,
  runJoin,
  runsCancel,
} from '../schemas/run-requests.ts'
import { restingStatus } from '../state/checkpoint.ts'

/** Runs. Sections of the specification: Endpoints, Run. */
export const runRoutes: readonly DeploymentRoute[] = [
  route('POST /threads/{thread_id}/runs', 'Start a run in the background', {
    schemas: ({ requests }) => ({ body: requests.runCreate, responses: ok('The run', run), errors: CREATE_ERRORS }),
    handle: async (deployment, call) => {
      const created = await createRun(deployment, call, 'background')
      return json(created.body, runHeaders(deployment, created.run, ''))
    },
  }),
  route('GET /threads/{thread_id}/runs', 'List the runs of a thread', {
    schemas: ({ requests }) => ({
      query: requests.runList,
      responses: ok('Runs, with the fields that were selected', z.array(runPart)),
      errors: ['thread-not-found'],
    }),
    handle: async (deployment, call) => {
      const { dialect, policies } = deployment
      const { status, select: fields, ...page } = parse(dialect.requests.runList, call.query(), 'invalid-query')
      const { runs } = await threadOf(deployment, call, 'search')
      const hasStatus = (item: Run): boolean => status === undefined || status === shownStatus(item, dialect)
      return Response.json(
        policies.listRuns(runs, hasStatus, page).map((item) => select(policies.presentRun(item, dialect), fields)),
      )
    },
  }),
  route('GET /threads/{thread_id}/runs/{run_id}', 'Read a run', {
    schemas: () => ({ responses: ok('The run', run), errors: ['thread-not-found', 'run-not-found'] }),
    handle: async (deployment, call) => {
      const target = await runOf(deployment, call)
      const body = deployment.policies.presentRun(target, deployment.dialect)
      target.polled = true
      return Response.json(body)
    },
  }),
  route('GET /threads/{thread_id}/runs/{run_id}/join', 'Wait until a run has finished', {
    schemas: () => ({ query: runJoin, responses: outcome, errors: ['thread-not-found', 'run-not-found'] }),
    handle: joinRun,
  }),
  // The specification does not mention this route, which creates and joins a run.
  route('POST /threads/{thread_id}/runs/wait', 'Start a run and wait until it has finished', {
    schemas: ({ requests }) => ({ body: requests.runCreate, responses: outcome, errors: CREATE_ERRORS }),
    handle: async (deployment, call) => {
      // The client sees only the outcome, so the run does not wait to be seen pending.
      const created = await createRun(deployment, call, 'streamed')
      return outcomeOf(deployment, call, created, runHeaders(deployment, created.run, '/join'))
    },
  }),
]

async function joinRun(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { auth, dialect } = deployment
  const run = await runOr(deployment, call, (notFound) => {
    const error = dialect.noRun.join(notFound, auth.enabled)
    return error && Response.json({ __error__: error })
  })
  if (run instanceof Response) return run
  return outcomeOf(deployment, call, { run, cancels: cancelsOnDisconnect(call) }, runHeaders(deployment, run, '/join'))
}

/** Waits until a run has ended and returns its outcome. With `cancels`, the run stops if the client disconnects. */
export async function outcomeOf(
  { dialect, policies, runner }: Deployment,
  call: DeploymentCall,
  { run, cancels }: Pick<CreatedRun, 'run' | 'cancels'>,
  headers: Record<string, string>,
): Promise<Response> {
  const stop = (): void => runner.interrupt(run)
  if (cancels) call.request.signal.addEventListener('abort', stop, { once: true })
  await run.log.finished()
  call.request.signal.removeEventListener('abort', stop)
  const body = policies.presentOutcome(run, dialect)
  run.joined = true
  return json(body, headers)
}

/**
 * Returns the run in the path of a request, or the run that `find` returns. If it does not exist, returns the response of
 * `fallback`. Throws the error if `fallback` returns none.
 */
export async function runOr(
  deployment: Deployment,
  call: DeploymentCall,
  fallback: (notFound: ApiError) => Response | undefined,
  find: () => Promise<Run> = () => runOf(deployment, call),
): Promise<Run | Response> {
  try {
    return await find()
  } catch (error) {
    const response = error instanceof ApiError ? fallback(error) : undefined
    if (response === undefined) throw error
    return response
  }
}

/** Whether the client asks to stop the run when it disconnects. */
export function cancelsOnDisconnect(call: DeploymentCall): boolean {
  return ['1', 'true'].includes(String(call.query()['cancel_on_disconnect']))
}

/** Returns the headers with the path of a run and, in some dialects, the path under which the response can be resumed. */
export function runHeaders(
  { dialect }: Deployment,
  { thread_id, run_id }: Run,
  suffix: '' | '/join' | '/stream',
): Record<string, string> {
  const path = `/threads/${thread_id}/runs/${run_id}`
  return dialect.location && suffix !== ''
    ? { 'Content-Location': path, Location: `${path}${suffix}` }
    : { 'Content-Location': path }
}

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
