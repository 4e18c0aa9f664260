import type { Call } from '../http/route.ts'
import type { Clock } from '../runtime/clock.ts'
import { createIds } from '../runtime/ids.ts'
import type { Random } from '../runtime/random.ts'
import { type OpenBucket, openBucket } from './bucket/bucket.ts'
import { type BucketWords, destinationErrors, type WriteTestFile, writeTestFile } from './destinations/test-file.ts'
import { type Feature, hasFeature, type Installation } from './features.ts'
import { type Column, columnsOf, EXPORT_FIELDS } from './files/columns.ts'
import { fileKey } from './files/path.ts'
import type { ByteSink, FileFormat } from './files/write.ts'
import { compileFilterText } from './filter/compile.ts'
import type { Caller, Plan } from './keys.ts'
import { type Partition, partitionsOf } from './partition.ts'
import { type ScheduleWindow, windowOf } from './schedule.ts'
import type { ExportStore } from './store/store.ts'
import type { TraceRecord } from './traces/record.ts'
import type { TraceSource } from './traces/store.ts'
import type { BulkExport, DestinationConfig, ExportRun } from './types.ts'

/** The policies of the export API that can be replaced one by one: each is a policy of its own. */
export interface ExportPolicies {
  /** Makes the ids of everything that is created. */
  readonly createIds: (clock: Clock, random: Random) => () => string
  /** Whether a plan may use the export API. */
  readonly mayExport: (plan: Plan) => boolean
  readonly hasFeature: (feature: Feature, installation: Installation) => boolean
  /** Whether a caller may know of a record. */
  readonly mayUse: (call: Call<Caller>, record: { readonly tenant_id: string }) => boolean
  readonly openBucket: OpenBucket
  readonly writeTestFile: WriteTestFile
  /** Words for what a bucket refused when a destination was registered. */
  readonly destinationErrors: BucketWords
  /** The names that `export_fields` may hold. */
  readonly exportFields: readonly string[]
  /** A test of records from the text of a filter. Throws ApiError for a text that is none. */
  readonly compileFilter: (filter: string) => (record: TraceRecord) => boolean
  readonly partitionsOf: (startMs: number, endMs: number) => readonly Partition[]
  readonly windowOf: (startMs: number, hours: number, n: number) => ScheduleWindow
  /** Which window of a schedule is spawned next, counted from 1. */
  readonly nextWindow: (schedule: BulkExport) => number
  /** What `source_bulk_export_id` of an export that this schedule spawns is. */
  readonly sourceOf: (schedule: BulkExport) => string | null
  /** Everything that is cancelled when this export is. */
  readonly cancelledWith: (target: BulkExport, store: ExportStore) => readonly BulkExport[]
  /** Stops what a cancelled export still does. */
  readonly stopExecution: (stop: () => Promise<void>) => Promise<void>
  /** The records of a part of an export in the order of its file, before the filter. */
  readonly recordsOf: (
    traces: TraceSource,
    bulkExport: BulkExport,
    partition: Partition,
  ) => AsyncIterable<readonly TraceRecord[]>
  readonly columnsOf: (bulkExport: BulkExport) => readonly Column[]
  /** The key of the file of a run. */
  readonly objectKey: (config: DestinationConfig, bulkExport: BulkExport, run: ExportRun) => string
  readonly writeFile: (
    format: FileFormat,
    rows: AsyncIterable<readonly TraceRecord[]>,
    sink: ByteSink,
  ) => Promise<{ readonly rows: number }>
  /** Milliseconds of real time that a jump of the clock waits for work under way. */
  readonly longestHoldMs: number
}

/** The policies of a server that follows the document. */
export const defaultExportPolicies: ExportPolicies = {
  createIds: (clock, random) => createIds(clock, random).task,
  mayExport: (plan) => plan !== 'developer',
  hasFeature,
  mayUse: ({ caller }, { tenant_id }) => caller.tenantId === tenant_id,
  openBucket,
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
  // Loaded with the first file: it takes time and memory that an idle server spares.
  writeFile: async (...file) => (await import('./files/write.ts')).writeFile(...file),
  longestHoldMs: 10_000,
}
