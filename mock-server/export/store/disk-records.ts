import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from './disk.ts'
import type { Backing } from './store.ts'

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
