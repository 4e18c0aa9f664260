import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { createTraceStore, type TraceStore } from '../traces/store.ts'
import { diskRecords, diskTraces, openDatabase, StateError } from './disk.ts'
import { createSealer, freshKey, parseKey, type Sealer } from './sealer.ts'
import { createStore, type ExportStore } from './store.ts'

/** Storage of the export API. */
export interface State {
  readonly sealer: Sealer
  readonly store: ExportStore
  readonly traces: TraceStore
  /** Whether the state survives the process. */
  readonly onDisk: boolean
  /** Deletes everything and returns the empty state. */
  clear(): State
  close(): void
}

/** Creates a state in memory. */
export function memoryState(sealer: Sealer, store: ExportStore = createStore()): State {
  return {
    sealer,
    store,
    traces: createTraceStore(),
    onDisk: false,
    clear: () => memoryState(sealer),
    close: () => undefined,
  }
}

/** Opens the state in a folder. Throws StateError. */
export function diskState(folder: string, encryptionKey: string | undefined): State {
  const database = openDatabase(folder)
  try {
    const sealer = createSealer(encryptionKey === undefined ? storedKey(folder) : parseKey(encryptionKey))
    const state = stateIn(database, sealer)
    checkKey(state, `in ${folder}`, 'set that key or choose another folder')
    return state
  } catch (error) {
    // Otherwise this process could not open the folder again.
    database.close()
    throw error
  }
}

function stateIn(database: DatabaseSync, sealer: Sealer): State {
  const records = diskRecords(database)
  return {
    sealer,
    store: createStore(records),
    traces: diskTraces(database),
    onDisk: true,
    clear: () => {
      // Exports that are being stopped may still write.
      records.retire()
      database.exec('DELETE FROM records; DELETE FROM traces')
      return stateIn(database, sealer)
    },
    close: () => {
      if (database.isOpen) database.close()
    },
  }
}

/** Returns the encryption key of a folder; creates it on the first start. */
function storedKey(folder: string): Buffer {
  const file = join(folder, 'encryption.key')
  try {
    writeFileSync(file, `${freshKey().toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  try {
    return parseKey(readFileSync(file, 'utf8').trim())
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new StateError(
      `The file ${file} has no valid encryption key (${cause}): restore the file or choose another folder`,
    )
  }
}

/** Throws StateError if the credentials of a state are encrypted with another key than its own. */
export function checkKey({ store, sealer }: State, where: string, remedy: string): void {
  for (const { id, sealed } of store.destinations.values()) {
    try {
      if (sealed !== null) sealer.open(sealed, id)
    } catch {
      throw new StateError(`The credentials ${where} are encrypted with another key: ${remedy}`)
    }
  }
}
