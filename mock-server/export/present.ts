import { offsetTimestamp } from '../runtime/timestamp.ts'
import type { BulkExport, Destination, ExportRun } from './types.ts'

/** Turns a record into what an answer shows; the names are the public ones where the document has none. */
export type Presenter<T> = (record: T) => object

/** A destination as it is shown: the names of its credentials, never what they hold. */
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

/** An export as it is shown. Section of the document: Bulk export. */
export const presentExport: Presenter<BulkExport> = (bulkExport) => ({
  id: bulkExport.id,
  tenant_id: bulkExport.tenant_id,
  bulk_export_destination_id: bulkExport.bulk_export_destination_id,
  session_id: bulkExport.session_id,
  start_time: offsetTimestamp(bulkExport.start_time),
  end_time: moment(bulkExport.end_time),
  filter: bulkExport.filter,
  format: 'Parquet',
  format_version: bulkExport.format_version,
  compression: bulkExport.compression,
  interval_hours: bulkExport.interval_hours,
  export_fields: bulkExport.export_fields,
  status: bulkExport.status,
  created_at: offsetTimestamp(bulkExport.created_at),
  updated_at: offsetTimestamp(bulkExport.updated_at),
  finished_at: moment(bulkExport.finished_at),
  source_bulk_export_id: bulkExport.source_bulk_export_id,
})

/** An export run as it is shown; `place` is where its files go. Section of the document: Export run. */
export function presentRun(run: ExportRun, place: { readonly bucket: string; readonly path: string }): object {
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
    finished_at: moment(run.finished_at),
    metadata: {
      prefix: place.path,
      start_time: offsetTimestamp(run.partition.startMs),
      end_time: offsetTimestamp(run.partition.endMs),
      result: {
        rows_written: run.rows_written,
        exported_files: run.files.map((key) => `${place.bucket}/${key}`),
        export_path: `${place.bucket}/${place.path}`,
        latest_cursor: null,
      },
    },
  }
}

function moment(ms: number | null): string | null {
  return ms === null ? null : offsetTimestamp(ms)
}
