import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { ApiError, type ErrorKind } from '../../http/errors.ts'
import type { Dialect } from '../dialect.ts'

/** An endpoint as it is to be described. */
interface Endpoint {
  readonly summary: string
  /** The answers that are no refusals, by status. */
  readonly answers: Readonly<Record<`${number}`, ZodOpenApiResponseObject>>
  readonly path?: z.ZodObject
  readonly query?: z.ZodType
  readonly header?: z.ZodObject
  readonly body?: z.ZodType
  /** What it is refused for beside what every request of its form can be. */
  readonly refusals?: readonly ErrorKind[]
}

/** Describes an endpoint in the words of OpenAPI 3.1. */
export type Describe = (endpoint: Endpoint) => ZodOpenApiOperationObject

const OF_ACCESS: readonly ErrorKind[] = ['unauthorized', 'forbidden']
const OF_BODY: readonly ErrorKind[] = ['malformed-json', 'invalid-body', 'body-too-large', 'unsupported-media-type']

/** Describes endpoints with the refusals of a dialect. */
export function describer(dialect: Dialect): Describe {
  return ({ summary, answers, path, query, header, body, refusals = [] }) => {
    const kinds: ErrorKind[] = [
      ...OF_ACCESS,
      ...(body === undefined ? [] : OF_BODY),
      ...(path === undefined ? [] : (['invalid-id'] as const)),
      ...(query === undefined ? [] : (['invalid-query'] as const)),
      ...refusals,
    ]
    return {
      summary,
      requestParams: {
        ...(path && { path }),
        ...(query && { query: query as z.ZodObject }),
        ...(header && { header }),
      },
      ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
      responses: { ...answers, ...refused(dialect, kinds) },
    }
  }
}

const detail = z.object({ detail: z.string() }).meta({ id: 'Refusal' })
const issues = z
  .object({
    success: z.literal(false),
    error: z.object({ name: z.literal('ZodError'), issues: z.array(z.looseObject({ message: z.string() })) }),
  })
  .meta({ id: 'Issues' })

/** The refusals of a dialect by their status: each kind answers as the dialect would. */
function refused(dialect: Dialect, kinds: readonly ErrorKind[]): Record<`${number}`, ZodOpenApiResponseObject> {
  const table: Record<`${number}`, { description: string; content: Record<string, { schema: z.ZodType }> }> = {}
  for (const kind of kinds) {
    const { status, headers } = dialect.errorResponse(new ApiError(kind, ''))
    const form = (headers.get('content-type') ?? '').split(';')[0] ?? ''
    const schema = form === 'application/json' ? (dialect.faultBody === 'issues' ? issues : detail) : z.string()
    const known = table[`${status}`]
    const words = kind.replaceAll('-', ' ')
    table[`${status}`] = {
      description: known === undefined ? `Refused: ${words}` : `${known.description}, ${words}`,
      content: { ...known?.content, [form]: { schema } },
    }
  }
  return table
}

/** An answer in JSON. */
export function json(description: string, schema: z.ZodType): ZodOpenApiResponseObject {
  return { description, content: { 'application/json': { schema } } }
}

/** An answer without a body. */
export function nothing(description: string): ZodOpenApiResponseObject {
  return { description }
}

export const events: ZodOpenApiResponseObject = {
  description: 'Server-sent events; the first one of a run is `metadata` with the `run_id`',
  content: { 'text/event-stream': { schema: z.string() } },
}

/** What a run leaves. */
export const outcome: ZodOpenApiResponseObject = json(
  'The values that the run left; `__error__` where it failed, `__interrupt__` where it waits for an answer',
  z.looseObject({}),
)
