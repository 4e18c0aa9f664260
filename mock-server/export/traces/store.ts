import { parseMicros } from './micros.ts'
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

/** Trace records in memory, those of each tenant and session apart. */
export interface TraceStore extends TraceSource {
  /**
   * Takes records in any order. A record whose id its session holds already replaces that one.
   * Throws a TypeError, and takes none, when a start time is no ISO 8601 time with zone.
   */
  add(records: Iterable<TraceRecord>): void
}

/** How a store answers. */
export interface TraceStoreOptions {
  /** How many records a batch of a scan holds at most. @default 200 */
  readonly batchSize?: number
}

/** An empty store. A scan shows the records as they were when it began, whatever is added meanwhile. */
export function createTraceStore({ batchSize = 200 }: TraceStoreOptions = {}): TraceStore {
  const sessions = new Map<string, Session>()
  const find = (tenantId: string, sessionId: string): Session | undefined => sessions.get(`${tenantId} ${sessionId}`)
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
      const session = find(tenantId, sessionId)
      if (!session) return
      const { entries, from, to } = session.between(startMs * 1000, endMs * 1000)
      for (let start = from; start < to; start += batchSize) {
        yield entries.slice(start, Math.min(to, start + batchSize)).map(({ record }) => record)
      }
    },
  }
}

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

/** When a run started, in microseconds since the Unix epoch. Throws a TypeError when that is no ISO 8601 time with zone. */
export function startOf({ id, start_time }: TraceRecord): number {
  const micros = parseMicros(start_time)
  if (!Number.isNaN(micros)) return micros
  throw new TypeError(
    `start_time of run ${id} is ${JSON.stringify(start_time)}: expected an ISO 8601 time with zone, such as 2026-01-01T00:00:00.000000Z`,
  )
}
