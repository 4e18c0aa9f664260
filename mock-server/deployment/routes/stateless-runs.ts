import { json } from '../../http/json.ts'
import { parse, readBody, readJsonBody, uuidParam } from '../../http/request.ts'
import { authorize, runNotFound } from '../access.ts'
import { namedAssistant } from '../assistants.ts'
import type { Deployment, DeploymentCall, DeploymentRoute } from '../deployment.ts'
import type { Run } from '../records.ts'
import { type CreatedRun, createRunOn } from '../runs/create.ts'
import type { RunCreate } from '../schemas/requests.ts'
import { runBatch } from '../schemas/run-requests.ts'
import { deleteThread } from '../threads.ts'
import { outcomeOf } from './runs.ts'
import { joinStream, openStream } from './streams.ts'

/**
 * Runs on a thread of their own, which goes when they have ended unless `on_completion` is `keep`.
 *
 * As the public API does it; the document does not name it.
 */
export function statelessRunRoutes(deployment: Deployment): DeploymentRoute[] {
  const { dialect } = deployment
  const create = async (call: DeploymentCall, kind: 'background' | 'streamed'): Promise<CreatedRun> =>
    createAlone(deployment, call, kind, await readBody(deployment, call, dialect.requests.runCreate))
  return [
    {
      method: 'POST',
      path: '/runs',
      answer: async (call) => {
        const { run, shown } = await create(call, 'background')
        return json(shown, headersOf(run))
      },
    },
    {
      method: 'POST',
      path: '/runs/wait',
      answer: async (call) => {
        const { run, request } = await create(call, 'streamed')
        const cancels = request.on_disconnect === 'cancel'
        return outcomeOf(deployment, call, run, { cancels, headers: headersOf(run) })
      },
    },
    {
      method: 'POST',
      path: '/runs/stream',
      answer: async (call) => {
        const { run, request } = await create(call, 'streamed')
        const cancels = request.on_disconnect === 'cancel'
        return openStream(deployment, call, run, { cancels, headers: headersOf(run) })
      },
    },
    { method: 'POST', path: '/runs/batch', answer: (call) => createBatch(deployment, call) },
    {
      method: 'GET',
      path: '/runs/:run_id/stream',
      answer: (call) => joinStream(deployment, call, () => anyRunOf(deployment, call)),
    },
  ]
}

async function createAlone(
  deployment: Deployment,
  call: DeploymentCall,
  kind: 'background' | 'streamed',
  request: RunCreate,
): Promise<CreatedRun> {
  const on_completion = request.on_completion ?? 'delete'
  const whole: RunCreate = { ...request, on_completion, if_not_exists: 'create' }
  const isTemporary = on_completion === 'delete'
  const place = { thread_id: deployment.ids.thread(), isTemporary }
  const created = await createRunOn(deployment, call, kind, place, whole)
  const { run } = created
  if (isTemporary) {
    void run.log.finished().then(() => {
      const thread = deployment.store.threads.get(run.thread_id)
      if (thread !== undefined) deleteThread(deployment, thread)
    })
  }
  return created
}

/** All of the runs or, where one of them is refused for what it says or names, none. */
async function createBatch(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { dialect, limits } = deployment
  const requests = parse(runBatch(dialect.requests.runCreate), await readJsonBody(call.request, limits, dialect))
  for (const { assistant_id } of requests) await namedAssistant(deployment, call, assistant_id)
  const created: unknown[] = []
  for (const request of requests) created.push((await createAlone(deployment, call, 'background', request)).shown)
  return Response.json(created)
}

/** The run of a path that names no thread. Throws ApiError `run-not-found`. */
async function anyRunOf(deployment: Deployment, call: DeploymentCall): Promise<Run> {
  const run_id = uuidParam(call.param('run_id'), 'run', deployment.dialect)
  const permit = await authorize(deployment, call, 'threads', 'read', { run_id, metadata: {} })
  for (const { metadata, runs } of deployment.store.threads.newestFirst()) {
    const run = runs.get(run_id)
    if (run !== undefined && permit(metadata)) return run
  }
  throw runNotFound(run_id)
}

function headersOf({ run_id }: Run): Record<string, string> {
  return { 'Content-Location': `/runs/${run_id}` }
}
