import type { ApiError, ErrorKind } from './errors.ts'

/**
 * Returns a JSON response with headers.
 *
 * Faster than `Response.json` on Node, which creates a `Headers` object first.
 */
export function json(body: unknown, headers: Readonly<Record<string, string>>): Response {
  return new Response(JSON.stringify(body), { headers: { ...headers, 'Content-Type': 'application/json' } })
}

/** Returns a page of the server, which loads nothing but what its content security policy allows. */
export function page(html: string, policy: string): Response {
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  })
}

/** The status of every kind of error. */
export type StatusTable = Readonly<Record<ErrorKind, number>>

/** The usual HTTP status of each kind. */
export const plainStatus: StatusTable = {
  'malformed-json': 400,
  'invalid-body': 422,
  'invalid-query': 422,
  'invalid-id': 422,
  'invalid-header': 400,
  'invalid-destination': 400,
  'body-too-large': 413,
  'unsupported-media-type': 415,
  unauthorized: 401,
  forbidden: 403,
  'thread-not-found': 404,
  'thread-of-new-run-not-found': 404,
  'run-not-found': 404,
  'cron-not-found': 404,
  'assistant-not-found': 404,
  'invalid-assistant': 404,
  'graph-not-found': 404,
  'version-not-found': 404,
  'checkpoint-not-found': 404,
  'not-offered': 404,
  'already-exists': 409,
  'thread-busy': 409,
  'not-found': 404,
  'route-not-found': 404,
  'method-not-allowed': 405,
  'not-implemented': 501,
}

/** Returns the status of the table, unless an authentication handler chose one. */
export function statusOf(error: ApiError, table: StatusTable): number {
  return error.details.status ?? table[error.kind]
}

/** Returns the headers of an error: those of the authentication handler, and `Allow`. */
export function headersOf(error: ApiError): Headers {
  const headers = new Headers(error.details.headers)
  if (error.details.allow !== undefined) headers.set('allow', error.details.allow.join(', '))
  return headers
}

/** Returns an error response with a JSON body. */
export function jsonError(error: ApiError, table: StatusTable, body: unknown): Response {
  const headers = headersOf(error)
  headers.set('content-type', 'application/json')
  return new Response(JSON.stringify(body), { status: statusOf(error, table), headers })
}

/** Returns an error as `{ detail }` with the status that HTTP has for its kind. */
export function plainError(error: ApiError): Response {
  return jsonError(error, plainStatus, { detail: error.message })
}
