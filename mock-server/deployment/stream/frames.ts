import type { Dialect } from '../dialect.ts'
import type { Run } from '../records.ts'
import type { RunEvent } from '../runs/event-log.ts'
import type { StreamMode } from '../schemas/fields.ts'
import type { Lag } from './lag.ts'
import type { Rendering, RenderingMode, Renderings, WireEvent } from './wire-event.ts'

/** Whose events a reader asks for, and in which modes. */
export interface Following {
  readonly run: Run
  readonly modes: readonly StreamMode[]
  readonly left: AbortSignal
  /** Told of what the reader takes. */
  readonly lag: Lag
}

/** What a reader of a run's stream asks for. */
export interface Reading extends Following {
  /** Only what follows the event with this id; -1 for everything. */
  readonly lastEventId: number
  /** Only events of the run from this sequence number on. */
  readonly firstSequence: number
}

/** What frames are made with. */
export interface FrameTools {
  readonly dialect: Dialect
  readonly renderings: Renderings
}

/** The frames of a run's event stream. Events are numbered from 0, the same at every reading in the same modes. */
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

/** Every event of a run as it is sent, with the sequence number of what it shows. */
export async function* runEvents(
  { run, modes, left, lag }: Following,
  { dialect, renderings }: FrameTools,
): AsyncGenerator<{ wireEvent: WireEvent; sequence: number }> {
  const wanted = new Set<RenderingMode>(['always', ...modes])
  let sequence = -1
  lag.follow(run.log)
  for await (const event of run.log.read(left)) {
    sequence++
    lag.taken(sequence + 1)
    for (const { mode, render } of renderingsOf(renderings, event)) {
      if (!wanted.has(mode)) continue
      for (const wireEvent of render(event, run, dialect)) yield { wireEvent, sequence }
    }
  }
}

function renderingsOf(table: Renderings, event: RunEvent): readonly Rendering<RunEvent['type']>[] {
  // An event's own renderings take just its type; the compiler cannot follow that through an index.
  return table[event.type] as readonly Rendering<RunEvent['type']>[]
}

/** An event as it is written. */
export function frame({ event, data }: WireEvent, id: number | undefined, end: string): string {
  const lines = [`event: ${event}`, `data: ${JSON.stringify(data ?? null)}`]
  if (id !== undefined) lines.push(`id: ${id}`)
  return `${lines.join(end)}${end}${end}`
}
