import type { Permit } from '../access.ts'
import type { Deployment } from '../deployment.ts'
import type { Run, Thread } from '../records.ts'
import type { Reader } from '../stream/event-stream.ts'
import { frame } from '../stream/frames.ts'
import { EventRenderer, type ProtocolEvent } from './event-renderer.ts'
import type { Channel, EventFilter } from './requests.ts'

// A run never has so many events, so the numbers stay in order even if a run is deleted.
const NUMBERS_PER_RUN = 2 ** 32

/**
 * Yields the frames of a thread's events that pass the filter: those of its runs in the order of their start, until the
 * reader disconnects or the thread is deleted. A thread that does not exist yet has no events.
 */
export async function* protocolFrames(
  deployment: Deployment,
  thread_id: string,
  permit: Permit,
  filter: EventFilter,
  { left, lag }: Reader,
): AsyncGenerator<string> {
  const { dialect, runner, store } = deployment
  let thread: Thread | undefined
  let order = -1
  while (!left.aborted && !runner.isStopped) {
    const current = store.threads.get(thread_id)
    if (current !== thread && thread !== undefined) return
    if (current !== undefined && !permit(current.metadata)) return
    thread = current
    const run = thread && nextStarted(thread, order)
    if (run?.order === undefined) {
      await runner.runNotifier.next(thread_id, left)
      continue
    }
    order = run.order
    lag.follow(run.log)
    for await (const { event, taken } of eventsOf(deployment, run, left)) {
      lag.taken(taken)
      const seq = order * NUMBERS_PER_RUN + event.index + 1
      if (seq <= (filter.since ?? 0) || !passes(filter, event)) continue
      const { method, params } = event
      const data = { type: 'event', event_id: `${run.run_id}:${event.index}`, seq, method, params }
      yield frame({ event: method, data }, dialect.protocol.frameId === 'seq' ? seq : data.event_id, dialect.lineEnding)
    }
  }
}

/** Returns the number of the newest event of a thread; 0 without any. */
export function newestSequence({ dialect }: Deployment, thread: Thread | undefined): number {
  const run = [...(thread?.runs.values() ?? [])].reduce<Run | undefined>(
    (last, other) => ((other.order ?? -1) > (last?.order ?? -1) ? other : last),
    undefined,
  )
  if (run?.order === undefined) return 0
  const renderer = new EventRenderer(run, dialect.protocol.style)
  let count = run.log.ended ? 1 : 0
  for (let index = 0; index < run.log.length; index++) {
    const event = run.log.at(index)
    if (event !== undefined) count += renderer.render(event).length
  }
  return run.order * NUMBERS_PER_RUN + count
}

function nextStarted({ runs }: Thread, after: number): Run | undefined {
  let next: Run | undefined
  for (const run of runs.newestFirst()) {
    if (run.order !== undefined && run.order > after && run.order < (next?.order ?? Number.POSITIVE_INFINITY))
      next = run
  }
  return next
}

interface NumberedEvent extends ProtocolEvent {
  readonly index: number
}

/** Yields the events of a run with their numbers, and how many events of its log they take. */
async function* eventsOf(
  { clock, dialect, protocolEndDelayMs }: Deployment,
  run: Run,
  left: AbortSignal,
): AsyncGenerator<{ event: NumberedEvent; taken: number }> {
  const renderer = new EventRenderer(run, dialect.protocol.style)
  let index = 0
  let taken = 0
  for await (const source of run.log.read(left)) {
    taken++
    for (const event of renderer.render(source)) yield { event: { ...event, index: index++ }, taken }
  }
  const delayMs = run.updated_at + protocolEndDelayMs - clock.now()
  // A reader that disconnects ends the wait, too.
  if (delayMs > 0) await clock.sleep(delayMs, left).catch(() => undefined)
  if (!left.aborted) yield { event: { ...renderer.end(), index }, taken }
}

/** Whether an event is in a channel and a namespace of the filter. */
function passes({ channels, namespaces, depth }: EventFilter, { method, params }: ProtocolEvent): boolean {
  const channel: Channel | string = method === 'input.requested' ? 'input' : method
  if (!channels.includes(channel)) return false
  if (namespaces == null || namespaces.length === 0) return true
  return namespaces.some(
    (prefix) =>
      prefix.every((segment, level) => isSegment(params.namespace[level], segment)) &&
      (depth == null || params.namespace.length - prefix.length <= depth),
  )
}

/** Whether a segment is the wanted one. The wanted one may leave out the id of the task. */
function isSegment(segment: string | undefined, wanted: string): boolean {
  return segment === wanted || segment?.split(':')[0] === wanted
}
