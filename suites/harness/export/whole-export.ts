import { rowsIn } from '../../values/export/exported-file.ts'
import { type KnownRun, runOf } from '../../values/export/known-run.ts'
import type { Row } from '../../values/export/parquet-content.ts'
import { iso } from '../../values/export/times.ts'
import { Inconclusive, Stopped } from '../errors.ts'
import type { ExportContext } from './export-context.ts'
import { exportWindow, type FinishedExport } from './export-window.ts'
import { testWindow, windowRemedy } from './test-window.ts'

/** Export of the test window without `filter` and `export_fields`, created once in each session. */
export function wholeExport(context: ExportContext): Promise<FinishedExport> {
  return context.session.memoize('whole export', async () => {
    const { seeded, bounds } = await testWindow(context)
    return seeded ?? exportWindow(context, bounds)
  })
}

/**
 * Rows of the whole export.
 *
 * @throws Inconclusive if the project has no runs in the test window
 * @throws Stopped if a file is not Parquet, or the export has no rows although the project has runs
 */
export async function wholeRows(context: ExportContext): Promise<readonly Row[]> {
  const { files, id } = await wholeExport(context)
  const invalid = files.find(({ content }) => content === undefined)
  if (invalid !== undefined)
    throw new Stopped(`${invalid.key} is not a Parquet file`, { requirement: 'export.file.parquet' })
  const rows = rowsIn(files)
  if (rows.length > 0) return rows
  const { seeded, bounds } = await testWindow(context)
  if (seeded !== undefined)
    throw new Stopped(`the export ${id} has no rows`, { requirement: 'export.service.own-bucket' })
  throw new Inconclusive(
    `the export of the project from ${bounds.start_time} to ${bounds.end_time} contains no runs`,
    windowRemedy(context.session, 'a time with runs'),
  )
}

/**
 * Runs in the whole export.
 *
 * @throws Stopped if no row has an id, or no row has a start time
 */
export async function wholeRuns(context: ExportContext): Promise<readonly KnownRun[]> {
  const rows = await wholeRows(context)
  for (const column of ['id', 'start_time'] as const)
    if (!rows.some((row) => column in row))
      throw new Stopped(`no row has the column ${column}`, { requirement: `export.record.${column}.column` })
  return rows.flatMap((row) => runOf(row) ?? [])
}

/** Exports the test window in two parts, once in each session. `cutMs` is the start of the run at which it is cut. */
export function splitExport(context: ExportContext) {
  return context.session.memoize('split export', async () => {
    const { bounds, startMs, endMs, seeded, ...window } = await testWindow(context)
    const runs = await wholeRuns(context)
    // Rules learn from this export which runs are excluded by default. Another scenario sends filters that must be accepted.
    if (seeded === undefined)
      await exportWindow(context, { ...bounds, filter: 'like(name, "%")' }).catch((error: unknown) => {
        if (!(error instanceof Stopped)) throw error
      })
    const starts = runs.map((run) => Date.parse(run.start_time)).sort((a, b) => a - b)
    const inside = starts.filter((ms) => ms > startMs && ms < endMs)
    const { cutMs = inside[Math.floor(inside.length / 2)] } = window
    if (cutMs === undefined)
      throw new Inconclusive(
        'no run starts in the middle of the window',
        windowRemedy(context.session, 'a time with runs'),
      )
    const destination = await context.exports.destination({ prefix: `touchstone/Test run/${crypto.randomUUID()}` })
    const [first, second] = await Promise.all([
      exportWindow(context, { ...bounds, end_time: iso(cutMs) }),
      exportWindow(context, { ...bounds, start_time: iso(cutMs) }, { destination }),
    ])
    return { cutMs, first, second }
  })
}
