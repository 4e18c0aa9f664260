import type { z } from 'zod'
import { preview } from '../runtime/preview.ts'
import { concat } from './bytes.ts'
import { ApiError, type ErrorKind } from './errors.ts'
import { findProtoKey, nestsDeeperThan } from './nesting.ts'
import { describeIssues } from './validation.ts'

/** Limits of a request's body. */
export interface BodyLimits {
  /** The maximum number of bytes. */
  readonly maxBytes: number
  /** The maximum depth of nested arrays and objects. */
  readonly maxDepth: number
}

const JSON_TYPE = /^\s*(?:application\/(?:[\w.+-]+\+)?json|text\/json|text\/plain)\s*(?:;|$)/i
const utf8 = new TextDecoder('utf-8', { fatal: true })
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Limits of the server. */
export interface ServerLimits extends BodyLimits {
  /** The number of events that a reader of a stream may be behind before the stream ends. */
  readonly maxEventsBehind: number
}

/** How the parts of a request are read where the specification says nothing. */
export interface RequestPolicy {
  /** Whether a request without a body is malformed JSON or an empty object. */
  readonly emptyBody: 'malformed' | 'object'
  /** Whether ids in upper case equal those in lower case. */
  readonly idCase: 'folded' | 'kept'
}

/**
 * Reads the JSON value of a request's body.
 *
 * Throws ApiError: `unsupported-media-type`, `body-too-large`, `malformed-json`, `invalid-body` (too deep, or a key `__proto__`).
 */
export async function readJsonBody(
  request: Request,
  limits: BodyLimits,
  { emptyBody }: Pick<RequestPolicy, 'emptyBody'> = { emptyBody: 'malformed' },
): Promise<unknown> {
  const type = request.headers.get('content-type')
  if (type !== null && type !== 'application/json' && !JSON_TYPE.test(type)) {
    throw new ApiError('unsupported-media-type', `The content type is ${preview(type)}; send application/json`)
  }
  const text = await readText(request, limits.maxBytes)
  if (text === '' && emptyBody === 'object') return {}
  if (nestsDeeperThan(limits.maxDepth, text)) {
    throw new ApiError('invalid-body', `The body nests deeper than ${limits.maxDepth} levels`)
  }
  const value = parseJson(text)
  const protoKey = findProtoKey(text, value)
  if (protoKey !== undefined)
    throw new ApiError('invalid-body', `The key ${preview(protoKey)} is not allowed; leave it out`)
  return value
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > maxBytes) throw tooLarge(maxBytes)
  try {
    if (declared === null) return decode(await countBytes(request, maxBytes))
    // The HTTP server enforces a declared length, so the body can be read at once. Reading text avoids a copy
    // of the bytes.
    const text = await request.text()
    if (text.length > maxBytes) throw tooLarge(maxBytes)
    if (hasReplacements(text, Number(declared))) throw notUtf8()
    return text
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('malformed-json', 'The body broke off before its end')
  }
}

/** Whether a text has replacement characters for invalid UTF-8: it is then longer than the bytes of the body. */
function hasReplacements(text: string, bytes: number): boolean {
  return text.includes('\uFFFD') && new TextEncoder().encode(text).byteLength > bytes
}

async function countBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    size += part.value.byteLength
    if (size > maxBytes) {
      await reader?.cancel()
      throw tooLarge(maxBytes)
    }
    chunks.push(part.value)
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : concat(...chunks)
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('body-too-large', `The body is larger than ${maxBytes} bytes`)
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw notUtf8()
  }
}

function notUtf8(): ApiError {
  return new ApiError('malformed-json', 'The body is not valid UTF-8')
}

function parseJson(text: string): unknown {
  if (text === '') throw new ApiError('malformed-json', 'The body is empty; send a JSON object, {} at least')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ApiError(
      'malformed-json',
      `The body is not valid JSON: ${error instanceof Error ? error.message : error}`,
    )
  }
}

/** Reads and validates the body of a call. Throws ApiError like `readJsonBody` and `parse`. */
export async function readBody<T>(
  { limits, dialect }: { readonly limits: BodyLimits; readonly dialect: RequestPolicy },
  { request }: { readonly request: Request },
  schema: z.ZodType<T>,
): Promise<T> {
  return parse(schema, await readJsonBody(request, limits, dialect))
}

/**
 * Validates a value. Unknown fields are dropped.
 *
 * Throws ApiError of the given kind; the message names each invalid field with the expected and the received value.
 */
export function parse<T>(
  schema: z.ZodType<T>,
  value: unknown,
  kind: Extract<ErrorKind, 'invalid-body' | 'invalid-query'> = 'invalid-body',
): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = describeIssues(result.error.issues, value, kind === 'invalid-query' ? 'The query' : 'The body')
  throw new ApiError(kind, issues.map((issue) => issue.sentence).join('; '), {
    issues: issues.map(({ path, message, code }) => ({ path, message, code })),
  })
}

/** Validates a UUID in a path, and converts it to lower case unless ids keep their case. Throws ApiError `invalid-id`. */
export function uuidParam(
  value: string,
  what: 'thread' | 'run' | 'assistant' | 'cron',
  { idCase }: Pick<RequestPolicy, 'idCase'>,
): string {
  if (isUuid(value)) return idCase === 'folded' ? value.toLowerCase() : value
  throw new ApiError('invalid-id', `The ${what} id in the path is ${preview(value)}; expected a UUID`)
}

/** Whether a text has the form of a UUID, of any version and case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
