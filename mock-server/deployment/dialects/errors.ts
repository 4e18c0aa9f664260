import type { ApiError, ErrorKind } from '../errors.ts'

/** The status of every kind of refusal. */
export type StatusTable = Readonly<Record<ErrorKind, number>>

/** The table's status, unless an authentication handler chose one. */
export function statusOf(error: ApiError, table: StatusTable): number {
  return error.details.status ?? table[error.kind]
}

/** Headers that a refusal carries beside its body: those of the handler, and the methods that a path knows. */
export function headersOf(error: ApiError): Headers {
  const headers = new Headers(error.details.headers)
  if (error.details.allow !== undefined) headers.set('allow', error.details.allow.join(', '))
  return headers
}

/** A refusal with a JSON body. */
export function jsonError(error: ApiError, table: StatusTable, body: unknown): Response {
  const headers = headersOf(error)
  headers.set('content-type', 'application/json')
  return new Response(JSON.stringify(body), { status: statusOf(error, table), headers })
}
