import { textAt } from '../values/json.ts'
import { dataOf } from '../values/stream-data.ts'
import { Stopped } from './errors.ts'
import type { EventStream } from './event-stream.ts'
import type { Session } from './session.ts'
import { pollEnd, runsAreLost } from './waiting.ts'

/** End of a stream. */
export interface StreamEnd {
  /** Whether the stream ended within the budget. */
  readonly reached: boolean
  /** Reason why it broke off; undefined if it is complete. */
  readonly error?: string
}

/** Waits for the end of a stream. Closes a stream that does not end within the budget. */
export async function awaitEnd(session: Session, stream: EventStream): Promise<StreamEnd> {
  let isOver = false
  const ended = stream.ended.then((error): StreamEnd => {
    // The client closes a stream after a long time without data.
    isOver = !/timeout/i.test(error ?? '')
    return { reached: isOver, ...(error === undefined ? {} : { error }) }
  })
  // The time that a refusal takes says nothing about the time that runs take.
  if (stream.status >= 300) return ended
  const late = pollEnd(session, 'stream', async () => isOver || undefined)
  const end = await Promise.race([ended, late.then((over) => (over ? ended : undefined))])
  if (end?.reached) {
    const runId = textAt(dataOf(stream.events, 'metadata')[0], 'run_id')
    if (runId !== undefined) session.streamed.add(runId)
    return end
  }
  stream.close()
  return { reached: false }
}

/** Whether a response is an event stream, by its content type or because an event arrives. */
export async function hasEvents(stream: EventStream): Promise<boolean> {
  if (/^text\/event-stream\b/i.test(stream.headers['content-type'] ?? '')) return true
  return (await stream.find(() => true)) !== undefined
}

/**
 * Waits for the end of a stream.
 *
 * @throws Stopped if it does not end or breaks off
 */
export async function readToEnd(session: Session, stream: EventStream): Promise<EventStream> {
  const end = await awaitEnd(session, stream)
  // If no run ends, no stream ends.
  const requirement = runsAreLost(session) ? 'run.status.ends' : 'stream.end.reached'
  if (!end.reached)
    throw new Stopped('expected the end of the stream, received a stream that goes on', { ...stream, requirement })
  if (end.error !== undefined) throw new Stopped(`the stream was cut off: ${end.error}`, stream)
  return stream
}
