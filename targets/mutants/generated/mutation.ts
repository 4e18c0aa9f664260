import type { Frame } from '../../wrappers/routes.ts'
import type { Call, Source } from './calls.ts'

/** A response that is not an event stream. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * A defect that a program derives from the responses of the mock server.
 *
 * It is a function over responses, so that it can be applied to a recorded trace and to a server that listens.
 */
export interface Mutation {
  /** Endpoint, part of the response, change and condition: `GET /threads/{thread_id}/state · next · null · second time`. */
  readonly id: string
  readonly operation: Source
  /** Creates the defect of one server; it can keep state. */
  readonly start: () => Defect
}

/** Changes the responses of one server to the requests of one operation, or its files. */
export interface Defect {
  /** Returns the changed response, or the same. Also called if `isActive` is false, to remember values. */
  readonly reply?: (reply: Reply, call: Call, isActive: boolean) => Reply
  /** Starts an event stream; the result is called for each batch of events and once with `ended`. */
  readonly stream?: (call: Call, isActive: boolean) => (frames: readonly Frame[], ended: boolean) => readonly Frame[]
  /** Whether a response is to be changed. */
  readonly when: (call: Call) => boolean
  /** How much later the response starts, in milliseconds. */
  readonly delayMs?: number
}
