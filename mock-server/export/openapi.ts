import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { uuid } from '../http/fields.ts'
import { destinationCreate, destinationUpdate } from './schemas/destination.ts'
import { exportCreate, exportUpdate } from './schemas/export.ts'
import { bulkExport, destination, exportRun } from './schemas/responses.ts'

const header = z.object({ 'X-API-Key': z.string(), 'X-Tenant-Id': uuid })
const exportPath = z.object({ export_id: uuid })
const runPath = z.object({ export_id: uuid, run_id: uuid })
const destinationPath = z.object({ destination_id: uuid })
const page = z.object({ limit: z.int().min(1).max(1000).optional(), offset: z.int().min(0).optional() })

/** The paths of the bulk export API as OpenAPI 3.1 describes them, from the schemas that validate its requests. */
export const exportPaths: ZodOpenApiPathsObject = {
  '/api/v1/bulk-exports': {
    post: operation('Create an export', bulkExport, {}, exportCreate),
    get: operation('List exports, newest first', z.array(bulkExport), { query: page }),
  },
  '/api/v1/bulk-exports/destinations': {
    post: operation('Register a destination', destination, {}, destinationCreate),
    get: operation('List destinations, newest first', z.array(destination), { query: page }),
  },
  '/api/v1/bulk-exports/destinations/{destination_id}': {
    get: operation('Read a destination', destination, { path: destinationPath }),
    patch: operation('Replace its credentials', destination, { path: destinationPath }, destinationUpdate),
  },
  '/api/v1/bulk-exports/runs': {
    get: operation('List the runs of what a schedule has spawned', z.array(exportRun), {
      query: page.extend({ source_bulk_export_id: uuid }),
    }),
  },
  '/api/v1/bulk-exports/{export_id}': {
    get: operation('Read an export', bulkExport, { path: exportPath }),
    patch: operation('Cancel an export', bulkExport, { path: exportPath }, exportUpdate),
  },
  '/api/v1/bulk-exports/{export_id}/runs': {
    get: operation('List the runs of an export', z.array(exportRun), { path: exportPath, query: page }),
  },
  '/api/v1/bulk-exports/{export_id}/runs/{run_id}': {
    get: operation('Read a run of an export', exportRun, { path: runPath }),
  },
}

function operation(
  summary: string,
  answer: z.ZodType,
  params: Omit<NonNullable<ZodOpenApiOperationObject['requestParams']>, 'header'>,
  body?: z.ZodType,
): ZodOpenApiOperationObject {
  return {
    summary,
    requestParams: { ...params, header },
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      '200': { description: summary, content: { 'application/json': { schema: answer } } },
      '4XX': {
        description: 'Refused',
        content: { 'application/json': { schema: z.object({ detail: z.string() }) } },
      },
    },
  }
}
