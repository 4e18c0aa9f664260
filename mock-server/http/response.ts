import { type ApiError, plainStatus, type StatusTable } from './errors.ts'

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
