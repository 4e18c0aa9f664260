import { z } from 'zod'
import { strictObject } from '../http/validation.ts'

/** The recorded session of a client, as `touchstone record` writes it. Without secrets. */
export interface Recording {
  /** The URL of the recorded server. */
  readonly target: string
  /** When the recording started, in ISO 8601. */
  readonly startedAt: string
  /** In the order of the requests. */
  readonly exchanges: readonly RecordedExchange[]
}

/** A recorded request and its response. Times are milliseconds. */
export interface RecordedExchange {
  /** From the start of the recording to the request. */
  readonly atMs: number
  readonly request: RecordedRequest
  /** Absent if the connection ended before the response. */
  readonly response?: RecordedResponse
  /** From the request to the end of the response. */
  readonly tookMs: number
  /** Why the exchange ended before the response was complete. */
  readonly failure?: 'connection reset' | 'client left'
}

/** The parts of a request that a replay compares. */
export interface RecordedRequest {
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** The header `Last-Event-ID`. */
  readonly lastEventId?: string
  /** The parsed value of JSON, any other body as a text. Absent for an empty body. */
  readonly body?: unknown
}

/** A recorded response. */
export interface RecordedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** From the request to the headers. */
  readonly afterMs: number
  /** The parts of the body, with the milliseconds from the request to each. */
  readonly body: readonly { readonly afterMs: number; readonly text: string }[]
}

const ms = z.number().min(0)

/** The schema of a recording in a scenario. */
export const recordingSchema: z.ZodType = strictObject({
  target: z.string().describe('The URL of the recorded server'),
  startedAt: z
    .string()
    .refine((text) => !Number.isNaN(Date.parse(text)), { error: 'expected a time in ISO 8601' })
    .describe('When the recording started, in ISO 8601'),
  exchanges: z
    .array(
      strictObject({
        atMs: ms.describe('Milliseconds from the start of the recording to the request'),
        request: strictObject({
          method: z.string().min(1),
          path: z.string().regex(/^\//, { error: 'expected a path that starts with /' }).describe('Path and query'),
          lastEventId: z.string().optional().describe('The header Last-Event-ID'),
          body: z.unknown().describe('The JSON value, or any other body as a text').optional(),
        }),
        response: strictObject({
          status: z.int().min(200).max(599),
          headers: z.record(z.string(), z.string()),
          afterMs: ms.describe('Milliseconds from the request to the headers'),
          body: z
            .array(strictObject({ afterMs: ms, text: z.string() }))
            .describe('The parts of the body, with the milliseconds from the request to each'),
        })
          .optional()
          .describe('Absent if the connection ended before the response'),
        tookMs: ms.describe('Milliseconds from the request to the end of the response'),
        failure: z.enum(['connection reset', 'client left']).optional(),
      }),
    )
    .describe('Requests and responses, in the order of the requests'),
}).describe('The recorded session of a client, which is replayed in place of graphs')
