/** The usual HTTP status of each kind of error. A dialect may have other ones, and defines the body of each. */
export const plainStatus = {
  'malformed-json': 400,
  'invalid-body': 422,
  'invalid-query': 422,
  'invalid-id': 422,
  'invalid-header': 400,
  /** A test file could not be written to the bucket of an export destination. */
  'invalid-destination': 400,
  'body-too-large': 413,
  'unsupported-media-type': 415,
  unauthorized: 401,
  forbidden: 403,
  'thread-not-found': 404,
  /** A request creates a run on an unknown thread. */
  'thread-of-new-run-not-found': 404,
  'run-not-found': 404,
  'cron-not-found': 404,
  'assistant-not-found': 404,
  /** A run's assistant is neither an id nor a deployed graph. */
  'invalid-assistant': 404,
  'graph-not-found': 404,
  'version-not-found': 404,
  'checkpoint-not-found': 404,
  /** A part of the public API that this server does not offer. */
  'not-offered': 404,
  'already-exists': 409,
  'thread-busy': 409,
  'not-found': 404,
  'route-not-found': 404,
  'method-not-allowed': 405,
  'not-implemented': 501,
}

export type ErrorKind = keyof typeof plainStatus

/** The status of every kind of error. */
export type StatusTable = Readonly<Record<ErrorKind, number>>

/**
 * The error of a refused request, which has changed nothing.
 *
 * @example throw new ApiError('thread-not-found', 'Thread 7e3… not found')
 */
export class ApiError extends Error {
  readonly kind: ErrorKind
  readonly details: ErrorDetails
  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message)
    this.name = 'ApiError'
    this.kind = kind
    this.details = details
  }
}

/** Details for the response: validation issues, the allowed methods of a path, the status of an authentication handler. */
export interface ErrorDetails {
  issues?: readonly { path: readonly PropertyKey[]; message: string; code?: string }[]
  allow?: readonly string[]
  status?: number
  headers?: Record<string, string>
}
