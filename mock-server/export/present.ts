import { offsetTimestamp } from '../runtime/timestamp.ts'
import type { BulkExport, Destination, ExportRun } from './types.ts'

/** Converts a record into its JSON in responses. Fields that the specification does not name follow the public server. */
export type Presenter<T> = (record: T) => object

/** Presents a destination: the names of its credentials, never their values. */
export const presentDestination: Presenter<Destination> = ({ sealed: _, ...destination }) => {
  const { addressing_style, ...config } = destination.config
  return {
    ...destination,
    destination_type: 's3',
    config: { ...config, config_kwargs_s3: { addressing_style } },
    created_at: offsetTimestamp(destination.created_at),
    updated_at: offsetTimestamp(destination.updated_at),
  }
}

/** Presents an export. Section of the specification: Bulk export. */
export const presentExport: Presenter<BulkExport> = (bulkExport) => ({
  id: bulkExport.id,
  tenant_id: bulkExport.tenant_id,
  bulk_export_destination_id: bulkExport.bulk_export_destination_id,
  session_id: bulkExport.session_id,
  start_time: offsetTimestamp(bulkExport.start_time),
  end_time: optionalTimestamp(bulkExport.end_time),
  filter: bulkExport.filter,
  format: 'Parquet',
  format_version: bulkExport.format_version,
  compression: bulkExport.compression,
  interval_hours: bulkExport.interval_hours,
  export_fields: bulkExport.export_fields,
  status: bulkExport.status,
  created_at: offsetTimestamp(bulkExport.created_at),
  updated_at: offsetTimestamp(bulkExport.updated_at),
  finished_at: optionalTimestamp(bulkExport.finished_at),
  source_bulk_export_id: bulkExport.source_bulk_export_id,
})

/** Presents an export run; `location` is the location of its files. Section of the specification: Export run. */
export function presentRun(run: ExportRun, location: { readonly bucket: string; readonly path: string }): object {
  return {
    id: run.id,
    bulk_export_id: run.bulk_export_id,
    session_id: run.session_id,
    status: run.status,
    retry_number: run.retry_number,
    errors: run.errors,
    created_at: offsetTimestamp(run.created_at),
    updated_at: offsetTimestamp(run.updated_at),
    start_time: offsetTimestamp(run.partition.startMs),
    end_time: offsetTimestamp(run.partition.endMs),
    finished_at: optionalTimestamp(run.finished_at),
    metadata: {
      prefix: location.path,
      start_time: offsetTimestamp(run.partition.startMs),
      end_time: offsetTimestamp(run.partition.endMs),
      result: {
        rows_written: run.rows_written,
        exported_files: run.files.map((key) => `${location.bucket}/${key}`),
        export_path: `${location.bucket}/${location.path}`,
        latest_cursor: null,
      },
    },
  }
}

function optionalTimestamp(ms: number | null): string | null {
  return ms === null ? null : offsetTimestamp(ms)
}
