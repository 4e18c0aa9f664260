import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { createTraceStore, type TraceStore } from '../traces/store.ts'
import { diskRecords, diskTraces, openDatabase, StateError } from './disk.ts'
import { createSealer, freshKey, parseKey, type Sealer } from './sealer.ts'
import { createStore, type ExportStore } from './store.ts'

/** Where everything is kept, and how secrets are. */
export interface State {
  readonly sealer: Sealer
  readonly store: ExportStore
  readonly traces: TraceStore
  /** Whether it outlasts the process. */
  readonly onDisk: boolean
  /** Forgets everything and answers with what is left: nothing. */
  clear(): State
  close(): void
}

/** State in memory, with what `store` holds. */
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

/** State in a folder, with what is there already. Throws StateError. */
export function diskState(folder: string, encryptionKey: string | undefined): State {
  const database = openDatabase(folder)
  try {
    const sealer = createSealer(encryptionKey === undefined ? keptKey(folder) : parseKey(encryptionKey))
    const state = stateIn(database, sealer)
    checkKey(state, `in ${folder}`, 'that one, or choose another folder')
    return state
  } catch (error) {
    // Else nobody in this process could open the folder again.
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
      // What was under way may still tell of its end.
      records.retire()
      database.exec('DELETE FROM records; DELETE FROM traces')
      return stateIn(database, sealer)
    },
    close: () => {
      if (database.isOpen) database.close()
    },
  }
}

/** The key of a folder for which none was given: made with the first start there. */
function keptKey(folder: string): Buffer {
  const file = join(folder, 'encryption.key')
  try {
    writeFileSync(file, `${freshKey().toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  try {
    return parseKey(readFileSync(file, 'utf8').trim())
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new StateError(
      `The file ${file} holds no key (${why}): put the one back that was there, or choose another folder`,
    )
  }
}

/** Throws StateError where the credentials of a state are encrypted under another key than its own. */
export function checkKey({ store, sealer }: State, where: string, remedy: string): void {
  for (const { id, sealed } of store.destinations.values()) {
    try {
      if (sealed !== null) sealer.open(sealed, id)
    } catch {
      throw new StateError(`The credentials kept ${where} were encrypted under another key; give ${remedy}`)
    }
  }
}
