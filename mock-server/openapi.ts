import { z } from 'zod'
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi'
import type { Dialect } from './deployment/dialect.ts'
import { assistantPaths } from './deployment/openapi/assistants.ts'
import { describer, json } from './deployment/openapi/describe.ts'
import { runPaths } from './deployment/openapi/runs.ts'
import { threadPaths } from './deployment/openapi/threads.ts'
import { exportPaths } from './export/openapi.ts'

/** The OpenAPI 3.1 description of both APIs as a dialect answers, from the schemas that validate their requests. */
export function openApiDocument(dialect: Dialect): unknown {
  const describe = describer(dialect)
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Agent deployment and bulk export API', version: '1' },
    paths: {
      ...threadPaths(describe),
      ...runPaths(describe, dialect),
      ...assistantPaths(describe, dialect),
      ...servicePaths,
      ...exportPaths,
    },
  })
}

const servicePaths: ZodOpenApiPathsObject = {
  '/ok': {
    get: {
      summary: 'Whether the service is up',
      responses: { '200': json('It is', z.object({ ok: z.literal(true) })) },
    },
  },
  '/info': {
    get: {
      summary: 'What is deployed',
      responses: {
        '200': json(
          'The service',
          z.looseObject({ service: z.string(), dialect: z.string(), graphs: z.array(z.string()) }),
        ),
      },
    },
  },
  '/openapi.json': {
    get: {
      summary: 'This description',
      responses: { '200': json('OpenAPI 3.1', z.looseObject({ openapi: z.string() })) },
    },
  },
}
