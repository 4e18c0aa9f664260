import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { type ExportedFile, rowsIn } from '../../values/export/exported-file.ts'
import { namesExport } from '../../values/export/file-path.ts'
import type { Row } from '../../values/export/parquet-content.ts'
import { rowMatcher } from '../../values/export/row-matcher.ts'
import { hasSucceeded } from '../../values/export/statuses.ts'
import { iso } from '../../values/export/times.ts'
import { textAt } from '../../values/json.ts'
import { backOff } from '../back-off.ts'
import { ignoreLoss, Stopped } from '../errors.ts'
import type { ExportContext } from './export-context.ts'
import { filesOf } from './exported-files.ts'
import type { ExportRequest, RegisteredDestination } from './exports.ts'

/** Export that has succeeded, with its files and export runs. */
export interface FinishedExport {
  readonly id: string
  readonly destination: RegisteredDestination
  readonly runs: readonly unknown[]
  readonly files: readonly ExportedFile[]
  /** Time from the request to the status that says it has succeeded, in milliseconds. */
  readonly tookMs: number
}

interface ExportWindowOptions {
  /** The requirement that the target accepts the export. */
  readonly requirement?: RequirementId
  /** @default a new destination under a unique prefix */
  readonly destination?: RegisteredDestination
}

/** Exports a window, waits until the export has succeeded, and reads its files. */
export async function exportWindow(
  { exports, bucket, driver }: Pick<ExportContext, 'exports' | 'bucket' | 'driver'>,
  request: Omit<ExportRequest, 'bulk_export_destination_id'>,
  { requirement, ...options }: ExportWindowOptions = {},
): Promise<FinishedExport> {
  const destination = options.destination ?? (await exports.destination())
  // Rules compare the time of the creation with this time of the service.
  await driver.now()
  const startedAt = performance.now()
  const id = await exports.create(
    { ...request, bulk_export_destination_id: destination.id },
    requirement && { requirement },
  )
  await succeeded(exports, id)
  const tookMs = performance.now() - startedAt
  const files = await filesOf(bucket, destination, [id])
  const own = files.filter(({ key }) => namesExport(key, id))
  const folders = new Set(own.map(({ key }) => key.slice(0, key.lastIndexOf('/'))))
  return { id, destination, runs: await exports.runs(id, folders.size), files, tookMs }
}

/**
 * Polls an export until it has succeeded.
 *
 * @throws Stopped if it ends without success
 */
export async function succeeded(exports: ExportContext['exports'], id: string): Promise<unknown> {
  const ended = await exports.waitForEnd(id)
  if (hasSucceeded(ended, exports.statusWords)) return ended
  try {
    // Reports show the errors of its runs.
    await exports.runs(id)
  } catch (error) {
    // Whether the runs can be read is a requirement of its own.
    if (!(error instanceof Stopped)) ignoreLoss(error)
  }
  throw new Stopped(`expected the export ${id} to succeed, received ${textAt(ended, 'status')}`, {
    requirement: 'export.execute.ends',
  })
}

/** Window in milliseconds since the Unix epoch. */
export interface SeededWindow {
  readonly startMs: number
  readonly endMs: number
  /** @default the project of the configuration */
  readonly sessionId?: string
}

/** Runs by what identifies them in rows. */
export type SeededRuns = readonly Pick<TraceRecord, 'id' | 'name' | 'start_time'>[]

/** Export of a window to which the driver has added runs. Times are milliseconds after the first export began. */
interface SeededExport {
  readonly exported: FinishedExport
  /** Rows that show none of the runs. */
  readonly others: readonly Row[]
  /** How many of the runs it contains. */
  readonly count: number
  readonly endedMs: number
  /** The export that was the first to contain as many runs as any until now. */
  readonly best: { readonly count: number; readonly endedMs: number; readonly isFirst: boolean }
}

/** Exports a window with runs of the driver again and again, until a function of the export does not return undefined. */
export async function exportUntil<T>(
  context: ExportContext,
  { startMs, endMs, sessionId }: SeededWindow,
  runs: SeededRuns,
  resultOf: (seeded: SeededExport) => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const request = { start_time: iso(startMs), end_time: iso(endMs), ...(sessionId && { session_id: sessionId }) }
  const startedAt = performance.now()
  let best: SeededExport['best'] | undefined
  for (let attempt = 1; ; attempt++) {
    const exported = await exportWindow(context, request)
    const rows = rowsIn(exported.files)
    const match = rowMatcher(runs, rows)
    const count = new Set(rows.flatMap((row) => match(row) ?? [])).size
    const endedMs = performance.now() - startedAt
    if (best === undefined || count > best.count) best = { count, endedMs, isFirst: attempt === 1 }
    const others = rows.filter((row) => match(row) === undefined)
    const result = await resultOf({ exported, others, count, endedMs, best })
    if (result !== undefined) return result
    await backOff(attempt)
  }
}
