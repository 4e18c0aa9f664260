import type { Capture } from './capture.ts'

/** An event that was sent in a stream. */
export interface SentEvent {
  readonly event: string
  /** The parsed value of JSON, any other data as a string. */
  readonly data: unknown
  readonly id?: string
  /** Milliseconds since the Unix epoch, by the server's clock. */
  readonly at: number
}

/** A request and its response, without secrets. Times are milliseconds since the Unix epoch, by the server's clock. */
export interface Exchange {
  /** Counted from 1 since the server was created. */
  readonly id: number
  readonly method: string
  readonly url: string
  /** Method and path as in the API's description: `POST /threads/{thread_id}/runs`. */
  readonly route: string
  readonly at: number
  /**
   * `arrived`; then `answered`, when the response is known (of an event stream, its headers); then `ended`, when it is
   * complete.
   */
  readonly state: 'arrived' | 'answered' | 'ended'
  readonly requestHeaders: Readonly<Record<string, string>>
  /** The part that the server has read: the parsed value of JSON, any other body as a string. Absent for an empty body. */
  readonly requestBody?: unknown
  readonly status?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** Like `requestBody`. Absent for an event stream. */
  readonly responseBody?: unknown
  /** The events of an event stream so far. */
  readonly events?: readonly SentEvent[]
  readonly endedAt?: number
  /** Why it ended before the response was complete. */
  readonly failure?: 'connection reset' | 'client left' | 'server error' | 'no response'
  /** Present if the server sent the request itself, to deliver the webhook of a run. Attempts count from 1. */
  readonly webhook?: { readonly run_id: string; readonly attempt: number }
  /** Whether a body was too large to be kept completely. */
  readonly isCut: boolean
}

/** An exchange as the journal stores it: with raw bytes and secrets. */
export interface Entry {
  readonly id: number
  readonly method: string
  readonly url: string
  readonly path: string
  readonly at: number
  readonly requestHeaders: Headers
  readonly requestBody: Capture
  readonly responseBody: Capture
  state: Exchange['state']
  status: number | undefined
  responseHeaders: Headers | undefined
  /** When the headers of the response were known. */
  headAt: number | undefined
  endedAt: number | undefined
  failure: Exchange['failure']
  readonly webhook: Exchange['webhook']
}

/** Whether the response is an event stream. */
export function isStream({ responseHeaders }: Entry): boolean {
  return isEventStream(responseHeaders)
}

/** Whether headers announce an event stream. */
export function isEventStream(headers: Headers | undefined): boolean {
  return headers?.get('content-type')?.startsWith('text/event-stream') ?? false
}
