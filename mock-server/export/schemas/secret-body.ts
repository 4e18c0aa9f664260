import type { z } from 'zod'
import { ApiError } from '../../http/errors.ts'
import { isObject } from '../../http/fields.ts'
import { type BodyLimits, parse, readJsonBody } from '../../http/request.ts'

/**
 * Reads and validates a request body that may have credentials.
 *
 * Throws ApiError like `readJsonBody` and `parse`, but the message never repeats a value that may be a credential.
 */
export async function readSecretBody<T>(request: Request, schema: z.ZodType<T>, limits: BodyLimits): Promise<T> {
  const body = await readJsonBody(request, limits).catch((error: unknown) => {
    if (error instanceof ApiError && error.kind === 'malformed-json') throw withoutText(error)
    throw error
  })
  const result = schema.safeParse(body)
  return result.success ? result.data : parse(schema, withoutSecrets(body))
}

/** Removes the excerpt of the body that the JSON parser adds to its message. */
function withoutText(error: ApiError): ApiError {
  const [position = ''] = / at position \d+/.exec(error.message) ?? []
  return new ApiError('malformed-json', `The body is not valid JSON${position}`)
}

/** Returns the body, invalid in the same places, with masked credentials and endpoint addresses that have a password. */
function withoutSecrets(body: unknown): unknown {
  if (!isObject(body)) return body
  const { credentials, config } = body
  return {
    ...body,
    ...('credentials' in body && { credentials: mask(credentials) }),
    ...(isObject(config) && { config: { ...config, endpoint_url: maskAddress(config['endpoint_url']) } }),
  }
}

// Keeps the length, so that values that are too long still are.
function mask(value: unknown): unknown {
  if (typeof value === 'string') return '*'.repeat(value.length)
  if (typeof value === 'number') return 0
  if (Array.isArray(value)) return value.map(mask)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mask(part)])) : value
}

function maskAddress(value: unknown): unknown {
  return typeof value === 'string' && value.includes('@') ? mask(value) : value
}
