import { z } from 'zod'
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi'
import { exportPaths } from '../export/openapi.ts'
import { assistant, run, thread, threadState } from './schemas/answers.ts'
import { assistantCreate, assistantSearch } from './schemas/assistant-requests.ts'
import { queryLimit, queryOffset, RUN_STATUSES, uuid } from './schemas/fields.ts'
import { runCreate, threadCreate } from './schemas/requests.ts'

const threadPath = z.object({ thread_id: uuid })
const runPath = z.object({ thread_id: uuid, run_id: uuid })
const page = { limit: queryLimit.optional(), offset: queryOffset.optional() }
const runPage = z.object({ ...page, status: z.enum(RUN_STATUSES).optional() })

/** The OpenAPI 3.1 description of both APIs, from the schemas that validate their requests. */
export function openApiDocument(): unknown {
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Agent deployment and bulk export API', version: '1' },
    paths: {
      '/threads': {
        post: operation('Create a thread', json('The thread', thread), { requestBody: body(threadCreate) }),
        get: operation('List threads', json('Threads, newest first', z.array(thread)), {
          requestParams: { query: z.object(page) },
        }),
      },
      '/threads/{thread_id}/runs': {
        post: operation('Start a run in the background', json('The run', run), {
          requestParams: { path: threadPath },
          requestBody: body(runCreate),
        }),
        get: operation('List the runs of a thread', json('Runs, newest first', z.array(run)), {
          requestParams: { path: threadPath, query: runPage },
        }),
      },
      '/threads/{thread_id}/runs/stream': {
        post: operation('Start a run and stream its events', events, {
          requestParams: { path: threadPath },
          requestBody: body(runCreate),
        }),
      },
      '/threads/{thread_id}/runs/{run_id}': {
        get: operation('Read a run', json('The run', run), { requestParams: { path: runPath } }),
      },
      '/threads/{thread_id}/runs/{run_id}/join': {
        get: operation(
          'Wait until a run has finished',
          json('The values that the run left; `__error__` where it failed', z.looseObject({})),
          {
            requestParams: { path: runPath },
          },
        ),
      },
      '/threads/{thread_id}/runs/{run_id}/stream': {
        get: operation('Follow the events of a run', events, {
          requestParams: { path: runPath, header: z.object({ 'Last-Event-ID': z.string().optional() }) },
        }),
      },
      '/threads/{thread_id}/state': {
        get: operation('Read the state of a thread', json('The state', threadState), {
          requestParams: { path: threadPath },
        }),
      },
      '/assistants': {
        post: operation('Create an assistant', json('The assistant', assistant), {
          requestBody: body(assistantCreate),
        }),
      },
      '/assistants/search': {
        post: operation('Search assistants', json('Assistants, newest first', z.array(assistant)), {
          requestBody: body(assistantSearch),
        }),
      },
      '/assistants/{assistant_id}': {
        get: operation('Read an assistant', json('The assistant', assistant), {
          requestParams: { path: z.object({ assistant_id: uuid }) },
        }),
      },
      ...exportPaths,
    },
  })
}

const events: ZodOpenApiResponseObject = {
  description: 'Server-sent events; the first one is `metadata` with the `run_id`',
  content: { 'text/event-stream': { schema: { type: 'string' } } },
}

function operation(
  summary: string,
  success: ZodOpenApiResponseObject,
  request: Pick<ZodOpenApiOperationObject, 'requestBody' | 'requestParams'>,
): ZodOpenApiOperationObject {
  const refused = { description: 'Refused; status and form depend on the dialect' }
  return { summary, ...request, responses: { '200': success, '4XX': refused } }
}

function body(schema: z.ZodType): NonNullable<ZodOpenApiOperationObject['requestBody']> {
  return { required: true, content: { 'application/json': { schema } } }
}

function json(description: string, schema: z.ZodType): ZodOpenApiResponseObject {
  return { description, content: { 'application/json': { schema } } }
}
