import type { Call } from '../http/route.ts'
import type { Clock } from '../runtime/clock.ts'
import { createIds } from '../runtime/ids.ts'
import type { Random } from '../runtime/random.ts'
import type { OpenBucket } from './bucket/bucket.ts'
import { type BucketMessages, destinationErrors, type WriteTestFile, writeTestFile } from './destinations/test-file.ts'
import { type Feature, hasFeature, type Installation } from './features.ts'
import { type Column, columnsOf, EXPORT_FIELDS } from './files/columns.ts'
import { fileKey } from './files/path.ts'
import type { ByteSink, FileFormat } from './files/write.ts'
import { compileFilterText } from './filter/compile.ts'
import type { Caller, Plan } from './keys.ts'
import type { ExportStore } from './store/store.ts'
import type { TraceRecord } from './traces/record.ts'
import type { TraceSource } from './traces/store.ts'
import type { BulkExport, DestinationConfig, ExportRun } from './types.ts'
import { type Partition, partitionsOf, type ScheduleWindow, windowOf } from './windows.ts'

/** Replaceable policies of the export API. */
export interface ExportPolicies {
  /** Creates the id generator. */
  readonly createIds: (clock: Clock, random: Random) => () => string
  /** Whether a plan may use the export API. */
  readonly mayExport: (plan: Plan) => boolean
  readonly hasFeature: (feature: Feature, installation: Installation) => boolean
  /** Whether a caller may see a record. */
  readonly mayUse: (call: Call<Caller>, record: { readonly tenant_id: string }) => boolean
  readonly openBucket: OpenBucket
  readonly writeTestFile: WriteTestFile
  /** Messages for bucket problems when a destination is registered. */
  readonly destinationErrors: BucketMessages
  /** Valid names in `export_fields`. */
  readonly exportFields: readonly string[]
  /** Compiles a filter into a test of records. Throws ApiError for a syntax error. */
  readonly compileFilter: (filter: string) => (record: TraceRecord) => boolean
  readonly partitionsOf: (startMs: number, endMs: number) => readonly Partition[]
  readonly windowOf: (startMs: number, hours: number, n: number) => ScheduleWindow
  /** Number of the window of a schedule to spawn next, counted from 1. */
  readonly nextWindow: (schedule: BulkExport) => number
  /** `source_bulk_export_id` of the exports that a schedule spawns. */
  readonly sourceOf: (schedule: BulkExport) => string | null
  /** Exports to cancel when this export is cancelled. */
  readonly cancelledWith: (target: BulkExport, store: ExportStore) => readonly BulkExport[]
  /** Stops the execution of a cancelled export. */
  readonly stopExecution: (stop: () => Promise<void>) => Promise<void>
  /** Records of a partition in file order, before the filter. */
  readonly recordsOf: (
    traces: TraceSource,
    bulkExport: BulkExport,
    partition: Partition,
  ) => AsyncIterable<readonly TraceRecord[]>
  readonly columnsOf: (bulkExport: BulkExport) => readonly Column[]
  /** Key of the file of a run. */
  readonly objectKey: (config: DestinationConfig, bulkExport: BulkExport, run: ExportRun) => string
  readonly writeFile: (
    format: FileFormat,
    rows: AsyncIterable<readonly TraceRecord[]>,
    sink: ByteSink,
  ) => Promise<{ readonly rows: number }>
  /** Maximum time that a jump of the clock waits for work in progress, in milliseconds of real time. */
  readonly longestHoldMs: number
}

/** Policies of a server that follows the specification. */
export const defaultExportPolicies: ExportPolicies = {
  createIds: (clock, random) => createIds(clock, random).task,
  mayExport: (plan) => plan !== 'developer',
  hasFeature,
  mayUse: ({ caller }, { tenant_id }) => caller.tenantId === tenant_id,
  // The S3 client is loaded with the first bucket: it takes time and memory.
  openBucket: async (access) => (await import('./bucket/s3.ts')).openS3Bucket(access),
  writeTestFile,
  destinationErrors,
  exportFields: EXPORT_FIELDS,
  compileFilter: compileFilterText,
  partitionsOf,
  windowOf,
  nextWindow: ({ spawned }) => spawned + 1,
  sourceOf: ({ id }) => id,
  cancelledWith: (target) => [target],
  stopExecution: (stop) => stop(),
  recordsOf: (traces, { tenant_id, session_id }, { startMs, endMs }) =>
    traces.scan({ tenantId: tenant_id, sessionId: session_id, startMs, endMs }),
  columnsOf: ({ export_fields }) => columnsOf(export_fields ?? undefined),
  objectKey: ({ prefix }, { id, tenant_id, session_id }, { id: runId, partition: { year, month, day } }) =>
    fileKey({
      prefix,
      exportId: id,
      tenantId: tenant_id,
      sessionId: session_id,
      year,
      month,
      day,
      file: `${runId}.parquet`,
    }),
  // Loaded on first use, because the Parquet code is large.
  writeFile: async (...file) => (await import('./files/write.ts')).writeFile(...file),
  longestHoldMs: 10_000,
}
