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

/** What one mode shows of one type of event; `always` stands in streams of every mode. */
export interface Rendering<Type extends RunEvent['type']> {
  readonly mode: StreamMode | 'always'
  readonly render: (event: EventOf<Type>, run: Run, dialect: Dialect) => readonly WireEvent[]
}

/** For each type of event what is sent, in the order of sending. */
export type Renderings = { readonly [Type in RunEvent['type']]: readonly Rendering<Type>[] }
