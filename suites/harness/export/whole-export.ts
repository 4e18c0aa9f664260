import { Inconclusive, Stopped } from '../errors.ts'
import type { ExportContext } from './export-context.ts'
import { exportWindow, type FinishedExport } from './export-window.ts'
import { rowsIn } from './exported-files.ts'
import { type KnownRun, runOf } from './known-run.ts'
import type { Row } from './parquet.ts'
import { type TestWindow, testWindow, windowRemedy } from './test-window.ts'
import { iso } from './times.ts'

/** The export of the whole window, without filter and fields; made once. */
export function wholeExport(context: ExportContext): Promise<FinishedExport & { readonly window: TestWindow }> {
  return context.session.memoize('whole export', async () => {
    const found = await testWindow(context)
    const order = { start_time: found.start, end_time: found.end }
    return { ...(found.seeded ?? (await exportWindow(context, order))), window: found }
  })
}

/** The rows of the whole export. Throws if there are none. */
export async function wholeRows(context: ExportContext): Promise<readonly Row[]> {
  const { files, window: found, id } = await wholeExport(context)
  const rows = rowsIn(files)
  if (rows.length > 0) return rows
  if (found.seeded !== undefined)
    throw new Stopped(`the export ${id} has no rows`, { requirement: 'export.service.own-bucket' })
  throw new Inconclusive(
    `the export of the project from ${found.start} to ${found.end} contains no runs`,
    windowRemedy(context.session, 'a time with runs'),
  )
}

/** The runs that the whole export contains, by the columns that tell them apart. */
export async function wholeRuns(context: ExportContext): Promise<readonly KnownRun[]> {
  const rows = await wholeRows(context)
  for (const column of ['id', 'start_time'] as const)
    if (!rows.some((row) => column in row))
      throw new Stopped(`no row has the column ${column}`, { requirement: `export.record.${column}.column` })
  return rows.flatMap((row) => runOf(row) ?? [])
}

/** Exports the whole window in two parts, once: cut at the start of a run in the middle. */
export function splitExport(context: ExportContext) {
  return context.session.memoize('halves of the window', async () => {
    const { start, end, startMs, endMs, seeded } = (await wholeExport(context)).window
    // Then the halves show what a filter by default excludes.
    if (seeded === undefined) await everyName(context)
    const starts = (await wholeRuns(context)).map((run) => Date.parse(run.start_time)).sort((a, b) => a - b)
    const inside = starts.filter((ms) => ms > startMs && ms < endMs)
    const cutMs = inside[Math.floor(inside.length / 2)]
    if (cutMs === undefined)
      throw new Inconclusive(
        'no run starts in the middle of the window',
        windowRemedy(context.session, 'a time with runs'),
      )
    const [first, second] = await Promise.all([
      exportWindow(context, { start_time: start, end_time: iso(cutMs) }),
      exportWindow(context, { start_time: iso(cutMs), end_time: end }),
    ])
    return { cutMs, first, second }
  })
}

/**
 * Whether the export with the filter that every name passes contains all runs of the whole one, made once. Throws nothing
 * if the target refuses the filter, which is tested elsewhere.
 */
export function everyName(context: ExportContext): Promise<boolean> {
  return context.session.memoize('export of every name', async () => {
    const { start, end } = (await wholeExport(context)).window
    const order = { start_time: start, end_time: end, filter: 'like(name, "%")' }
    const rows = await exportWindow(context, order).then(
      ({ files }) => rowsIn(files),
      (error: unknown) => {
        if (error instanceof Stopped) return []
        throw error
      },
    )
    const ids = new Set(rows.map((row) => row['id']))
    return (await wholeRows(context)).every((row) => ids.has(row['id']))
  })
}
