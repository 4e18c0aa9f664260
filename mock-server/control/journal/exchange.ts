/** An event of a stream as it was sent, and when. */
export interface SentEvent {
  readonly event: string
  /** JSON as a value, anything else as a text. */
  readonly data: unknown
  readonly id?: string
  /** Milliseconds since the Unix epoch, by the server's clock. */
  readonly at: number
}

/** One request and what became of it, without secrets. Times are milliseconds since the Unix epoch, by the server's clock. */
export interface Exchange {
  /** Counted from 1 since the server was created. */
  readonly id: number
  readonly method: string
  readonly url: string
  /** Method and path as in the API's description: `POST /threads/{thread_id}/runs`. */
  readonly route: string
  readonly at: number
  /**
   * `arrived`, then `answered` once the answer is known, of an event stream its head, then `ended`, when nothing more can
   * come.
   */
  readonly state: 'arrived' | 'answered' | 'ended'
  readonly requestHeaders: Readonly<Record<string, string>>
  /** As far as the server has read it: JSON as a value, anything else as a text; undefined where there is none. */
  readonly requestBody?: unknown
  readonly status?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** As `requestBody`; undefined for an event stream. */
  readonly responseBody?: unknown
  /** Of an event stream, the events that were sent so far. */
  readonly events?: readonly SentEvent[]
  readonly endedAt?: number
  /** Why it ended before its answer was whole. */
  readonly failure?: 'connection reset' | 'client left' | 'server error'
  /** Whether a body was too large to be kept as a whole. */
  readonly isCut: boolean
}
