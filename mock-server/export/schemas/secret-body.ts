import type { z } from 'zod'
import { ApiError } from '../../http/errors.ts'
import { type BodyLimits, parse, readJsonBody } from '../../http/request.ts'

/**
 * The body of a request that may hold credentials, as the schema describes it.
 *
 * Throws ApiError as `readJsonBody` and `parse` do, but its words never repeat what a credential may stand in.
 */
export async function readSecretBody<T>(request: Request, schema: z.ZodType<T>, limits: BodyLimits): Promise<T> {
  const body = await readJsonBody(request, limits).catch((error: unknown) => {
    if (error instanceof ApiError && error.kind === 'malformed-json') throw withoutText(error)
    throw error
  })
  const result = schema.safeParse(body)
  return result.success ? result.data : parse(schema, hidden(body))
}

/** The parser's words show a part of the text. */
function withoutText(error: ApiError): ApiError {
  const [where = ''] = / at position \d+/.exec(error.message) ?? []
  return new ApiError('malformed-json', `The body is not valid JSON${where}`)
}

/** The same body, wrong in the same places, with every text in `credentials` and in an address with a password hidden. */
function hidden(body: unknown): unknown {
  if (!isObject(body)) return body
  const { credentials, config } = body
  return {
    ...body,
    ...('credentials' in body && { credentials: hide(credentials) }),
    ...(isObject(config) && { config: { ...config, endpoint_url: hideAddress(config['endpoint_url']) } }),
  }
}

// As long as what it stands for, so that it is too long where that was.
function hide(value: unknown): unknown {
  if (typeof value === 'string') return '*'.repeat(value.length)
  if (typeof value === 'number') return 0
  if (Array.isArray(value)) return value.map(hide)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, hide(part)])) : value
}

function hideAddress(value: unknown): unknown {
  return typeof value === 'string' && value.includes('@') ? hide(value) : value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
