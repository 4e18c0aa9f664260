import type { z } from 'zod'
import type { ApiError } from '../http/errors.ts'
import type { RequestPolicy } from '../http/request.ts'
import type { RunError } from './checkpoint.ts'
import type { ProtocolDialect } from './protocol/protocol-dialect.ts'
import type { RunCreate, RunList } from './schemas/requests.ts'
import type { WebhookHosts } from './webhooks/hosts.ts'

/** The names of the dialects. */
export const dialectNames = ['spec', 'agent-server', 'js-dev'] as const

export type DialectName = (typeof dialectNames)[number]

/** The behavior of a server where the specification says nothing. */
export interface Dialect extends RequestPolicy {
  readonly name: DialectName
  /** Returns the response to an error. */
  readonly errorResponse: (error: ApiError) => Response
  /** The content of the JSON body of an error. */
  readonly faultBody: 'detail' | 'issues'
  /** Line ending of event streams. */
  readonly lineEnding: '\n' | '\r\n'
  /** Milliseconds between heartbeat comments on an open stream; undefined sends none. */
  readonly heartbeatMs: number | undefined
  /** Headers of every event stream. */
  readonly streamHeaders: Readonly<Record<string, string>>
  /** The status of an executing run. The specification mentions only `pending`. */
  readonly executingStatus: 'pending' | 'running'
  /** Whether responses that create or follow a run have `Location` in addition to `Content-Location`. */
  readonly location: boolean
  /** Which events carry an `id:` line. */
  readonly eventIds: 'always' | 'resumable'
  /**
   * When a reader that joins a stream gets earlier events: always, only when it resumes a resumable stream, or also while
   * the run executes.
   */
  readonly replay: 'always' | 'resumed' | 'while-executing'
  /** Returns the headers with the start of the next page. */
  readonly paginationHeaders: (page: { offset: number; count: number; total: number }) => Record<string, string>
  /** Timestamps: `Z` with milliseconds or `+00:00` with microseconds. */
  readonly timestamp: (ms: number) => string
  /** How a slash at the end of a path is handled: ignored, redirected to the path without it, or as an unknown path. */
  readonly trailingSlash: 'same' | 'redirect' | 'unknown'
  readonly assistants: AssistantPolicy
  /** Which bodies and queries are accepted. */
  readonly requests: {
    readonly runCreate: z.ZodType<RunCreate>
    readonly runList: z.ZodType<RunList>
  }
  /** The second stream protocol. */
  readonly protocol: ProtocolDialect
  readonly webhooks: {
    /** The hosts that webhooks may name by default. */
    readonly hosts: WebhookHosts
    readonly contentType: string
    /** The attempts to deliver a webhook that has no response, or a temporary error as response. */
    readonly attempts: number
  }
  /** The responses for an unknown run. */
  readonly noRun: {
    /** Returns the error that a join responds with status 200; undefined for an error status. */
    readonly join: (error: ApiError, isGuarded: boolean) => RunError | undefined
    /** Returns the data of the `error` event of a joined stream; undefined for an error status. */
    readonly stream: (error: ApiError) => unknown
  }
}

interface AssistantPolicy {
  /** An assistant of a graph that is not deployed. */
  readonly unknownGraph: 'refused' | 'accepted'
  /** Whether `assistant_id` in a path can also be the name of a graph, for its default assistant. */
  readonly inPath: 'id' | 'id-or-name'
  /** Whether a run can use another user's assistant. */
  readonly foreign: 'hidden' | 'runnable'
}
