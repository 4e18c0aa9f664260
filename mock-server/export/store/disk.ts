import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

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
