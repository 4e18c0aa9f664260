import type { TraceRecord } from './record.ts'
import { createSession, type Session } from './session.ts'
import type { TraceRange, TraceSource } from './source.ts'
import { startOf } from './start.ts'

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
