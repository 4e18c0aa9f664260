import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { uuid } from '../http/fields.ts'
import { describePaths, pathParameters } from '../http/route.ts'
import { type ExportEndpoint, exportEndpoints } from './endpoints.ts'

const header = z.object({ 'X-API-Key': z.string(), 'X-Tenant-Id': uuid })

/** Describes the paths of bulk data export. */
export function exportPaths(): ZodOpenApiPathsObject {
  return describePaths(Object.values(exportEndpoints), describe)
}

function describe({ path, summary, schemas }: ExportEndpoint): ZodOpenApiOperationObject {
  const { query, body, responses } = schemas()
  const parameters = pathParameters(path)
  return {
    summary,
    requestParams: { ...(parameters && { path: parameters }), ...(query && { query: query as z.ZodObject }), header },
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: {
      ...responses,
      '4XX': {
        description: 'Refused',
        content: { 'application/json': { schema: z.object({ detail: z.string() }) } },
      },
    },
  }
}
