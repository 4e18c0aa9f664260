import type { z } from 'zod'
import { ApiError, type ErrorKind } from './errors.ts'
import { findProtoKey, nestsDeeperThan } from './nesting.ts'
import { describeIssues } from './validation.ts'

/** How large and how deep a body may be. */
export interface BodyLimits {
  /** Bytes of the body. */
  readonly maxBytes: number
  /** Arrays and objects inside each other. */
  readonly maxDepth: number
}

const JSON_TYPE = /^\s*(?:application\/(?:[\w.+-]+\+)?json|text\/json|text\/plain)\s*(?:;|$)/i
const utf8 = new TextDecoder('utf-8', { fatal: true })
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What the server allows at most. */
export interface ServerLimits extends BodyLimits {
  /** Events that may happen in a run while a reader of its stream takes none; the stream is ended then. */
  readonly maxEventsBehind: number
}

/** How the parts of a request are read where the specification is silent. */
export interface RequestPolicy {
  /** What a request without a body is taken for: malformed JSON, or an empty object. */
  readonly emptyBody: 'malformed' | 'object'
  /** Whether ids in upper case are those in lower case. */
  readonly idCase: 'folded' | 'kept'
}

/**
 * The JSON value of a request's body.
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
    // With a declared length the HTTP server lets no more than that through, so the body can be taken at once; as a text,
    // since bytes would be copied first.
    const text = await request.text()
    if (text.length > maxBytes) throw tooLarge(maxBytes)
    if (hasReplacements(text, Number(declared))) throw notUtf8()
    return text
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('malformed-json', 'The body broke off before its end')
  }
}

/** Whether a text is longer than the bytes from which it was decoded: replacement characters stand for bytes that are no UTF-8. */
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
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0]
  const whole = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.byteLength
  }
  return whole
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

/** The body of a call as the schema describes it. Throws ApiError as `readJsonBody` and `parse`. */
export async function readBody<T>(
  { limits, dialect }: { readonly limits: BodyLimits; readonly dialect: RequestPolicy },
  { request }: { readonly request: Request },
  schema: z.ZodType<T>,
): Promise<T> {
  return parse(schema, await readJsonBody(request, limits, dialect))
}

/**
 * The value as the schema describes it; fields that the schema does not know are dropped.
 *
 * Throws ApiError of the given kind, whose message names each field that is wrong, what came and what was expected.
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

/** The UUID of a path, in lower case unless the dialect tells the cases apart. Throws ApiError `invalid-id`. */
export function uuidParam(
  value: string,
  what: 'thread' | 'run' | 'assistant',
  { idCase }: Pick<RequestPolicy, 'idCase'>,
): string {
  if (isUuid(value)) return idCase === 'folded' ? value.toLowerCase() : value
  throw new ApiError('invalid-id', `The ${what} id in the path is ${preview(value)}; expected a UUID`)
}

/** Whether a text has the form of a UUID, of whatever version and in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

function preview(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
