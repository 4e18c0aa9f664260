import type { DatabaseSync } from 'node:sqlite'
import type { TraceRecord } from '../traces/record.ts'
import type { TraceRange } from '../traces/source.ts'
import { startOf } from '../traces/start.ts'
import type { TraceStore } from '../traces/store.ts'
import { inTransaction } from './disk.ts'

const BATCH = 200

/** Trace records in a database. A scan holds one batch in memory, and also meets what is added ahead of it meanwhile. */
export function diskTraces(database: DatabaseSync): TraceStore {
  const insert = database.prepare(
    'INSERT OR REPLACE INTO traces (tenant, session, id, micros, json) VALUES (?, ?, ?, ?, ?)',
  )
  const select = database.prepare(
    `SELECT micros, id, json FROM traces WHERE tenant = ? AND session = ? AND (micros, id) > (?, ?) AND micros < ?
     ORDER BY micros, id LIMIT ${BATCH}`,
  )
  return {
    add: (records) => {
      const timed = Array.from(records, (record) => ({ record, micros: startOf(record) }))
      inTransaction(database, () => {
        for (const { record, micros } of timed) {
          insert.run(record.tenant_id, record.session_id, record.id, micros, JSON.stringify(record))
        }
      })
    },
    async *scan({ tenantId, sessionId, startMs, endMs }: TraceRange) {
      let after: { micros: number; id: string } = { micros: startMs * 1000 - 1, id: '\u{10ffff}' }
      for (;;) {
        const rows = select.all(tenantId, sessionId, after.micros, after.id, endMs * 1000)
        const last = rows.at(-1)
        if (last === undefined) return
        yield rows.map(({ json }) => JSON.parse(String(json)) as TraceRecord)
        after = { micros: Number(last['micros']), id: String(last['id']) }
      }
    },
  }
}
