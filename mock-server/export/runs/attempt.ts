import type { ScriptedExport } from '../../scripting/exports.ts'
import type { Bucket } from '../bucket/bucket.ts'
import type { ExportContext } from '../context.ts'
import type { Compression } from '../files/compression.ts'
import { generateRuns } from '../traces/generate.ts'
import type { TraceRecord } from '../traces/record.ts'
import type { BulkExport, DestinationConfig, ExportRun } from '../types.ts'
import { mayPass, REQUEST_RETRIES, retryDelayMs } from './retry.ts'
import type { PartPool } from './upload.ts'
import { Upload } from './upload.ts'

/** A failure from a script. Clients see its message and nothing else. */
export class ScriptedFailure extends Error {
  override readonly name: string = 'ScriptedFailure'
}

/** Waits as long as the script says a date takes, then throws ScriptedFailure if the script says that the date fails. */
export async function playDate(
  { dateMs = 0, fail }: ScriptedExport,
  { partition: { year, month, day } }: ExportRun,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  if (dateMs > 0) await sleep(dateMs)
  const date = [year, month, day].map((part) => String(part).padStart(2, '0')).join('-')
  const message = typeof fail === 'object' ? fail[date] : fail
  if (message !== undefined) throw new ScriptedFailure(message)
}

/** What every run of an export works with. */
export interface RunTools {
  readonly context: ExportContext
  readonly bulkExport: BulkExport
  readonly config: DestinationConfig
  readonly bucket: () => Promise<Bucket>
  /** For all its uploads. */
  readonly uploadParts: PartPool
  readonly matches: (record: TraceRecord) => boolean
  readonly signal: AbortSignal
  /** What a script says of this export. */
  readonly scripted: ScriptedExport | undefined
}

/** Waits by the clock of the server; rejects when the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

/** What a run wrote. */
export interface Written {
  readonly rows: number
  /** Keys of the files; a date without rows has none. */
  readonly files: readonly string[]
}

/**
 * Tries to export one run. It always writes to the same key, so that rows are never there twice, whatever came of the
 * try before. Rejects with BucketError, ScriptedFailure, a TypeError for a record that does not fit its columns, or the
 * signal's reason; nothing is left behind then, as far as the bucket permits.
 */
export async function attempt(tools: RunTools, run: ExportRun, sleep: Sleep): Promise<Written> {
  await dropLeftover(tools, run)
  const { scripted } = tools
  if (scripted !== undefined) await playDate(scripted, run, (ms) => sleep(ms, tools.signal))
  const batches = selected(tools, run)
  // Most dates of a long schedule are empty: for those, nothing of a file is made at all.
  const first = await batches.next()
  if (first.done) return { rows: 0, files: [] }
  const { context, bulkExport, config, signal } = tools
  const { policies } = context
  const key = policies.objectKey(config, bulkExport, run)
  const upload = uploadTo(tools, run, key, sleep)
  try {
    const format = { columns: policies.columnsOf(bulkExport), compression: codecNameOf(bulkExport) }
    const { rows } = await policies.writeFile(format, progressing(tools, run, first.value, batches), upload)
    signal.throwIfAborted()
    await upload.finish()
    return { rows, files: [key] }
  } catch (error) {
    await upload.abandon()
    throw error
  }
}

function uploadTo(
  { context, bucket, uploadParts, signal }: RunTools,
  run: ExportRun,
  key: string,
  sleep: Sleep,
): Upload {
  const { store, random } = context
  return new Upload({
    bucket,
    key,
    parts: uploadParts,
    signal,
    onBegin: (upload_id) => store.runs.update(run, { upload: { key, upload_id } }),
    onEnd: () => store.runs.update(run, { upload: null }),
    repeat: async (request) => {
      for (let n = 0; ; n++) {
        try {
          return await request()
        } catch (error) {
          if (signal.aborted || n >= REQUEST_RETRIES || !mayPass(error)) throw error
          await sleep(retryDelayMs(n, random), signal)
        }
      }
    },
  })
}

/**
 * Throws away what an earlier try, or a process that ended half way, has uploaded and could not throw away itself. What
 * the bucket does not permit is left. Rejects with BucketError while it does not answer: before that, nothing more may be
 * uploaded, else this would be forgotten.
 */
export async function dropLeftover({ bucket, context: { store } }: RunTools, { id }: ExportRun): Promise<void> {
  const run = store.runs.get(id)
  if (!run?.upload) return
  const { key, upload_id } = run.upload
  const open = await bucket()
  await open.abortUpload(key, upload_id).catch((error: unknown) => {
    if (mayPass(error)) throw error
  })
  store.runs.update(run, { upload: null })
}

/** The records of a run's date that pass the filter. */
async function* selected(
  { context, bulkExport, matches, signal, scripted }: RunTools,
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
    const passing = batch.filter(matches)
    if (passing.length > 0) yield passing
  }
}

/** The same records; how many went by is kept with the run. */
async function* progressing(
  { context: { store, clock } }: RunTools,
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
