import type { ExportPolicies } from '../../../mock-server/export/policies.ts'
import type { TraceRecord } from '../../../mock-server/export/traces/record.ts'
import type { ChangeExports } from '../mutant.ts'

type RecordsOf = ExportPolicies['recordsOf']
export type BulkExport = Parameters<RecordsOf>[1]

/** Whether an export is one-off, without filter and export_fields. */
export function isPlain({ filter, export_fields, source_bulk_export_id }: BulkExport): boolean {
  return filter === null && export_fields === null && source_bulk_export_id === null
}

/** Selects one of 32 records: some in each seeded window, whatever its seed. */
export function isPicked({ id }: TraceRecord): boolean {
  return /[0-7]f$/.test(id)
}

/** Replaces each record of some exports by any number of records. */
export function changeRecords(
  change: (record: TraceRecord, bulkExport: BulkExport) => readonly TraceRecord[],
  when: (bulkExport: BulkExport) => boolean = isPlain,
): ChangeExports {
  return ({ recordsOf }) => ({
    recordsOf: (traces, bulkExport, partition) => {
      const usual = recordsOf(traces, bulkExport, partition)
      return when(bulkExport) ? changed(usual, (record) => change(record, bulkExport)) : usual
    },
  })
}

async function* changed(
  batches: AsyncIterable<readonly TraceRecord[]>,
  change: (record: TraceRecord) => readonly TraceRecord[],
): AsyncGenerator<readonly TraceRecord[]> {
  for await (const batch of batches) yield batch.flatMap((record) => [...change(record)])
}

/** Changes the time range of some exports. */
export function changeRange(
  change: (range: { startMs: number; endMs: number }, bulkExport: BulkExport) => { startMs: number; endMs: number },
): ChangeExports {
  return ({ recordsOf }) => ({
    recordsOf: (traces, bulkExport, partition) =>
      recordsOf(traces, bulkExport, { ...partition, ...change(partition, bulkExport) }),
  })
}
