import type { Deployment } from '../deployment.ts'
import type { Dialect } from '../dialect.ts'
import type { Run, Thread } from '../records.ts'
import type { RunEvent } from '../runs/event-log.ts'
import type { StreamMode } from '../schemas/fields.ts'
import type { ThreadStreamMode } from '../schemas/run-requests.ts'
import type { Lag } from './lag.ts'
import type { Rendering, RenderingMode, Renderings, WireEvent } from './wire-event.ts'

/** The run that a reader follows, and its modes. */
interface Following {
  readonly run: Run
  readonly modes: readonly StreamMode[]
  readonly left: AbortSignal
  /** Measures how far the reader is behind. */
  readonly lag: Lag
}

/** The request of a reader of a run's stream. */
export interface Reading extends Following {
  /** Only events after the one with this id; -1 for all. */
  readonly lastEventId: number
  /** Only events of the run from this sequence number on. */
  readonly firstSequence: number
}

/** The dependencies of rendering frames. */
export interface FrameTools {
  readonly dialect: Dialect
  readonly renderings: Renderings
}

/** Yields the frames of a run's stream. Ids count from 0, and are the same for every reader of these modes. */
export async function* eventFrames(reading: Reading, tools: FrameTools): AsyncGenerator<string> {
  const { run, lastEventId, firstSequence } = reading
  const { dialect } = tools
  const showsIds = dialect.eventIds === 'always' || run.resumable
  let id = -1
  for await (const { wireEvent, sequence } of runEvents(reading, tools)) {
    id++
    if (id > lastEventId && sequence >= firstSequence) {
      yield frame(wireEvent, showsIds ? id : undefined, dialect.lineEnding)
    }
  }
}

/** Yields the events of a run as they are sent, with the sequence number of the run's event. */
async function* runEvents(
  { run, modes, left, lag }: Following,
  { dialect, renderings }: FrameTools,
): AsyncGenerator<{ wireEvent: WireEvent; sequence: number }> {
  const selected = new Set<RenderingMode>(['always', ...modes])
  let sequence = -1
  lag.follow(run.log)
  for await (const event of run.log.read(left)) {
    sequence++
    lag.taken(sequence + 1)
    const namespace = 'namespace' in event ? event.namespace : []
    if (namespace.length > 0 && !run.subgraphs) continue
    for (const { mode, render } of renderingsOf(renderings, event)) {
      if (!selected.has(mode)) continue
      for (const wireEvent of render(event, run, dialect)) {
        yield { wireEvent: mode === 'messages' ? wireEvent : inNamespace(wireEvent, namespace), sequence }
      }
    }
  }
}

/** Adds the namespace of a subgraph to the name of an event. */
function inNamespace(wireEvent: WireEvent, namespace: readonly string[]): WireEvent {
  if (namespace.length === 0 || wireEvent.event === 'events') return wireEvent
  return { ...wireEvent, event: [wireEvent.event, ...namespace].join('|') }
}

function renderingsOf(table: Renderings, event: RunEvent): readonly Rendering<RunEvent['type']>[] {
  // The compiler cannot infer that the renderings at an event's type accept that event.
  return table[event.type] as readonly Rendering<RunEvent['type']>[]
}

/** Returns the text of an event. */
export function frame({ event, data }: WireEvent, id: number | string | undefined, end: string): string {
  const lines = [`event: ${event}`, `data: ${JSON.stringify(data ?? null)}`]
  if (id !== undefined) lines.push(`id: ${id}`)
  return `${lines.join(end)}${end}${end}`
}

/** The request of a reader of a thread's stream. */
interface ThreadReading {
  readonly modes: readonly ThreadStreamMode[]
  /** Only events after the one with this id; undefined for events from now on. */
  readonly lastEventId: number | undefined
  readonly left: AbortSignal
  readonly lag: Lag
}

/**
 * Yields the frames of a thread's stream: the events of its runs, one run after another, until the reader disconnects or
 * the thread is deleted. Ids count from 0 over all runs of the thread, and are the same for every reader of these modes.
 */
export async function* threadFrames(
  deployment: Deployment,
  thread: Thread,
  { modes, lastEventId, left, lag }: ThreadReading,
): AsyncGenerator<string> {
  const { dialect, policies, runner, store } = deployment
  const tools = { dialect, renderings: policies.renderings }
  const done = new Set<Run>()
  const isLifecycleOnly = modes.every((mode) => mode === 'lifecycle')
  const past = new Set(lastEventId === undefined ? [...thread.runs.values()].filter(({ log }) => log.ended) : [])
  let id = -1
  while (!left.aborted && !runner.isStopped && store.threads.get(thread.thread_id) === thread) {
    const run = [...thread.runs.values()].find((candidate) => !done.has(candidate))
    if (run === undefined) {
      await runner.runNotifier.next(thread.thread_id, left)
      continue
    }
    done.add(run)
    for await (const wireEvent of wholeRun({ run, modes: modesOf(run, modes), left, lag }, tools)) {
      if (isLifecycleOnly && wireEvent.event !== 'metadata') continue
      id++
      if (!past.has(run) && id > (lastEventId ?? -1)) yield frame(wireEvent, id, dialect.lineEnding)
    }
  }
}

/** Yields the events of a run, and the one that ends it in the stream of a thread. */
async function* wholeRun(following: Following, tools: FrameTools): AsyncGenerator<WireEvent> {
  for await (const { wireEvent } of runEvents(following, tools)) yield wireEvent
  if (following.left.aborted) return
  yield { event: 'metadata', data: { status: 'run_done', run_id: following.run.run_id } }
}

function modesOf(run: Run, modes: readonly ThreadStreamMode[]): StreamMode[] {
  if (modes.includes('run_modes')) return [...run.kwargs.stream_mode]
  return modes.includes('state_update') ? ['values'] : []
}
