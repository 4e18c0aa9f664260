/** Which requests a fault befalls: all, unless it says less. Every condition that is given has to hold. */
export interface FaultTarget {
  /**
   * A method and a path, `POST /threads/{thread_id}/runs`; without the method, all of them. `*` at the end of the path
   * stands for whatever follows.
   * @default every route
   */
  readonly route?: string | undefined
  /** Only this call of the route, counted from 1. Not together with `first` or `from`. */
  readonly nth?: number | undefined
  /** Only that many calls of the route, from its first. */
  readonly first?: number | undefined
  /** Only this call of the route, counted from 1, and those after it. */
  readonly from?: number | undefined
  /**
   * The share of these calls, from 0 to 1, that it befalls.
   * @default 1
   */
  readonly probability?: number | undefined
  /**
   * Decides which calls the probability hits: the same seed hits the same calls.
   * @default 0
   */
  readonly seed?: string | number | undefined
}

/** Whether the server does what the request asks for although its answer is lost. */
interface Losing {
  /** @default false: the server does not see the request */
  readonly carriedOut?: boolean | undefined
}

/** Waits before the request is carried out, by the server's clock. */
export interface LatencyFault extends FaultTarget {
  readonly type: 'latency'
  /** Milliseconds. */
  readonly ms: number
}

/** Answers with a status. */
export interface StatusFault extends FaultTarget, Losing {
  readonly type: 'status'
  /** From 200 to 599. */
  readonly status: number
  /**
   * A text, sent as it is, or any other value, sent as JSON.
   * @default an object whose `detail` says that it is a fault
   */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Answers with status 429. */
export interface RateLimitFault extends FaultTarget, Losing {
  readonly type: 'rate-limit'
  /**
   * `Retry-After`, in seconds.
   * @default 1
   */
  readonly retryAfter?: number | undefined
}

/** Breaks the connection off. */
export interface ResetFault extends FaultTarget, Losing {
  readonly type: 'reset'
  /**
   * Of an event stream, how many events arrive before.
   * @default nothing is answered, whatever the answer would be
   */
  readonly after?: number | undefined
}

/** Of an event stream, the event that is spoiled; other answers are spoiled as a whole. */
interface Spoiling extends FaultTarget {
  /**
   * Counted from 1.
   * @default 1
   */
  readonly event?: number | undefined
}

/** Sends half of the JSON: of the whole answer, or of one event's data. */
interface MalformedJsonFault extends Spoiling {
  readonly type: 'malformed-json'
}

/** Sends half of a character: the other bytes of it never come. */
interface BrokenUtf8Fault extends Spoiling {
  readonly type: 'broken-utf8'
}

/** Sends a character in two pieces, as networks do. Nothing is lost; a text without other than ASCII stays whole. */
interface SplitUtf8Fault extends Spoiling {
  readonly type: 'split-utf8'
}

/** Ends an event stream, as if it were complete, after so many events. */
interface CutFault extends FaultTarget {
  readonly type: 'cut'
  readonly after: number
}

/** Sends nothing more after so many events, and leaves the stream open. */
export interface StallFault extends FaultTarget {
  readonly type: 'stall'
  readonly after: number
  /**
   * Milliseconds by the server's clock after which it goes on.
   * @default it never does
   */
  readonly ms?: number | undefined
}

/** Sends an event of a stream twice. */
interface DuplicateFault extends Spoiling {
  readonly type: 'duplicate'
}

/** Something that goes wrong between a client and the server. */
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
