import { iso } from '../../values/export/times.ts'
import type { Session } from '../session.ts'
import { awkwardRuns } from './awkward-runs.ts'
import type { ExportContext } from './export-context.ts'
import type { FinishedExport } from './export-window.ts'
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
/** Enough for several batches a date: a trace has 3.7 runs on average. */
const traces = 160

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
    ...(await awkwardRuns(context, { ...awkward, seed, crossed: [window.startMs, monthMs] })),
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

/** Remedy if the test window lacks something: another window, or a driver that adds runs. `needed` names the window. */
export function windowRemedy(session: Session, needed: string): string {
  return `set endpoints.${session.endpointName}.export.window (or --window START/END) to ${needed}, or ${seedRemedy(session)}`
}

/** Remedy if a scenario needs runs with known contents. */
export function seedRemedy({ endpointName }: Session): string {
  return `set endpoints.${endpointName}.export.driver to a driver with seedRuns`
}
