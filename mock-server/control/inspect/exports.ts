import type { ExportStore } from '../../export/store/store.ts'
import type { BulkExport, ExportRun } from '../../export/types.ts'

/** An export with its runs. Times are milliseconds since the Unix epoch. */
export interface ExportDetail {
  readonly id: string
  readonly tenant_id: string
  readonly session_id: string
  readonly status: string
  readonly start_time: number
  /** Null for a scheduled export. */
  readonly end_time: number | null
  readonly interval_hours: number | null
  readonly filter: string | null
  readonly compression: string
  readonly created_at: number
  readonly finished_at: number | null
  /** The schedule that spawned it; null for any other export. */
  readonly source_bulk_export_id: string | null
  readonly destination: { readonly name: string; readonly bucket: string; readonly prefix: string } | undefined
  /** By date. */
  readonly runs: readonly ExportRunDetail[]
}

/** The part of an export on one date. */
export interface ExportRunDetail {
  readonly id: string
  readonly status: string
  /** The start of its date. */
  readonly start_time: number
  readonly rows_written: number
  /** The keys of its files. */
  readonly files: readonly string[]
  readonly retry_number: number
  /** Error messages by attempt. */
  readonly errors: Readonly<Record<string, string>> | null
}

export function describeExport(store: ExportStore, bulkExport: BulkExport): ExportDetail {
  const { id, tenant_id, session_id, status, start_time, end_time, interval_hours, filter, compression } = bulkExport
  const { created_at, finished_at, source_bulk_export_id } = bulkExport
  const destination = store.destinations.get(bulkExport.bulk_export_destination_id)
  return {
    ...{ id, tenant_id, session_id, status, start_time, end_time, interval_hours, filter, compression },
    ...{ created_at, finished_at, source_bulk_export_id },
    destination: destination && {
      name: destination.display_name,
      bucket: destination.config.bucket_name,
      prefix: destination.config.prefix,
    },
    runs: store.runsOf(id).map(describeRun),
  }
}

function describeRun({ partition, ...run }: ExportRun): ExportRunDetail {
  const { id, status, rows_written, files, retry_number, errors } = run
  return { id, status, rows_written, files, retry_number, errors, start_time: partition.startMs }
}
