import type { BulkExport, Destination, ExportRun } from '../types.ts'
import { Table } from './table.ts'

/** Everything that the export API keeps, but for the trace records. */
export interface ExportStore {
  readonly destinations: Table<Destination>
  readonly exports: Table<BulkExport>
  readonly runs: Table<ExportRun>
  /** The runs of an export in order of their dates. */
  runsOf(exportId: string): readonly ExportRun[]
  /** Keeps all that `work` puts in, or nothing of it when the process dies meanwhile. */
  atomically(work: () => void): void
}

type Kind = 'destination' | 'export' | 'run'

/** Where records outlast the process. */
export interface Backing {
  /** What was saved under a kind, in the order in which it was first saved. */
  load(kind: Kind): readonly unknown[]
  save(kind: Kind, id: string, record: object): void
  atomically(work: () => void): void
}

const NOWHERE: Backing = { load: () => [], save: () => undefined, atomically: (work) => work() }

/** A store with what `backing` holds; without one everything lives in memory. */
export function createStore(backing: Backing = NOWHERE): ExportStore {
  const table = <T extends { readonly id: string }>(kind: Kind, saved?: (record: T) => void): Table<T> => {
    const records = backing.load(kind) as readonly T[]
    for (const record of records) saved?.(record)
    return new Table(records, (record) => {
      backing.save(kind, record.id, record)
      saved?.(record)
    })
  }
  const runIds = new Map<string, Set<string>>()
  const runs = table<ExportRun>('run', ({ id, bulk_export_id }) => {
    const ids = runIds.get(bulk_export_id)
    if (ids === undefined) runIds.set(bulk_export_id, new Set([id]))
    else ids.add(id)
  })
  return {
    destinations: table('destination'),
    exports: table('export'),
    runs,
    runsOf: (exportId) => [...(runIds.get(exportId) ?? [])].flatMap((id) => runs.get(id) ?? []),
    atomically: backing.atomically,
  }
}

/** The records of a store, as JSON can hold them. */
export type ExportRecords = Readonly<Record<Kind, readonly unknown[]>>

/** The records of a store, oldest first. */
export function recordsOf(store: ExportStore): ExportRecords {
  return {
    destination: [...store.destinations.values()],
    export: [...store.exports.values()],
    run: [...store.runs.values()],
  }
}

/** A store in memory that holds these records. */
export function storeOf(records: ExportRecords): ExportStore {
  return createStore({ ...NOWHERE, load: (kind) => records[kind] })
}

/** A store in memory that holds the same records; later changes of the original leave it alone. */
export function copyStore(store: ExportStore): ExportStore {
  return storeOf(recordsOf(store))
}
