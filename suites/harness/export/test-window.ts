import { rowsIn } from '../../values/export/exported-file.ts'
import { type KnownRun, runOf } from '../../values/export/known-run.ts'
import type { Row } from '../../values/export/parquet-content.ts'
import { iso } from '../../values/export/times.ts'
import { Inconclusive, Stopped } from '../errors.ts'
import type { Session } from '../session.ts'
import { awkwardRuns } from './awkward-runs.ts'
import type { ExportContext } from './export-context.ts'
import { exportWindow, type FinishedExport } from './export-window.ts'
import { exportSeededRuns, reservedDays } from './reserved-days.ts'
import { createRecords } from './seeds.ts'
import { serviceNow } from './service-clock.ts'

/** Window that most scenarios export: one with runs of the driver, or the window in the configuration. */
export interface TestWindow {
  /** Window of an export's creation, ISO 8601. */
  readonly bounds: { readonly start_time: string; readonly end_time: string }
  /** Milliseconds since the Unix epoch. */
  readonly startMs: number
  readonly endMs: number
  /** Time on a date of the window at which runs of the driver start, in milliseconds since the Unix epoch. */
  readonly cutMs?: number
  /** Export of the window after the driver added runs; undefined if the driver cannot add runs. */
  readonly seeded: FinishedExport | undefined
}

const hour = 3_600_000
const day = 24 * hour
/** Enough for about a hundred runs a date: a trace has 3.7 runs on average. */
const traces = 100

/** Returns the test window. Its runs are added once in each session. */
export function testWindow(context: ExportContext): Promise<TestWindow> {
  const { session, driver, declared } = context
  return session.memoize('test window', async () => {
    const window = (await driver.offers('seedRuns'))
      ? await seedWindow(context)
      : { ...declaredWindow(declared.window, await serviceNow(context)), seeded: undefined }
    return { ...window, bounds: { start_time: iso(window.startMs), end_time: iso(window.endMs) } }
  })
}

/** Adds runs in and around a window that includes the end of a month, and to another project. */
async function seedWindow(context: ExportContext) {
  const { monthMs, seed } = await reservedDays(context)
  // Neither border is a full hour, minute or second.
  const window = { startMs: monthMs - 2 * day + 6 * hour + 1_234_567, endMs: monthMs + day + 18 * hour + 2_345_678 }
  const cutMs = monthMs - 12 * hour
  const borders = [window.startMs, monthMs - day, cutMs, monthMs, monthMs + day, window.endMs]
  const around = { startMs: window.startMs - 6 * hour, endMs: window.endMs + 6 * hour, traces, borders }
  const awkward = { startMs: monthMs - day + hour, endMs: monthMs - day + 2 * hour }
  const records = [
    ...(await createRecords(context, { ...around, seed })),
    ...(await awkwardRuns(context, { ...awkward, seed, crossed: [window.startMs, monthMs, window.endMs] })),
  ]
  const others = await createRecords(context, { ...window, seed, sessionId: crypto.randomUUID(), traces: 10 })
  await context.driver.seedRuns([...records, ...others])
  return { ...window, cutMs, seeded: await exportSeededRuns(context, records, window) }
}

/** Defaults to the three days up to an hour ago: runs of the last hour may still change. */
function declaredWindow(declared: { readonly start: string; readonly end: string } | undefined, now: number) {
  if (declared) return { startMs: Date.parse(declared.start), endMs: Date.parse(declared.end) }
  return { startMs: now - 73 * hour, endMs: now - hour }
}

/** Export of the test window without `filter` and `export_fields`, created once in each session. */
export function testWindowExport(context: ExportContext): Promise<FinishedExport> {
  return context.session.memoize('test window export', async () => {
    const { seeded, bounds } = await testWindow(context)
    return seeded ?? exportWindow(context, bounds)
  })
}

/**
 * Rows of the export of the test window.
 *
 * @throws Inconclusive if the project has no runs in the test window
 * @throws Stopped if a file is not Parquet, or the export has no rows although the project has runs
 */
export async function testWindowRows(context: ExportContext): Promise<readonly Row[]> {
  const { files, id } = await testWindowExport(context)
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
 * Runs in the export of the test window.
 *
 * @throws Stopped if no row has an id, or no row has a start time
 */
export async function testWindowRuns(context: ExportContext): Promise<readonly KnownRun[]> {
  const rows = await testWindowRows(context)
  for (const column of ['id', 'start_time'] as const)
    if (!rows.some((row) => column in row))
      throw new Stopped(`no row has the column ${column}`, { requirement: `export.record.${column}.column` })
  return rows.flatMap((row) => runOf(row) ?? [])
}

/** Exports the test window in two parts, once in each session. `cutMs` is the start of the run at which it is cut. */
export function splitExport(context: ExportContext) {
  return context.session.memoize('split export', async () => {
    const { bounds, startMs, endMs, seeded, ...window } = await testWindow(context)
    const runs = await testWindowRuns(context)
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
    const destination = await context.exports.destination({
      prefix: `touchstone/Test run/v1.2/${'long-'.repeat(15)}/${crypto.randomUUID()}.d`,
    })
    const [first, second] = await Promise.all([
      exportWindow(context, { ...bounds, end_time: iso(cutMs) }),
      exportWindow(context, { ...bounds, start_time: iso(cutMs) }, { destination }),
    ])
    return { cutMs, first, second }
  })
}

/** Remedy if the test window lacks something: another window, or a driver that adds runs. `needed` names the window. */
export function windowRemedy(session: Session, needed: string): string {
  return `set endpoints.${session.endpointName}.export.window (or --window START/END) to ${needed}, or ${seedRemedy(session)}`
}

/** Remedy if a scenario needs runs with known contents. */
export function seedRemedy({ endpointName }: Session): string {
  return `set endpoints.${endpointName}.export.driver to a driver with seedRuns`
}
