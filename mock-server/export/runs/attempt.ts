import type { Random } from '../../runtime/random.ts'
import type { ScriptedExport } from '../../scripting/exports.ts'
import { type Bucket, BucketError } from '../bucket/bucket.ts'
import type { ExportContext } from '../context.ts'
import type { Compression } from '../files/compression.ts'
import { generateRuns } from '../traces/generate.ts'
import type { TraceRecord } from '../traces/record.ts'
import type { BulkExport, DestinationConfig, ExportRun } from '../types.ts'
import { type PartPool, Upload } from './upload.ts'

/** Number of retries of a request to a bucket before the run is retried. */
const REQUEST_RETRIES = 2
/** Number of retries of a run before it fails. */
export const RUN_RETRIES = 5

const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 30_000

/**
 * Returns the delay before retry `n`, counted from 0, in milliseconds.
 *
 * Delays double up to 30 seconds. A random factor from 0.5 to 1 spreads retries out.
 */
export function retryDelayMs(n: number, random: Random): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** n) * (0.5 + random() / 2)
}

/** Returns whether the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  return error instanceof BucketError && (error.problem === 'busy' || error.problem === 'unreachable')
}

/** A failure from a script. Clients see its message and nothing else. */
export class ScriptedFailure extends Error {
  override readonly name: string = 'ScriptedFailure'
}

/** Waits for the scripted time of a date, then throws ScriptedFailure if the script fails this date. */
async function playDate(
  { dateMs = 0, fail }: ScriptedExport,
  { partition: { year, month, day } }: ExportRun,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  if (dateMs > 0) await sleep(dateMs)
  const date = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
  const message = typeof fail === 'object' ? fail[date] : fail
  if (message !== undefined) throw new ScriptedFailure(message)
}

/** Shared by all runs of an export. */
export interface RunContext {
  readonly context: ExportContext
  readonly bulkExport: BulkExport
  readonly config: DestinationConfig
  /** Opens the bucket on first use. */
  readonly bucket: () => Promise<Bucket>
  readonly partPool: PartPool
  /** The filter of the export. */
  readonly matches: (record: TraceRecord) => boolean
  readonly signal: AbortSignal
  /** The scripted outcome of the export, if any. */
  readonly scripted: ScriptedExport | undefined
}

/** Waits by the clock of the server; rejects when the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

/** Outcome of a successful attempt. */
export interface AttemptResult {
  readonly rows: number
  /** Keys of the files. A date without rows has none. */
  readonly files: readonly string[]
}

/**
 * Makes one attempt to export a run. Every attempt writes to the same key, so that a retry never duplicates rows.
 *
 * Rejects with BucketError, ScriptedFailure, a TypeError for a record that does not fit its columns, or the reason of the
 * signal. It then leaves nothing in the bucket, unless the bucket refuses the cleanup.
 */
export async function attempt(runContext: RunContext, run: ExportRun, sleep: Sleep): Promise<AttemptResult> {
  await dropLeftover(runContext, run)
  const { scripted } = runContext
  if (scripted !== undefined) await playDate(scripted, run, (ms) => sleep(ms, runContext.signal))
  const batches = matchingRecords(runContext, run)
  // Do not create a writer for a date without rows: most dates of a long schedule have none.
  const first = await batches.next()
  if (first.done) return { rows: 0, files: [] }
  const { context, bulkExport, config, signal } = runContext
  const { policies } = context
  const key = policies.objectKey(config, bulkExport, run)
  const upload = uploadTo(runContext, run, key, sleep)
  try {
    const format = { columns: policies.columnsOf(bulkExport), compression: codecNameOf(bulkExport) }
    const { rows } = await policies.writeFile(format, countingRows(runContext, run, first.value, batches), upload)
    signal.throwIfAborted()
    await upload.finish()
    return { rows, files: [key] }
  } catch (error) {
    await upload.abandon()
    throw error
  }
}

function uploadTo(
  { context, bucket, partPool, signal }: RunContext,
  run: ExportRun,
  key: string,
  sleep: Sleep,
): Upload {
  const { store, random } = context
  return new Upload({
    bucket,
    key,
    parts: partPool,
    signal,
    onCreate: (upload_id) => store.runs.update(run, { upload: { key, upload_id } }),
    onAbort: () => store.runs.update(run, { upload: null }),
    retry: async (request) => {
      for (let n = 0; ; n++) {
        try {
          return await request()
        } catch (error) {
          if (signal.aborted || n >= REQUEST_RETRIES || !isTransient(error)) throw error
          await sleep(retryDelayMs(n, random), signal)
        }
      }
    },
  })
}

/**
 * Aborts the multipart upload that an earlier attempt or process left unfinished; gives up if the bucket refuses.
 *
 * Rejects with BucketError if the bucket does not respond. Do not upload anything then: the id of the unfinished upload
 * would be overwritten.
 */
export async function dropLeftover({ bucket, context: { store } }: RunContext, { id }: ExportRun): Promise<void> {
  const run = store.runs.get(id)
  if (!run?.upload) return
  const { key, upload_id } = run.upload
  const openBucket = await bucket()
  await openBucket.abortUpload(key, upload_id).catch((error: unknown) => {
    if (isTransient(error)) throw error
  })
  store.runs.update(run, { upload: null })
}

/** Yields the records of the run's date that pass the filter. */
async function* matchingRecords(
  { context, bulkExport, matches, signal, scripted }: RunContext,
  run: ExportRun,
): AsyncGenerator<readonly TraceRecord[]> {
  const records =
    scripted?.rows === undefined
      ? context.policies.recordsOf(context.traces, bulkExport, run.partition)
      : generateRuns(scripted.rows, {
          seed: run.id,
          tenantId: run.tenant_id,
          sessionId: run.session_id,
          ...run.partition,
        })
  for await (const batch of records) {
    signal.throwIfAborted()
    const matching = batch.filter(matches)
    if (matching.length > 0) yield matching
  }
}

/** Yields the same records and updates `rows_written` of the run. */
async function* countingRows(
  { context: { store, clock } }: RunContext,
  run: ExportRun,
  first: readonly TraceRecord[],
  others: AsyncIterable<readonly TraceRecord[]>,
): AsyncGenerator<readonly TraceRecord[]> {
  let rows_written = 0
  const count = (batch: readonly TraceRecord[]): void => {
    rows_written += batch.length
    store.runs.update(run, { rows_written, updated_at: clock.now() })
  }
  yield first
  count(first)
  for await (const batch of others) {
    yield batch
    count(batch)
  }
}

function codecNameOf({ compression }: BulkExport): Compression {
  return compression === 'zstandard' ? 'zstd' : compression
}
