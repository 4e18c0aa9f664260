import { Blocked, Refused } from './errors.ts'
import type { EventStream } from './event-stream.ts'
import type { Session } from './session.ts'
import { waitBudget } from './waiting.ts'

/** How a stream ended. */
export interface StreamEnd {
  readonly reached: boolean
  /** Why it broke off. */
  readonly broke?: string
}

/** How much less long a stream is waited for on a target that has let another one go on without end. */
const impatience = 10

/** Waits for the end of a stream within the budget; one that does not end is left. */
export async function endOf(session: Session, stream: EventStream): Promise<StreamEnd> {
  const endless = await session.once('a stream without end', async () => Promise.withResolvers<void>())
  const timers: ReturnType<typeof setTimeout>[] = []
  const after = (ms: number) =>
    new Promise<'late'>((resolve) => {
      timers.push(setTimeout(() => resolve('late'), ms))
    })
  const soon = endless.promise.then(() => after(session.budgets.waitMs / impatience))
  const end = await Promise.race([stream.ended, after(waitBudget(session)), soon])
  for (const timer of timers) clearTimeout(timer)
  if (end === undefined) return { reached: true }
  if (end !== 'late' && !/timeout/i.test(end)) return { reached: true, broke: end }
  endless.resolve()
  stream.close()
  return { reached: false }
}

/** Whether an accepted answer is an event stream: by its content type, or by the events that it brings. */
export async function bringsEvents(stream: EventStream): Promise<boolean> {
  if (/^text\/event-stream\b/i.test(stream.headers['content-type'] ?? '')) return true
  return (await stream.find(() => true)) !== undefined
}

/** Waits for the end of a stream; one that never ends fails the requirement that says so. */
export async function untilEnd(session: Session, stream: EventStream): Promise<EventStream> {
  const end = await endOf(session, stream)
  if (!end.reached) throw new Refused('stream.end.reached', 'the end of the stream', 'a stream that goes on')
  if (end.broke !== undefined) throw new Blocked('stream.end.clean', `the stream was cut off: ${end.broke}`)
  return stream
}
