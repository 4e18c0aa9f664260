import { createDocument } from 'zod-openapi'
import type { Dialect } from './deployment/dialect.ts'
import { deploymentPaths } from './deployment/openapi.ts'
import { exportPaths } from './export/openapi.ts'

/** Returns the OpenAPI 3.1 description of both APIs for a dialect, derived from their routes. */
export function openApiDocument(dialect: Dialect): unknown {
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Agent deployment and bulk export API', version: '1' },
    paths: { ...deploymentPaths(dialect), ...exportPaths() },
  })
}
