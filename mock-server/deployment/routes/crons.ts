import { z } from 'zod'
import { ApiError } from '../../http/errors.ts'
import type { JsonObject } from '../../http/fields.ts'
import { parse, readBody, uuidParam } from '../../http/request.ts'
import { ok } from '../../http/route.ts'
import { authorize, threadOf, writtenMetadata } from '../access.ts'
import { namedAssistant } from '../assistants.ts'
import { matches } from '../auth/filter.ts'
import { type Cron, planNext } from '../crons/crons.ts'
import { type Deployment, type DeploymentCall, type DeploymentRoute, route } from '../deployment.ts'
import { respondWithPage, select } from '../present/select.ts'
import { type CronFilter, cronCreate, cronFilter, cronPatch, cronSearch } from '../schemas/cron-requests.ts'
import type { RunCreate } from '../schemas/requests.ts'
import { cron, cronPart, STATELESS_CREATE_ERRORS } from '../schemas/responses.ts'
import { checkWebhook } from '../webhooks/hosts.ts'

/** Crons: runs by a schedule, as the public Python server has them. The specification does not mention them. */
export const cronRoutes: readonly DeploymentRoute[] = [
  route('POST /runs/crons', 'Create a cron whose runs have a new thread each', {
    schemas: () => ({ body: cronCreate, responses: ok('The cron', cron), errors: STATELESS_CREATE_ERRORS }),
    handle: (deployment, call) => createCron(deployment, call, null),
  }),
  route('POST /threads/{thread_id}/runs/crons', 'Create a cron whose runs are on a thread', {
    schemas: () => ({
      body: cronCreate,
      responses: ok('The cron', cron),
      errors: [...STATELESS_CREATE_ERRORS, 'thread-not-found'],
    }),
    handle: async (deployment, call) =>
      createCron(deployment, call, (await threadOf(deployment, call, 'update')).thread_id),
  }),
  route('POST /runs/crons/search', 'Search crons', {
    schemas: () => ({
      body: cronSearch,
      responses: ok('Crons, with the fields that were selected', z.array(cronPart)),
    }),
    handle: searchCrons,
  }),
  route('POST /runs/crons/count', 'Count crons', {
    schemas: () => ({ body: cronFilter, responses: ok('The number of results', z.int()) }),
    handle: async (deployment, call) => {
      const filter = await readBody(deployment, call, cronFilter)
      return Response.json((await findCrons(deployment, call, filter)).length)
    },
  }),
  route('PATCH /runs/crons/{cron_id}', 'Change a cron', {
    schemas: () => ({ body: cronPatch, responses: ok('The cron', cron), errors: ['cron-not-found'] }),
    handle: changeCron,
  }),
  route('DELETE /runs/crons/{cron_id}', 'Delete a cron', {
    schemas: () => ({ responses: { '204': { description: 'Deleted' } }, errors: ['cron-not-found'] }),
    handle: async (deployment, call) => {
      const { cron_id } = await cronOf(deployment, call, 'delete')
      deployment.crons.cancel(cron_id)
      deployment.store.crons.delete(cron_id)
      return new Response(null, { status: 204 })
    },
  }),
]

async function createCron(deployment: Deployment, call: DeploymentCall, thread_id: string | null): Promise<Response> {
  const { clock, crons, ids, store } = deployment
  const { schedule, timezone, end_time, enabled, on_run_completed, metadata, ...run } = await readBody(
    deployment,
    call,
    cronCreate,
  )
  const cron_id = ids.run()
  const payload = { ...run, schedule, thread_id, cron_id, metadata: { ...metadata } }
  await authorize(deployment, call, 'crons', 'create', payload)
  const { assistant_id } = await namedAssistant(deployment, call, run.assistant_id)
  const now = clock.now()
  const created: Cron = {
    cron_id,
    assistant_id,
    thread_id,
    user: call.caller,
    created_at: now,
    updated_at: now,
    schedule,
    timezone: timezone ?? null,
    end_time: end_time ?? null,
    enabled: enabled ?? true,
    on_run_completed: on_run_completed ?? 'delete',
    metadata: writtenMetadata(payload),
    payload: runOf(deployment, cron_id, { ...run, assistant_id, metadata }),
    next_run_date: null,
  }
  planNext(created, now)
  store.crons.add(cron_id, created)
  crons.set(created)
  return Response.json(presentCron(deployment, created))
}

/** Returns the request of each run of a cron. Throws ApiError `invalid-body`. */
function runOf({ dialect, webhookHosts }: Deployment, cron_id: string, run: JsonObject): RunCreate {
  const request = parse(dialect.requests.runCreate, run)
  checkWebhook(request.webhook, webhookHosts)
  const configurable = { ...request.config?.configurable, cron_id }
  return { ...request, config: { ...request.config, configurable } }
}

async function changeCron(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const { clock, crons } = deployment
  const { schedule, timezone, end_time, enabled, on_run_completed, metadata, ...run } = await readBody(
    deployment,
    call,
    cronPatch,
  )
  const target = await cronOf(deployment, call, 'update')
  target.payload = runOf(deployment, target.cron_id, { ...target.payload, ...run })
  target.schedule = schedule ?? target.schedule
  target.timezone = timezone ?? target.timezone
  target.end_time = end_time ?? target.end_time
  target.enabled = enabled ?? target.enabled
  target.on_run_completed = on_run_completed ?? target.on_run_completed
  target.metadata = { ...target.metadata, ...metadata }
  target.updated_at = clock.now()
  planNext(target, clock.now())
  crons.set(target)
  return Response.json(presentCron(deployment, target))
}

async function searchCrons(deployment: Deployment, call: DeploymentCall): Promise<Response> {
  const request = await readBody(deployment, call, cronSearch)
  const { sort_by } = request
  return respondWithPage(deployment.dialect, await findCrons(deployment, call, request), {
    ...request,
    keyOf: sort_by == null ? undefined : (item) => item[sort_by] ?? '',
    present: (item) => select(presentCron(deployment, item), request.select),
  })
}

async function findCrons(deployment: Deployment, call: DeploymentCall, wanted: CronFilter): Promise<Cron[]> {
  const { defaultIds, store } = deployment
  const permit = await authorize(deployment, call, 'crons', 'search', { ...wanted })
  const assistant_id =
    wanted.assistant_id == null ? undefined : (defaultIds.get(wanted.assistant_id) ?? wanted.assistant_id)
  return [...store.crons.newestFirst()].filter(
    (item) =>
      permit(item.metadata) &&
      (assistant_id === undefined || item.assistant_id === assistant_id) &&
      (wanted.thread_id == null || item.thread_id === wanted.thread_id) &&
      (wanted.enabled == null || item.enabled === wanted.enabled) &&
      (wanted.metadata == null || matches(wanted.metadata, item.metadata)),
  )
}

async function cronOf(deployment: Deployment, call: DeploymentCall, action: 'update' | 'delete'): Promise<Cron> {
  const cron_id = uuidParam(call.param('cron_id'), 'cron', deployment.dialect)
  const permit = await authorize(deployment, call, 'crons', action, { cron_id, metadata: {} })
  const found = deployment.store.crons.get(cron_id)
  if (found === undefined || !permit(found.metadata)) throw new ApiError('cron-not-found', `Cron ${cron_id} not found`)
  return found
}

function presentCron({ dialect }: Deployment, { user, payload, ...item }: Cron): JsonObject {
  const { timestamp } = dialect
  return {
    ...item,
    on_run_completed: item.thread_id === null ? item.on_run_completed : null,
    user_id: user?.identity ?? '',
    payload: {
      ...payload,
      schedule: item.schedule,
      ...(item.timezone !== null && { timezone: item.timezone }),
      ...(!item.enabled && { enabled: false }),
    },
    created_at: timestamp(item.created_at),
    updated_at: timestamp(item.updated_at),
    next_run_date: item.next_run_date === null ? null : timestamp(item.next_run_date),
  }
}
