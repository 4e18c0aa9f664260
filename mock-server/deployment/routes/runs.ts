import { ApiError } from '../../http/errors.ts'
import { json } from '../../http/json.ts'
import { parse } from '../../http/request.ts'
import { runOf, threadOf } from '../access.ts'
import type { Deployment, DeploymentCall, DeploymentRoute } from '../deployment.ts'
import { shownStatus } from '../present/run.ts'
import { select } from '../present/select.ts'
import type { Run } from '../records.ts'
import { createRun } from '../runs/create.ts'

/** Runs. Sections of the document: Endpoints, Run. */
export function runRoutes(deployment: Deployment): DeploymentRoute[] {
  const { dialect, policies } = deployment
  return [
    {
      method: 'POST',
      path: '/threads/:thread_id/runs',
      answer: async (call) => {
        const { run, shown } = await createRun(deployment, call, 'background')
        return json(shown, runHeaders(deployment, run, ''))
      },
    },
    {
      method: 'GET',
      path: '/threads/:thread_id/runs',
      answer: async (call) => {
        const { status, select: fields, ...page } = parse(dialect.requests.runList, call.query(), 'invalid-query')
        const { runs } = await threadOf(deployment, call, 'search')
        const isWanted = (run: Run): boolean => status === undefined || status === shownStatus(run, dialect)
        const found = policies.listRuns(runs, isWanted, page)
        return Response.json(
          found.map((run) =>
            select(policies.presentRun(run, dialect), fields === undefined ? undefined : [fields].flat()),
          ),
        )
      },
    },
    {
      method: 'GET',
      path: '/threads/:thread_id/runs/:run_id',
      answer: async (call) => {
        const run = await runOf(deployment, call)
        const shown = policies.presentRun(run, dialect)
        run.polled = true
        return Response.json(shown)
      },
    },
    {
      method: 'GET',
      path: '/threads/:thread_id/runs/:run_id/join',
      answer: (call) => joinRun(deployment, call),
    },
    {
      // The document does not name it: a run and its join in one.
      method: 'POST',
      path: '/threads/:thread_id/runs/wait',
      answer: async (call) => {
        const { run, request } = await createRun(deployment, call, 'streamed')
        return outcomeOf(deployment, call, run, {
          cancels: request.on_disconnect === 'cancel',
          headers: runHeaders(deployment, run, '/join'),
        })
      },
    },
  ]
}

async function joinRun(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { auth, dialect } = deployment
  const run = await runOr(deployment, call, (refusal) => {
    const error = dialect.noRun.join(refusal, auth.enabled)
    return error && Response.json({ __error__: error })
  })
  if (run instanceof Response) return run
  return outcomeOf(deployment, call, run, {
    cancels: cancelsOnDisconnect(call),
    headers: runHeaders(deployment, run, '/join'),
  })
}

/** What a run leaves, once it has ended. With `cancels`, a caller who goes away stops it. */
export async function outcomeOf(
  { dialect, policies, runner }: Deployment,
  call: DeploymentCall,
  run: Run,
  { cancels, headers }: { readonly cancels: boolean; readonly headers: Record<string, string> },
): Promise<Response> {
  const stop = (): void => runner.interrupt(run)
  if (cancels) call.request.signal.addEventListener('abort', stop, { once: true })
  await run.log.finished()
  call.request.signal.removeEventListener('abort', stop)
  const shown = policies.presentOutcome(run, dialect)
  run.joined = true
  return json(shown, headers)
}

/** The run of the path, or what `find` finds; where there is none, what `instead` answers, else the refusal. */
export async function runOr(
  deployment: Deployment,
  call: DeploymentCall,
  instead: (refusal: ApiError) => Response | undefined,
  find: () => Promise<Run> = () => runOf(deployment, call),
): Promise<Run | Response> {
  try {
    return await find()
  } catch (error) {
    const answer = error instanceof ApiError ? instead(error) : undefined
    if (answer === undefined) throw error
    return answer
  }
}

/** Whether a reader asks that its going away stops the run. */
export function cancelsOnDisconnect(call: DeploymentCall): boolean {
  return ['1', 'true'].includes(String(call.query()['cancel_on_disconnect']))
}

/** Headers that say where a run is found and, in some dialects, where the answer can be taken up again. */
export function runHeaders({ dialect }: Deployment, run: Run, door: '' | '/join' | '/stream'): Record<string, string> {
  const path = `/threads/${run.thread_id}/runs/${run.run_id}`
  return dialect.location && door !== ''
    ? { 'Content-Location': path, Location: `${path}${door}` }
    : { 'Content-Location': path }
}
