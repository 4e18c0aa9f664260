import type { Partition } from './windows.ts'

/** Statuses of an export. The specification names only `Cancelled`; the others are those of the public server. */
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

/** Status of an export run. */
type ExportRunStatus = Exclude<ExportStatus, 'IntervalScheduled'>

/** Compressions of files. `zstandard` is the public server's name of `zstd`. */
export const COMPRESSIONS = ['none', 'gzip', 'snappy', 'zstd', 'zstandard'] as const
type Compression = (typeof COMPRESSIONS)[number]

/** Position of the bucket name in the address of a request. */
export const ADDRESSING_STYLES = ['auto', 'path', 'virtual'] as const
type AddressingStyle = (typeof ADDRESSING_STYLES)[number]

/** Location of the files of a destination. */
export interface DestinationConfig {
  readonly bucket_name: string
  /** Without slashes at its ends; empty for the root of the bucket. */
  readonly prefix: string
  readonly region: string | null
  readonly endpoint_url: string | null
  readonly addressing_style: AddressingStyle
}

/** Credentials of a bucket. */
export interface Credentials {
  readonly access_key_id: string
  readonly secret_access_key: string
  readonly session_token?: string | undefined
}

/** A stored export destination. Times are milliseconds since the Unix epoch. */
export interface Destination {
  readonly id: string
  readonly tenant_id: string
  readonly display_name: string
  readonly config: DestinationConfig
  /** Encrypted credentials; null if those of the runtime are used. */
  readonly sealed: string | null
  /** Names of the credentials. */
  readonly credentials_keys: readonly string[]
  readonly created_at: number
  readonly updated_at: number
}

/** Settings of an export. A spawned export has those of its schedule, except for the times. */
export interface ExportOrder {
  readonly bulk_export_destination_id: string
  readonly session_id: string
  readonly start_time: number
  /** Null for a scheduled export. */
  readonly end_time: number | null
  readonly filter: string | null
  readonly format_version: 'v1' | 'v2_beta'
  readonly compression: Compression
  readonly interval_hours: number | null
  readonly export_fields: readonly string[] | null
}

/** A stored bulk export. Times are milliseconds since the Unix epoch. */
export interface BulkExport extends ExportOrder {
  readonly id: string
  readonly tenant_id: string
  readonly status: ExportStatus
  readonly created_at: number
  readonly updated_at: number
  /** Start of the execution. */
  readonly started_at: number | null
  readonly finished_at: number | null
  readonly source_bulk_export_id: string | null
  /** Number of windows of a schedule that have been spawned. */
  readonly spawned: number
}

/** A stored run: the part of an export on one date. Times are milliseconds since the Unix epoch. */
export interface ExportRun {
  readonly id: string
  readonly tenant_id: string
  readonly bulk_export_id: string
  readonly session_id: string
  readonly partition: Partition
  readonly status: ExportRunStatus
  readonly retry_number: number
  /** Error messages by attempt: `retry_0`, `retry_1` and so on. */
  readonly errors: Readonly<Record<string, string>> | null
  readonly created_at: number
  readonly updated_at: number
  readonly finished_at: number | null
  /** Rows in finished files or, while running, rows written so far. */
  readonly rows_written: number
  /** Keys of finished files. */
  readonly files: readonly string[]
  /** Multipart upload that is neither completed nor aborted. */
  readonly upload: PendingUpload | null
}

/** An unfinished multipart upload. */
interface PendingUpload {
  readonly key: string
  readonly upload_id: string
}

/** Returns whether a status is final. */
export function hasEnded(status: ExportStatus): boolean {
  return status !== 'Created' && status !== 'IntervalScheduled' && status !== 'Running'
}
