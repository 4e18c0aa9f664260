import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TraceRecord } from '../traces/record.ts'
import type { TraceRange, TraceStore } from '../traces/store.ts'
import { startOf } from '../traces/store.ts'
import type { Backing } from './store.ts'

// A trace record is one to three thousand bytes: on large pages it lies in one piece and in the order in which it came,
// which makes it three times as quick to read and to write as on small ones, or beside a key of its own.
const SCHEMA = `
  PRAGMA page_size = 16384;
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS records (kind TEXT NOT NULL, id TEXT NOT NULL, json TEXT NOT NULL, UNIQUE (kind, id));
  CREATE TABLE IF NOT EXISTS traces (
    tenant TEXT NOT NULL, session TEXT NOT NULL, id TEXT NOT NULL, micros INTEGER NOT NULL, json TEXT NOT NULL,
    UNIQUE (tenant, session, id)
  );
  CREATE INDEX IF NOT EXISTS traces_by_time ON traces (tenant, session, micros, id);
`

/** A folder of state that cannot be used; the message says why and what to do. */
export class StateError extends Error {
  override readonly name: string = 'StateError'
}

/** Opens the database in a folder, which is made where it is missing. Throws StateError. */
export function openDatabase(folder: string): DatabaseSync {
  const file = join(folder, 'touchstone.sqlite')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const database = new DatabaseSync(file)
    // It holds encrypted credentials and other people's traces.
    chmodSync(file, 0o600)
    database.exec(SCHEMA)
    return database
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const remedy = why.includes('locked')
      ? 'another server uses it; end that one, or choose another folder'
      : 'choose a folder that can be written to'
    throw new StateError(`The state folder ${folder} cannot be used (${why}): ${remedy}`)
  }
}

/** Saves all that `work` writes, or nothing of it where it throws. */
export function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    // Some failures, such as a full disk, have ended the transaction already.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Records in a database. */
interface DiskRecords extends Backing {
  /** Saves nothing from now on. */
  retire(): void
}

/** Keeps records in a database: each write is on the disk before it is seen, and survives the end of the process. */
export function diskRecords(database: DatabaseSync): DiskRecords {
  const select = database.prepare('SELECT json FROM records WHERE kind = ? ORDER BY rowid')
  const upsert = database.prepare(
    'INSERT INTO records (kind, id, json) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET json = excluded.json',
  )
  let retired = false
  return {
    load: (kind) => select.all(kind).map(({ json }) => JSON.parse(String(json))),
    save: (kind, id, record) => {
      if (!retired) upsert.run(kind, id, JSON.stringify(record))
    },
    retire: () => {
      retired = true
    },
    atomically: (work) => (database.isTransaction ? work() : inTransaction(database, work)),
  }
}

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
