import type { z } from 'zod'
import type { ApiError } from '../http/errors.ts'
import type { RequestPolicy } from '../http/request.ts'
import type { RunError } from './checkpoint.ts'
import type { RunCreate, RunList } from './schemas/requests.ts'

/** The names of the dialects that the server speaks. */
export type DialectName = 'spec' | 'agent-server' | 'js-dev'

/** One consistent set of answers where the document is silent, and only there. */
export interface Dialect extends RequestPolicy {
  readonly name: DialectName
  /** Status and body of a refusal. */
  readonly errorResponse: (error: ApiError) => Response
  /** What the JSON body of a refusal holds. */
  readonly faultBody: 'detail' | 'issues'
  /** Line ending of event streams. */
  readonly lineEnding: '\n' | '\r\n'
  /** Milliseconds between heartbeat comments on an open stream; undefined sends none. */
  readonly heartbeatMs: number | undefined
  /** Headers of every event stream. */
  readonly streamHeaders: Readonly<Record<string, string>>
  /** Status shown while a run executes; the document names only `pending`. */
  readonly executingStatus: 'pending' | 'running'
  /** Whether answers that create or follow a run carry `Location` beside `Content-Location`. */
  readonly location: boolean
  /** Which events carry an `id:` line. */
  readonly eventIds: 'always' | 'resumable'
  /**
   * Who joins a stream gets what has passed: always; only when taking up a resumable stream again; or then and while the
   * run executes.
   */
  readonly replay: 'always' | 'resumed' | 'while-executing'
  /** Headers that tell where the next page of a search starts. */
  readonly paginationHeaders: (page: { offset: number; count: number; total: number }) => Record<string, string>
  /** Timestamps: `Z` with milliseconds or `+00:00` with microseconds. */
  readonly timestamp: (ms: number) => string
  /** What a slash at the end of a path means: nothing, a redirection to the path without it, or no endpoint. */
  readonly trailingSlash: 'same' | 'redirect' | 'unknown'
  readonly assistants: AssistantPolicy
  /** Which bodies and queries are accepted. */
  readonly requests: {
    readonly runCreate: z.ZodType<RunCreate>
    readonly runList: z.ZodType<RunList>
  }
  /** What takes the place of a refusal where there is no such run. */
  readonly noRun: {
    /** The error that a join answers with 2xx; undefined refuses. `isGuarded`: with custom authentication. */
    readonly join: (error: ApiError, isGuarded: boolean) => RunError | undefined
    /** The data of the one `error` event of a joined stream; undefined refuses. */
    readonly stream: (error: ApiError) => unknown
  }
}

interface AssistantPolicy {
  /** An assistant of a graph that is not deployed. */
  readonly unknownGraph: 'refused' | 'accepted'
  /** What `GET /assistants/{assistant_id}` takes: an id, or also the name of a graph for its default assistant. */
  readonly inPath: 'id' | 'id-or-name'
  /** Another user's assistant, when a run names it. */
  readonly foreign: 'hidden' | 'runnable'
}
