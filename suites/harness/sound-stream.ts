import { Refused } from './errors.ts'
import type { EventStream } from './event-stream.ts'
import { show } from './json.ts'
import type { Session } from './session.ts'
import { isEvent, type StreamBlock, streamBlocks, valuesOf } from './stream-blocks.ts'
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

/** What the lines of each event must be. */
export interface FramingRule {
  readonly row: `stream.framing.${'complete' | 'event-line' | 'data-line' | 'data-json'}`
  readonly expected: string
  readonly holds: (event: StreamBlock) => boolean
}

/** The rules about the lines of an event, in order of dependence. */
export const framingRules: readonly FramingRule[] = [
  { row: 'stream.framing.complete', expected: 'an empty line after each event', holds: ({ closed }) => closed },
  { row: 'stream.framing.event-line', expected: 'an `event:` line in each event', holds: named },
  { row: 'stream.framing.data-line', expected: 'a `data:` line in each event', holds: filled },
  {
    row: 'stream.framing.data-json',
    expected: 'JSON on the `data:` line of each event',
    holds: (event) => !filled(event) || holdsJson(event),
  },
]

/** The events of a stream that break a rule about their lines. */
export function brokenEvents(stream: EventStream, rule: FramingRule): readonly StreamBlock[] {
  return streamBlocks(stream.raw()).filter((block) => isEvent(block) && !rule.holds(block))
}

/** Waits for the end of a stream; what breaks off or is framed wrongly blames the row that says so. */
export async function sound(session: Session, stream: EventStream): Promise<EventStream> {
  const end = await endOf(session, stream)
  if (!end.reached) throw new Refused('stream.end.reached', 'the end of the stream', 'a stream that goes on')
  if (end.broke !== undefined) throw new Refused('stream.end.clean', 'a stream that ends cleanly', end.broke)
  for (const rule of framingRules) {
    const [broken] = brokenEvents(stream, rule)
    if (broken) throw new Refused(rule.row, rule.expected, show(broken))
  }
  return stream
}

function named(block: StreamBlock): boolean {
  return valuesOf(block, 'event').some((name) => name !== '')
}

function filled(block: StreamBlock): boolean {
  return valuesOf(block, 'data').length > 0
}

function holdsJson(block: StreamBlock): boolean {
  try {
    JSON.parse(valuesOf(block, 'data').join('\n'))
    return true
  } catch {
    return false
  }
}
