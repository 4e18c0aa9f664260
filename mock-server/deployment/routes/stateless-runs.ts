import { z } from 'zod'
import { parse, readBody, readJsonBody, uuidParam } from '../../http/request.ts'
import { json } from '../../http/response.ts'
import { jsonResponse } from '../../http/route.ts'
import { authorize, runNotFound } from '../access.ts'
import { namedAssistant } from '../assistants.ts'
import type { Deployment, DeploymentCall, DeploymentRoute } from '../deployment.ts'
import type { Run } from '../records.ts'
import type { CreatedRun } from '../runs/create.ts'
import { createAlone } from '../runs/create-alone.ts'
import {
  eventsResponse,
  lastEventIdHeader,
  outcomeResponse,
  run,
  STATELESS_CREATE_ERRORS,
} from '../schemas/responses.ts'
import { runBatch, runStream } from '../schemas/run-requests.ts'
import { outcomeOf } from './runs.ts'
import { joinStream, openStream } from './streams.ts'

/**
 * Runs without a thread: each gets a thread that is deleted when the run ends, unless `on_completion` is `keep`.
 *
 * As the public API does it. The specification does not mention it.
 */
export const statelessRunRoutes: readonly DeploymentRoute[] = [
  {
    method: 'POST',
    path: '/runs',
    summary: 'Start a run without a thread in the background',
    schemas: ({ requests }) => ({
      body: requests.runCreate,
      responses: { '200': jsonResponse('The run', run) },
      errors: STATELESS_CREATE_ERRORS,
    }),
    handle: async (deployment, call) => {
      const created = await createFrom(deployment, call, 'background')
      return json(created.body, headersOf(created.run))
    },
  },
  {
    method: 'POST',
    path: '/runs/wait',
    summary: 'Start a run without a thread and wait for it',
    schemas: ({ requests }) => ({
      body: requests.runCreate,
      responses: { '200': outcomeResponse },
      errors: STATELESS_CREATE_ERRORS,
    }),
    handle: async (deployment, call) => {
      const created = await createFrom(deployment, call, 'streamed')
      const cancels = created.request.on_disconnect === 'cancel'
      return outcomeOf(deployment, call, created.run, { cancels, headers: headersOf(created.run) })
    },
  },
  {
    method: 'POST',
    path: '/runs/stream',
    summary: 'Start a run without a thread and stream its events',
    schemas: ({ requests }) => ({
      body: requests.runCreate,
      responses: { '200': eventsResponse },
      errors: STATELESS_CREATE_ERRORS,
    }),
    handle: async (deployment, call) => {
      const created = await createFrom(deployment, call, 'streamed')
      const cancels = created.request.on_disconnect === 'cancel'
      return openStream(deployment, call, created.run, { cancels, headers: headersOf(created.run) })
    },
  },
  {
    method: 'POST',
    path: '/runs/batch',
    summary: 'Start many runs without a thread',
    schemas: ({ requests }) => ({
      body: runBatch(requests.runCreate),
      responses: { '200': jsonResponse('The runs', z.array(run)) },
      errors: STATELESS_CREATE_ERRORS,
    }),
    handle: createBatch,
  },
  {
    method: 'GET',
    path: '/runs/{run_id}/stream',
    summary: 'Follow a run without a thread',
    schemas: () => ({
      query: runStream,
      header: lastEventIdHeader,
      responses: { '200': eventsResponse },
      errors: ['run-not-found'],
    }),
    handle: (deployment, call) => joinStream(deployment, call, () => anyRunOf(deployment, call)),
  },
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
  const { dialect, limits } = deployment
  const requests = parse(runBatch(dialect.requests.runCreate), await readJsonBody(call.request, limits, dialect))
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
