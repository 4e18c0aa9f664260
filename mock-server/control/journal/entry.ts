import type { Capture } from './capture.ts'
import type { Exchange } from './exchange.ts'

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
  endedAt: number | undefined
  failure: Exchange['failure']
}

/** Whether the response is an event stream. */
export function isStream({ responseHeaders }: Entry): boolean {
  return isEventStream(responseHeaders)
}

/** Whether headers announce an event stream. */
export function isEventStream(headers: Headers | undefined): boolean {
  return headers?.get('content-type')?.startsWith('text/event-stream') ?? false
}
