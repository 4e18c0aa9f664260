import { Ordered } from '../../deployment/store/ordered.ts'
import type { BulkExport, Destination, ExportRun } from '../types.ts'

/** Everything that the export API stores, except trace records. */
export interface ExportStore {
  readonly destinations: Collection<Destination>
  readonly exports: Collection<BulkExport>
  readonly runs: Collection<ExportRun>
  /** Returns the runs of an export, ordered by date. */
  runsOf(exportId: string): readonly ExportRun[]
  /** Saves all writes of `work` or, if the process dies in between, none. */
  atomically(work: () => void): void
}

type Kind = 'destination' | 'export' | 'run'

/** Persists records. */
export interface Persistence {
  /** Returns the saved records of a kind, in the order in which they were first saved. */
  load(kind: Kind): readonly unknown[]
  save(kind: Kind, id: string, record: object): void
  atomically(work: () => void): void
}

const IN_MEMORY: Persistence = { load: () => [], save: () => undefined, atomically: (work) => work() }

/** Creates a store with the records of `persistence`. By default everything is in memory. */
export function createStore(persistence: Persistence = IN_MEMORY): ExportStore {
  const collection = <T extends { readonly id: string }>(kind: Kind, onRecord?: (record: T) => void): Collection<T> => {
    const records = persistence.load(kind) as readonly T[]
    for (const record of records) onRecord?.(record)
    return new Collection(records, (record) => {
      persistence.save(kind, record.id, record)
      onRecord?.(record)
    })
  }
  const runIds = new Map<string, Set<string>>()
  const runs = collection<ExportRun>('run', ({ id, bulk_export_id }) => {
    const ids = runIds.get(bulk_export_id)
    if (ids === undefined) runIds.set(bulk_export_id, new Set([id]))
    else ids.add(id)
  })
  return {
    destinations: collection('destination'),
    exports: collection('export'),
    runs,
    runsOf: (exportId) => [...(runIds.get(exportId) ?? [])].flatMap((id) => runs.get(id) ?? []),
    atomically: persistence.atomically,
  }
}

/** Records of a store as JSON values. */
export type ExportRecords = Readonly<Record<Kind, readonly unknown[]>>

/** Returns the records of a store, oldest first. */
export function recordsOf(store: ExportStore): ExportRecords {
  return {
    destination: [...store.destinations.values()],
    export: [...store.exports.values()],
    run: [...store.runs.values()],
  }
}

/** Creates a store in memory with these records. */
export function storeOf(records: ExportRecords): ExportStore {
  return createStore({ ...IN_MEMORY, load: (kind) => records[kind] })
}

/** Copies a store into memory. Later changes of the original do not affect the copy. */
export function copyStore(store: ExportStore): ExportStore {
  return storeOf(recordsOf(store))
}

/** Records by id, in the order of creation. Records are immutable: a change replaces the record. */
export class Collection<T extends { readonly id: string }> extends Ordered<T> {
  readonly #save: (record: T) => void

  /** `save` is called with every record that is put after construction. */
  constructor(records: readonly T[], save: (record: T) => void) {
    super(records.map((record) => [record.id, record]))
    this.#save = save
  }

  /** Adds a record or replaces the record with the same id. */
  put(record: T): void {
    this.#save(record)
    if (this.get(record.id) === undefined) this.add(record.id, record)
    else this.replace(record.id, record)
  }

  /** Applies changes to the current version of a record and returns the result. */
  update(record: T, changes: Partial<T>): T {
    const changed = { ...(this.get(record.id) ?? record), ...changes }
    this.put(changed)
    return changed
  }
}
