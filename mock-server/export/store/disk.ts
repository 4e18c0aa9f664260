import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TraceRecord } from '../traces/record.ts'
import { startOf, type TraceRange, type TraceStore } from '../traces/store.ts'
import type { Persistence } from './store.ts'

// A trace record has 1 to 3 kB. On large pages it is stored in one piece and in insertion order, which makes reads and
// writes three times as fast as on small pages or with a primary key.
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

/** Thrown for a state folder that cannot be used. The message has the cause and the remedy. */
export class StateError extends Error {
  override readonly name: string = 'StateError'
}

/** Opens the database in a folder; creates the folder if it is missing. Throws StateError. */
export function openDatabase(folder: string): DatabaseSync {
  const file = join(folder, 'touchstone.sqlite')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const database = new DatabaseSync(file)
    // The file has encrypted credentials and traces.
    chmodSync(file, 0o600)
    database.exec(SCHEMA)
    return database
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    const remedy = cause.includes('locked')
      ? 'another server uses it; stop that server or choose another folder'
      : 'choose a writable folder'
    throw new StateError(`The state folder ${folder} cannot be used (${cause}): ${remedy}`)
  }
}

/** Saves all writes of `work` or, if it throws, none. */
function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    // Some errors, such as a full disk, have already ended the transaction.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Persists records in a database. */
interface DiskRecords extends Persistence {
  /** Ignores all later writes. */
  retire(): void
}

/** Persists records in a database. Each write is on disk before a client can see it. */
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

/** Stores trace records in a database. A scan has one batch in memory and sees records that are added ahead of it. */
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
