import type { TraceRecord } from './record.ts'

/** Which records are asked for: those of one session whose start time lies in a window. */
export interface TraceRange {
  readonly tenantId: string
  readonly sessionId: string
  /** Milliseconds since the Unix epoch, inclusive. */
  readonly startMs: number
  /** Milliseconds since the Unix epoch, exclusive. */
  readonly endMs: number
}

/** Where an export reads trace records from: a store, or a generator that makes them while they are read. */
export interface TraceSource {
  /** The records of a range in bounded batches, ordered by start time, then id. */
  scan(range: TraceRange): AsyncIterable<readonly TraceRecord[]>
}
