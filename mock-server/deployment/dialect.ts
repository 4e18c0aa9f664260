import type { ApiError } from './errors.ts'

/** The names of the dialects that the server speaks. */
export type DialectName = 'document' | 'agent-server' | 'js-dev'

/** One consistent set of answers where the document is silent, and only there. */
export interface Dialect {
  readonly name: DialectName
  /** Status and body of a refusal. */
  readonly errorResponse: (error: ApiError) => Response
  /** Line ending of event streams. */
  readonly lineEnding: '\n' | '\r\n'
  /** Milliseconds between heartbeat comments on an open stream; undefined sends none. */
  readonly heartbeatMs: number | undefined
  /** Status shown while a run executes; the document names only `pending`. */
  readonly executingStatus: 'pending' | 'running'
  /** Whether answers that create or follow a run carry `Location` beside `Content-Location`. */
  readonly location: boolean
  /** Which events carry an `id:` line. */
  readonly eventIds: 'always' | 'resumable'
  /** Who joins a stream gets what has passed: always, or only when taking up a resumable stream again. */
  readonly replay: 'always' | 'resumed'
  /** Headers that tell where the next page of a search starts. */
  readonly paginationHeaders: (page: { offset: number; count: number; total: number }) => Record<string, string>
  /** Timestamps: `Z` with milliseconds or `+00:00` with microseconds. */
  readonly timestamp: (ms: number) => string
}
