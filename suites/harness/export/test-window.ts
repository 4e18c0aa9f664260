import { traceStream } from '../../../fixtures/traces/stream.ts'
import type { Session } from '../session.ts'
import { exportUntilComplete } from './complete-export.ts'
import type { ExportContext } from './export-context.ts'
import type { FinishedExport } from './export-window.ts'
import { reservedDays } from './reserved-days.ts'
import { serviceNow } from './service-clock.ts'
import { tenantOf } from './tenant.ts'
import { iso } from './times.ts'

/** What the whole export covers: runs that the driver added, or what the project contains in the declared window. */
export interface TestWindow {
  /** ISO 8601. */
  readonly start: string
  readonly end: string
  /** The same in milliseconds since the Unix epoch. */
  readonly startMs: number
  readonly endMs: number
  /** The export of the window with the runs of the driver; undefined without a driver that adds runs. */
  readonly seeded: FinishedExport | undefined
}

const hour = 3_600_000
const day = 24 * hour
/** Enough for several batches a date; a trace has 3.7 runs on average. */
const traces = 160

/** What there is to export; the same whenever it is asked for. */
export function testWindow(context: ExportContext): Promise<TestWindow> {
  const { session, driver, declared } = context
  return session.memoize('window with runs', async () => {
    const { startMs, endMs, seeded } = (await driver.offers('seedRuns'))
      ? await seed(context)
      : { ...declaredWindow(declared.window, await serviceNow(context)), seeded: undefined }
    return { start: iso(startMs), end: iso(endMs), startMs, endMs, seeded }
  })
}

/** Adds runs to the project and to another one, in a window over the end of a month that cuts through them. */
async function seed(context: ExportContext) {
  const { driver, declared } = context
  const { monthMs, seed: daySeed } = await reservedDays(context)
  const window = { startMs: monthMs - 2 * day + 6 * hour, endMs: monthMs + day + 18 * hour }
  const borders = [window.startMs, monthMs - day, monthMs, monthMs + day, window.endMs]
  const common = { seed: daySeed, tenantId: tenantOf(context) }
  const around = { startMs: window.startMs - 6 * hour, endMs: window.endMs + 6 * hour, traces, borders }
  const records = [...traceStream({ ...common, ...around, sessionId: declared.session }).all()].flat()
  const other = traceStream({ ...common, ...window, sessionId: crypto.randomUUID(), traces: 10 })
  await driver.seedRuns([...records, ...[...other.all()].flat()])
  return { ...window, seeded: await exportUntilComplete(context, records, window) }
}

/** Without a declaration three days that ended an hour ago: the runs of the last hour may still change. */
function declaredWindow(declared: { readonly start: string; readonly end: string } | undefined, now: number) {
  if (declared) return { startMs: Date.parse(declared.start), endMs: Date.parse(declared.end) }
  return { startMs: now - 73 * hour, endMs: now - hour }
}

/** The setting that names a window which has what a scenario needs, or a driver that puts it there. */
export function windowRemedy(session: Session, what: string): string {
  return `set endpoints.${session.endpointName}.export.window (or --window START/END) to ${what}, or ${seedRemedy(session)}`
}

/** The setting that lets runs be known that only a driver knows. */
export function seedRemedy({ endpointName }: Session): string {
  return `set endpoints.${endpointName}.export.driver to a driver with seedRuns`
}
