import { z } from 'zod'
import { ApiError } from '../../http/errors.ts'
import { parse } from '../../http/request.ts'
import { json } from '../../http/response.ts'
import { ok } from '../../http/route.ts'
import { runOf, threadOf } from '../access.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import { shownStatus } from '../present/records.ts'
import { select } from '../present/select.ts'
import type { Run } from '../records.ts'
import { type CreatedRun, createRun } from '../runs/create.ts'
import { CREATE_ERRORS, outcome, run, runPart } from '../schemas/responses.ts'
import { runJoin } from '../schemas/run-requests.ts'

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
