import { parseMicros } from './micros.ts'
import type { TraceRecord } from './record.ts'

/** Records of one session whose start time is in a window. */
export interface TraceRange {
  readonly tenantId: string
  readonly sessionId: string
  /** Milliseconds since the Unix epoch, inclusive. */
  readonly startMs: number
  /** Milliseconds since the Unix epoch, exclusive. */
  readonly endMs: number
}

/** Source of the trace records of exports. */
export interface TraceSource {
  /** Reads a range in batches of limited size, ordered by start time, then id. */
  scan(range: TraceRange): AsyncIterable<readonly TraceRecord[]>
}

/** Stores trace records by tenant and session. */
export interface TraceStore extends TraceSource {
  /**
   * Adds records in any order. A record replaces the record of its session with the same id.
   * Throws a TypeError, and adds no record, if a start time is not an ISO 8601 time with a zone.
   */
  add(records: Iterable<TraceRecord>): void
}

/** Options of a trace store in memory. */
interface TraceStoreOptions {
  /** Maximum number of records in a batch. @default 200 */
  readonly batchSize?: number
}

/** Creates an empty store in memory. A scan reads the records as of its start. */
export function createTraceStore({ batchSize = 200 }: TraceStoreOptions = {}): TraceStore {
  const sessions = new Map<string, Session>()
  return {
    add(records) {
      const timed = Array.from(records, (record) => ({ micros: startOf(record), record }))
      for (const entry of timed) {
        const key = `${entry.record.tenant_id} ${entry.record.session_id}`
        let session = sessions.get(key)
        if (!session) {
          session = createSession()
          sessions.set(key, session)
        }
        session.put(entry)
      }
    },
    async *scan({ tenantId, sessionId, startMs, endMs }: TraceRange) {
      const session = sessions.get(`${tenantId} ${sessionId}`)
      if (!session) return
      const { entries, from, to } = session.between(startMs * 1000, endMs * 1000)
      for (let start = from; start < to; start += batchSize) {
        yield entries.slice(start, Math.min(to, start + batchSize)).map(({ record }) => record)
      }
    },
  }
}

/** A record with its start time in microseconds since the Unix epoch. */
interface TimedRecord {
  readonly micros: number
  readonly record: TraceRecord
}

/** Records of one session, ordered by start time, then id. */
type Session = ReturnType<typeof createSession>

/** Creates an empty session. It sorts on read, so that inserts are equally fast in any order. */
function createSession() {
  const byId = new Map<string, TimedRecord>()
  let ordered: readonly TimedRecord[] | undefined
  return {
    put(entry: TimedRecord): void {
      byId.set(entry.record.id, entry)
      ordered = undefined
    },
    /** Returns all ordered records, which are never modified, and the indexes of those from start (inclusive) to end (exclusive). */
    between(startMicros: number, endMicros: number) {
      ordered ??= [...byId.values()].sort(byStartThenId)
      return { entries: ordered, from: firstIndexFrom(ordered, startMicros), to: firstIndexFrom(ordered, endMicros) }
    },
  }
}

function byStartThenId(left: TimedRecord, right: TimedRecord): number {
  if (left.micros !== right.micros) return left.micros - right.micros
  return left.record.id < right.record.id ? -1 : 1
}

/** Returns the index of the first record that starts at or after `micros`. */
function firstIndexFrom(ordered: readonly TimedRecord[], micros: number): number {
  let low = 0
  let high = ordered.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ordered[middle]?.micros ?? 0) < micros) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the start of a run in microseconds since the Unix epoch. Throws a TypeError if it is not an ISO 8601 time with a zone. */
export function startOf({ id, start_time }: TraceRecord): number {
  const micros = parseMicros(start_time)
  if (!Number.isNaN(micros)) return micros
  throw new TypeError(
    `Field start_time of run ${id}: expected an ISO 8601 time with a zone, such as 2026-01-01T00:00:00.000000Z, received ${JSON.stringify(start_time)}`,
  )
}
