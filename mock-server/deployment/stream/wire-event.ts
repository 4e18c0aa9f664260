import type { Dialect } from '../dialect.ts'
import type { Run } from '../records.ts'
import type { RunEvent } from '../runs/event-log.ts'
import type { StreamMode } from '../schemas/fields.ts'

/** An event of the response stream: its name and its data. */
export interface WireEvent {
  readonly event: string
  readonly data: unknown
}

/** The event of this type in the log of a run. */
export type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>

/** The stream mode in which events are sent; `always` if they are sent in every mode. */
export type RenderingMode = StreamMode | 'always'

/** How one mode renders one type of event. */
export interface Rendering<Type extends RunEvent['type']> {
  readonly mode: RenderingMode
  readonly render: (event: EventOf<Type>, run: Run, dialect: Dialect) => readonly WireEvent[]
}

/** The renderings of each type of event, in the order in which they are sent. */
export type Renderings = { readonly [Type in RunEvent['type']]: readonly Rendering<Type>[] }
