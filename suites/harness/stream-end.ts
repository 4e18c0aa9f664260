import { Stopped } from './errors.ts'
import type { EventStream } from './event-stream.ts'
import type { Session } from './session.ts'
import { pollEnd } from './waiting.ts'

/** How a stream ended. */
export interface StreamEnd {
  readonly reached: boolean
  /** Why it broke off. */
  readonly broke?: string
}

/** Waits for the end of a stream within the budget; one that does not end is left. */
export async function awaitEnd(session: Session, stream: EventStream): Promise<StreamEnd> {
  let isOver = false
  const ended = stream.ended.then((broke): StreamEnd => {
    // The client gives up on a body without data for long.
    isOver = !/timeout/i.test(broke ?? '')
    return { reached: isOver, ...(broke === undefined ? {} : { broke }) }
  })
  // A response that is no stream of a run says nothing about how long runs take.
  if (stream.status >= 300) return ended
  const late = pollEnd(session, 'stream', async () => isOver || undefined)
  const end = await Promise.race([ended, late.then((over) => (over ? ended : undefined))])
  if (end?.reached) return end
  stream.close()
  return { reached: false }
}

/** Whether an accepted response is an event stream: by its content type, or by the events that it brings. */
export async function hasEvents(stream: EventStream): Promise<boolean> {
  if (/^text\/event-stream\b/i.test(stream.headers['content-type'] ?? '')) return true
  return (await stream.find(() => true)) !== undefined
}

/** Waits for the end of a stream. */
export async function readToEnd(session: Session, stream: EventStream): Promise<EventStream> {
  const end = await awaitEnd(session, stream)
  // Where no run ends, no stream does.
  const requirement = session.progress.run.isStuck ? 'run.status.ends' : 'stream.end.reached'
  if (!end.reached)
    throw new Stopped('expected the end of the stream, received a stream that goes on', { ...stream, requirement })
  if (end.broke !== undefined) throw new Stopped(`the stream was cut off: ${end.broke}`, stream)
  return stream
}
