import { z } from 'zod'
import { readBody, uuidParam } from '../../http/request.ts'
import { json } from '../../http/response.ts'
import { ok } from '../../http/route.ts'
import { authorize, runNotFound } from '../access.ts'
import { namedAssistant } from '../assistants.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import type { Run } from '../records.ts'
import type { CreatedRun } from '../runs/create.ts'
import { createAlone } from '../runs/create-alone.ts'
import { eventStream, lastEventIdHeader, outcome, run, STATELESS_CREATE_ERRORS } from '../schemas/responses.ts'
import { runBatch, runStream } from '../schemas/run-requests.ts'
import { outcomeOf } from './runs.ts'
import { joinStream, openStream } from './streams.ts'

/**
 * Runs without a thread: each gets a thread that is deleted when the run ends, unless `on_completion` is `keep`.
 *
 * As the public API does it. The specification does not mention it.
 */
export const statelessRunRoutes: readonly DeploymentRoute[] = [
  route('POST /runs', 'Start a run without a thread in the background', {
    schemas: ({ requests }) => ({
      body: requests.runCreate,
      responses: ok('The run', run),
      errors: STATELESS_CREATE_ERRORS,
    }),
    handle: async (deployment, call) => {
      const created = await createFrom(deployment, call, 'background')
      return json(created.body, headersOf(created.run))
    },
  }),
  route('POST /runs/wait', 'Start a run without a thread and wait for it', {
    schemas: ({ requests }) => ({ body: requests.runCreate, responses: outcome, errors: STATELESS_CREATE_ERRORS }),
    handle: async (deployment, call) => {
      const created = await createFrom(deployment, call, 'streamed')
      return outcomeOf(deployment, call, created, headersOf(created.run))
    },
  }),
  route('POST /runs/stream', 'Start a run without a thread and stream its events', {
    schemas: ({ requests }) => ({ body: requests.runCreate, responses: eventStream, errors: STATELESS_CREATE_ERRORS }),
    handle: async (deployment, call) => {
      const { run, cancels } = await createFrom(deployment, call, 'streamed')
      return openStream(deployment, call, run, { cancels, headers: headersOf(run) })
    },
  }),
  route('POST /runs/batch', 'Start many runs without a thread', {
    schemas: ({ requests }) => ({
      body: runBatch(requests.runCreate),
      responses: ok('The runs', z.array(run)),
      errors: STATELESS_CREATE_ERRORS,
    }),
    handle: createBatch,
  }),
  route('GET /runs/{run_id}/stream', 'Follow a run without a thread', {
    schemas: () => ({ query: runStream, header: lastEventIdHeader, responses: eventStream, errors: ['run-not-found'] }),
    handle: (deployment, call) => joinStream(deployment, call, () => anyRunOf(deployment, call)),
  }),
]

async function createFrom(
  deployment: Deployment,
  call: DeploymentCall,
  kind: 'background' | 'streamed',
): Promise<CreatedRun> {
  return createAlone(deployment, call, kind, await readBody(deployment, call, deployment.dialect.requests.runCreate))
}

/** Creates all runs, or none if one of the requests is invalid or names an unknown assistant. */
async function createBatch(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const requests = await readBody(deployment, call, runBatch(deployment.dialect.requests.runCreate))
  for (const { assistant_id } of requests) await namedAssistant(deployment, call, assistant_id)
  const created: unknown[] = []
  for (const request of requests) created.push((await createAlone(deployment, call, 'background', request)).body)
  return Response.json(created)
}

/** Finds the run of a path without a thread. Throws ApiError `run-not-found`. */
async function anyRunOf(deployment: Deployment, call: DeploymentCall): Promise<Run> {
  const run_id = uuidParam(call.param('run_id'), 'run', deployment.dialect)
  const permit = await authorize(deployment, call, 'threads', 'read', { run_id, metadata: {} })
  for (const { metadata, runs } of deployment.store.threads.newestFirst()) {
    const match = runs.get(run_id)
    if (match !== undefined && permit(metadata)) return match
  }
  throw runNotFound(run_id)
}

function headersOf({ run_id }: Run): Record<string, string> {
  return { 'Content-Location': `/runs/${run_id}` }
}
