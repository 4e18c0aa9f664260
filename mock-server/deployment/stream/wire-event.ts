import type { Dialect } from '../dialect.ts'
import type { Run } from '../records.ts'
import type { RunEvent } from '../runs/event-log.ts'
import type { StreamMode } from '../schemas/fields.ts'

/** An event as it is sent. */
export interface WireEvent {
  readonly event: string
  readonly data: unknown
}

/** The event of a run that has this type. */
export type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>

/** A mode in which events are rendered; `always` stands in streams of every mode. */
export type RenderingMode = StreamMode | 'always'

/** What one mode shows of one type of event. */
export interface Rendering<Type extends RunEvent['type']> {
  readonly mode: RenderingMode
  readonly render: (event: EventOf<Type>, run: Run, dialect: Dialect) => readonly WireEvent[]
}

/** For each type of event what is sent, in the order of sending. */
export type Renderings = { readonly [Type in RunEvent['type']]: readonly Rendering<Type>[] }
