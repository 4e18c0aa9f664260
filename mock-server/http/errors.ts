/** The kinds of errors. A dialect defines the status and the body of each. */
export type ErrorKind =
  | 'malformed-json'
  | 'invalid-body'
  | 'invalid-query'
  | 'invalid-id'
  | 'invalid-header'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'unauthorized'
  | 'forbidden'
  | 'thread-not-found'
  /** A request creates a run on an unknown thread. */
  | 'thread-of-new-run-not-found'
  | 'run-not-found'
  | 'cron-not-found'
  | 'assistant-not-found'
  /** A run's assistant is neither an id nor a deployed graph. */
  | 'invalid-assistant'
  | 'graph-not-found'
  | 'version-not-found'
  | 'checkpoint-not-found'
  /** A part of the public API that this server does not offer. */
  | 'not-offered'
  | 'already-exists'
  | 'thread-busy'
  /** A test file could not be written to the bucket of an export destination. */
  | 'invalid-destination'
  | 'not-found'
  | 'route-not-found'
  | 'method-not-allowed'
  | 'not-implemented'

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
