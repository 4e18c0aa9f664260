import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { ApiError, type ErrorKind } from '../http/errors.ts'
import { describePaths, pathParameters } from '../http/route.ts'
import type { DeploymentRoute } from './deployment.ts'
import type { Dialect } from './dialect.ts'
import { bodyExamples } from './examples.ts'
import { protectedRoutesByTag, publicRoutes } from './routes/index.ts'

/** Describes the paths of the LangGraph Server API, with the error responses of a dialect. */
export function deploymentPaths(dialect: Dialect): ZodOpenApiPathsObject {
  return {
    ...describePaths(
      Object.entries(protectedRoutesByTag).flatMap(([tag, routes]) => routes.map((route) => ({ ...route, tag }))),
      ({ tag, ...route }) => ({ tags: [tag], ...describeProtected(route, dialect) }),
    ),
    ...describePaths(publicRoutes, (route) => {
      const { responses } = route.schemas(dialect)
      return { tags: ['Service'], summary: route.summary, responses }
    }),
  }
}

const ACCESS_ERRORS: readonly ErrorKind[] = ['unauthorized', 'forbidden']
const BODY_ERRORS: readonly ErrorKind[] = ['malformed-json', 'invalid-body', 'body-too-large', 'unsupported-media-type']

// The only path in which every dialect accepts the name of a graph.
const GRAPH_PATH = '/assistants/{assistant_id}/graph'

function describeProtected(
  { method, path, summary, schemas }: DeploymentRoute,
  dialect: Dialect,
): ZodOpenApiOperationObject {
  const { query, header, body, responses, errors = [] } = schemas(dialect)
  const parameters = pathParameters(path, {
    checkpoint_id: z.string(),
    namespace: z.string(),
    ...((dialect.assistants.inPath !== 'id' || path === GRAPH_PATH) && { assistant_id: z.string() }),
  })
  const kinds: ErrorKind[] = [
    ...ACCESS_ERRORS,
    ...(body === undefined ? [] : BODY_ERRORS),
    ...(parameters === undefined ? [] : (['invalid-id'] as const)),
    ...(query === undefined ? [] : (['invalid-query'] as const)),
    ...errors,
  ]
  return {
    summary,
    requestParams: {
      ...(parameters && { path: parameters }),
      ...(query && { query: query as z.ZodObject }),
      ...(header && { header }),
    },
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: body, example: bodyExamples[`${method} ${path}`] } },
      },
    }),
    responses: { ...responses, ...errorResponses(dialect, kinds) },
  }
}

const detail = z.object({ detail: z.string() }).meta({ id: 'Refusal' })
const issues = z
  .object({
    success: z.literal(false),
    error: z.object({ name: z.literal('ZodError'), issues: z.array(z.looseObject({ message: z.string() })) }),
  })
  .meta({ id: 'Issues' })

/** Describes the responses of a dialect to these kinds of errors, by status. */
function errorResponses(dialect: Dialect, kinds: readonly ErrorKind[]): Record<`${number}`, ZodOpenApiResponseObject> {
  const byStatus: Record<`${number}`, { description: string; content: Record<string, { schema: z.ZodType }> }> = {}
  for (const kind of kinds) {
    const { status, headers } = dialect.errorResponse(new ApiError(kind, ''))
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
    const schema = type === 'application/json' ? (dialect.faultBody === 'issues' ? issues : detail) : z.string()
    const existing = byStatus[`${status}`]
    const name = kind.replaceAll('-', ' ')
    byStatus[`${status}`] = {
      description: existing === undefined ? `Refused: ${name}` : `${existing.description}, ${name}`,
      content: { ...existing?.content, [type]: { schema } },
    }
  }
  return byStatus
}
