import type { TraceRecord } from './record.ts'

/** A record beside its start time in microseconds since the Unix epoch. */
interface TimedRecord {
  readonly micros: number
  readonly record: TraceRecord
}

/** The records of one session in order of start time, then id. */
export interface Session {
  put(entry: TimedRecord): void
  /** The ordered records, which never change afterwards, and the part that lies from `start` up to, without, `end`. */
  between(
    startMicros: number,
    endMicros: number,
  ): {
    readonly entries: readonly TimedRecord[]
    readonly from: number
    readonly to: number
  }
}

/** An empty session; it sorts when it is read, so that inserts in any order cost the same. */
export function createSession(): Session {
  const byId = new Map<string, TimedRecord>()
  let ordered: readonly TimedRecord[] | undefined
  return {
    put(entry) {
      byId.set(entry.record.id, entry)
      ordered = undefined
    },
    between(startMicros, endMicros) {
      ordered ??= [...byId.values()].sort(inOrder)
      return { entries: ordered, from: firstFrom(ordered, startMicros), to: firstFrom(ordered, endMicros) }
    },
  }
}

function inOrder(left: TimedRecord, right: TimedRecord): number {
  if (left.micros !== right.micros) return left.micros - right.micros
  return left.record.id < right.record.id ? -1 : 1
}

/** The index of the first record that starts at `micros` or later. */
function firstFrom(ordered: readonly TimedRecord[], micros: number): number {
  let low = 0
  let high = ordered.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ordered[middle]?.micros ?? 0) < micros) low = middle + 1
    else high = middle
  }
  return low
}
