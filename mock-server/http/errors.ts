/** What went wrong with a request, apart from the words and the status that a dialect gives it. */
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
  /** A run is to be created on a thread that does not exist. */
  | 'no-thread-to-run-on'
  | 'run-not-found'
  | 'assistant-not-found'
  /** What names the assistant of a run is neither an id nor a deployed graph. */
  | 'invalid-assistant'
  | 'graph-not-found'
  | 'version-not-found'
  | 'checkpoint-not-found'
  /** A part of the public API that this server leaves out. */
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
 * A request that is refused. The dialect turns it into a status and a body; nothing of the state has changed.
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

/** What a dialect may add to an answer: validation issues, the methods a path knows, a status that a handler chose. */
export interface ErrorDetails {
  issues?: readonly { path: readonly PropertyKey[]; message: string; code?: string }[]
  allow?: readonly string[]
  status?: number
  headers?: Record<string, string>
}
