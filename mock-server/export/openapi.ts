import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { uuid } from '../http/fields.ts'
import { describePaths, pathParameters } from '../http/route.ts'
import { BASE_PATH, type ExportEndpoint, exportEndpoints } from './endpoints.ts'
import { TEST_KEYS } from './keys.ts'

const [{ key = '', tenants: [tenant] = [] } = {}] = TEST_KEYS
const header = z.object({
  'X-API-Key': z.string().describe(`For example ${key}, if the server has its default keys`),
  'X-Tenant-Id': uuid.describe(`For this key, ${tenant}`),
})

/** Describes the paths of bulk data export. */
export function exportPaths(): ZodOpenApiPathsObject {
  return describePaths(Object.values(exportEndpoints), describe)
}

const credentials = { access_key_id: 'AKIAEXAMPLE', secret_access_key: 'the secret of this key' }

/** An example of each request body, by endpoint. */
const bodyExamples: Readonly<Record<string, object>> = {
  [`POST ${BASE_PATH}`]: {
    bulk_export_destination_id: '0199d3c0-6f1e-7a40-8c55-0242ac120005',
    session_id: '0199d3c0-6f1e-7a40-8c55-0242ac120006',
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2026-01-02T00:00:00Z',
  },
  [`PATCH ${BASE_PATH}/{export_id}`]: { status: 'Cancelled' },
  [`POST ${BASE_PATH}/destinations`]: {
    destination_type: 's3',
    display_name: 'Archive',
    config: { bucket_name: 'archive', prefix: 'runs', region: 'eu-central-1' },
    credentials,
  },
  [`PATCH ${BASE_PATH}/destinations/{destination_id}`]: { credentials },
}

function describe({ method, path, summary, schemas }: ExportEndpoint): ZodOpenApiOperationObject {
  const { query, body, responses } = schemas()
  const parameters = pathParameters(path)
  return {
    tags: ['Bulk exports'],
    summary,
    requestParams: { ...(parameters && { path: parameters }), ...(query && { query: query as z.ZodObject }), header },
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: body, example: bodyExamples[`${method} ${path}`] } },
      },
    }),
    responses: {
      ...responses,
      '4XX': {
        description: 'Refused',
        content: { 'application/json': { schema: z.object({ detail: z.string() }) } },
      },
    },
  }
}
