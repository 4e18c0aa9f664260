import type { Partition } from './partition.ts'

/** Statuses of an export as they stand on the wire; the document names only `Cancelled`, the others are the public ones. */
export const EXPORT_STATUSES = [
  'Created',
  'IntervalScheduled',
  'Running',
  'Completed',
  'Failed',
  'Cancelled',
  'TimedOut',
] as const
export type ExportStatus = (typeof EXPORT_STATUSES)[number]

/** Statuses of an export run: those of an export, without `IntervalScheduled`. */
type ExportRunStatus = Exclude<ExportStatus, 'IntervalScheduled'>

/** How files may be compressed; `zstandard` is the public word for `zstd`. */
export const COMPRESSIONS = ['none', 'gzip', 'snappy', 'zstd', 'zstandard'] as const
export type Compression = (typeof COMPRESSIONS)[number]

/** How a bucket stands in the address of a request. */
export const ADDRESSING_STYLES = ['auto', 'path', 'virtual'] as const
export type AddressingStyle = (typeof ADDRESSING_STYLES)[number]

/** Where a destination's files go. */
export interface DestinationConfig {
  readonly bucket_name: string
  /** Without slashes at either end; an empty text is the bucket itself. */
  readonly prefix: string
  readonly region: string | null
  readonly endpoint_url: string | null
  readonly addressing_style: AddressingStyle
}

/** The keys that let the service write to a bucket. */
export interface Credentials {
  readonly access_key_id: string
  readonly secret_access_key: string
  readonly session_token?: string | undefined
}

/** An export destination as it is kept. Times are milliseconds since the Unix epoch. */
export interface Destination {
  readonly id: string
  readonly tenant_id: string
  readonly display_name: string
  readonly config: DestinationConfig
  /** The encrypted credentials; null where the runtime's own are used. */
  readonly sealed: string | null
  /** The names of the credentials that were given. */
  readonly credentials_keys: readonly string[]
  readonly created_at: number
  readonly updated_at: number
}

/** What an export is to do; one that a schedule spawns has all of it from there, but for its times. */
export interface ExportOrder {
  readonly bulk_export_destination_id: string
  readonly session_id: string
  readonly start_time: number
  /** Null on a scheduled export. */
  readonly end_time: number | null
  readonly filter: string | null
  readonly format_version: 'v1' | 'v2_beta'
  readonly compression: Compression
  readonly interval_hours: number | null
  readonly export_fields: readonly string[] | null
}

/** A bulk export as it is kept. Times are milliseconds since the Unix epoch. */
export interface BulkExport extends ExportOrder {
  readonly id: string
  readonly tenant_id: string
  readonly status: ExportStatus
  readonly created_at: number
  readonly updated_at: number
  /** When it began to execute. */
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly source_bulk_export_id: string | null
  /** The last window of a schedule that has been spawned, counted from 1; 0 before the first. */
  readonly spawned: number
}

/** The part of an export that covers one date. Times are milliseconds since the Unix epoch. */
export interface ExportRun {
  readonly id: string
  readonly tenant_id: string
  readonly bulk_export_id: string
  readonly session_id: string
  readonly partition: Partition
  readonly status: ExportRunStatus
  readonly retry_number: number
  /** Known problems, by the try in which they came. */
  readonly errors: Readonly<Record<string, string>> | null
  readonly created_at: number
  readonly updated_at: number
  readonly finished_at: number | null
  /** Rows in finished files, or while running, rows that have gone into the file so far. */
  readonly rows_written: number
  /** Keys of finished files. */
  readonly files: readonly string[]
  /** A multipart upload that has begun and has neither been completed nor aborted. */
  readonly upload: PendingUpload | null
}

/** A multipart upload under way. */
interface PendingUpload {
  readonly key: string
  readonly upload_id: string
}

/** Whether nothing more happens to an export or an export run by itself. */
export function hasEnded(status: ExportStatus): boolean {
  return status !== 'Created' && status !== 'IntervalScheduled' && status !== 'Running'
}
