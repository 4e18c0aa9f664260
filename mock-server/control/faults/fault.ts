/** The requests into which a fault is injected: those that meet all of these conditions. */
export interface FaultTarget {
  /**
   * A method and a path, such as `POST /threads/{thread_id}/runs`. A path alone matches every method. `*` at its end
   * matches the rest of any path.
   * @default every route
   */
  readonly route?: string | undefined
  /** Only the call with this number, counted from 1. Excludes `first` and `from`. */
  readonly nth?: number | undefined
  /** Only this many calls, from the first one. */
  readonly first?: number | undefined
  /** Only calls from this number on, counted from 1. */
  readonly from?: number | undefined
  /**
   * The share of these calls, from 0 to 1, into which it is injected.
   * @default 1
   */
  readonly probability?: number | undefined
  /**
   * Selects the calls for `probability`: the same seed selects the same calls.
   * @default 0
   */
  readonly seed?: string | number | undefined
}

/** Options of a fault that replaces or drops the response. */
interface ResponseLoss {
  /**
   * Whether the server executes the request.
   * @default false
   */
  readonly carriedOut?: boolean | undefined
}

/** Delays the request, by the server's clock. */
export interface LatencyFault extends FaultTarget {
  readonly type: 'latency'
  /** Milliseconds. */
  readonly ms: number
}

/** Responds with a status. */
export interface StatusFault extends FaultTarget, ResponseLoss {
  readonly type: 'status'
  /** From 200 to 599. */
  readonly status: number
  /**
   * A string is sent as text, any other value as JSON.
   * @default an object with a `detail` that names the fault
   */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Responds with status 429. */
export interface RateLimitFault extends FaultTarget, ResponseLoss {
  readonly type: 'rate-limit'
  /**
   * `Retry-After`, in seconds.
   * @default 1
   */
  readonly retryAfter?: number | undefined
}

/** Resets the connection. */
export interface ResetFault extends FaultTarget, ResponseLoss {
  readonly type: 'reset'
  /**
   * Events of a stream to send before.
   * @default no response at all
   */
  readonly after?: number | undefined
}

/** The event of a stream to corrupt. Of other responses, the whole body is corrupted. */
interface FaultyEvent extends FaultTarget {
  /**
   * Counted from 1.
   * @default 1
   */
  readonly event?: number | undefined
}

/** Sends half of the JSON: of the whole body, or of one event's data. */
interface MalformedJsonFault extends FaultyEvent {
  readonly type: 'malformed-json'
}

/** Sends only the first byte of a character. */
interface BrokenUtf8Fault extends FaultyEvent {
  readonly type: 'broken-utf8'
}

/** Sends a character in two chunks, as networks do. Nothing is lost. ASCII text stays whole. */
interface SplitUtf8Fault extends FaultyEvent {
  readonly type: 'split-utf8'
}

/** Ends an event stream after `after` events, as if it were complete. */
interface CutFault extends FaultTarget {
  readonly type: 'cut'
  readonly after: number
}

/** Stops sending after `after` events, and leaves the stream open. */
export interface StallFault extends FaultTarget {
  readonly type: 'stall'
  readonly after: number
  /**
   * Milliseconds by the server's clock after which the stream continues.
   * @default never
   */
  readonly ms?: number | undefined
}

/** Sends an event of a stream twice. */
interface DuplicateFault extends FaultyEvent {
  readonly type: 'duplicate'
}

/** A failure that the mock server injects into a request or its response. */
export type Fault =
  | LatencyFault
  | StatusFault
  | RateLimitFault
  | ResetFault
  | MalformedJsonFault
  | BrokenUtf8Fault
  | SplitUtf8Fault
  | CutFault
  | StallFault
  | DuplicateFault
