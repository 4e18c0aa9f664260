import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { traceStream } from '../../../fixtures/traces/stream.ts'
import type { ExportContext } from './export-context.ts'

/** Run records that the driver has put into the project, and a window that cuts through them. */
export interface Seeded {
  /** ISO 8601. */
  readonly start: string
  readonly end: string
  /** Records of the declared project, within the window and outside of it. */
  readonly records: readonly TraceRecord[]
  /** Records of another project of the same workspace, within the window. */
  readonly ofOtherProject: readonly TraceRecord[]
}

const hour = 3_600_000
/** Over a leap day and the end of a month; it starts and ends within a date. */
export const seededWindow: { readonly startMs: number; readonly endMs: number } = {
  startMs: Date.UTC(2024, 1, 28, 6),
  endMs: Date.UTC(2024, 2, 2, 18),
}
const midnights = [Date.UTC(2024, 1, 29), Date.UTC(2024, 2, 1), Date.UTC(2024, 2, 2)]
/** Enough for several batches a date; a trace has 3.7 runs in the mean. */
const traces = 160

type Stage = Pick<ExportContext, 'session' | 'driver' | 'declared'>

/** Puts the records of a session's checks into its projects, once. Throws CouldNotRun without a driver. */
export function seeded({ session, driver, declared }: Stage): Promise<Seeded> {
  return session.once('seeded records', async () => {
    const { startMs, endMs } = seededWindow
    const tenantId = tenantOf({ session })
    const common = { seed: session.seed, tenantId, startMs: startMs - 6 * hour, endMs: endMs + 6 * hour }
    const borders = [startMs, ...midnights, endMs]
    const own = traceStream({ ...common, sessionId: declared.session, traces, borders })
    const records = [...own.all()].flat()
    const other = traceStream({ ...common, sessionId: crypto.randomUUID(), traces: 10, startMs, endMs })
    const ofOtherProject = [...other.all()].flat()
    await driver.seedRuns([...records, ...ofOtherProject])
    return { start: iso(startMs), end: iso(endMs), records, ofOtherProject }
  })
}

/** The workspace that the usual caller selects. */
export function tenantOf({ session }: Pick<Stage, 'session'>): string {
  return session.endpoint.headers?.['x-tenant-id'] ?? ''
}

/** A time as the API takes it. */
export function iso(ms: number): string {
  return new Date(ms).toISOString()
}

/** A stretch of time with borders that are not sharp, in milliseconds. */
interface Stretch {
  readonly startMs: number
  readonly endMs: number
  /** How near to a border a run may be on either side of it. */
  readonly slackMs: number
}

/** Whether a run started clearly inside a stretch of time. */
export function isInside(run: { readonly start_time: string }, { startMs, endMs, slackMs }: Stretch): boolean {
  const at = Date.parse(run.start_time)
  return at >= startMs + slackMs && at < endMs - slackMs
}

/** Whether a run started clearly outside a stretch of time. */
export function isOutside(run: { readonly start_time: string }, { startMs, endMs, slackMs }: Stretch): boolean {
  const at = Date.parse(run.start_time)
  return at < startMs - slackMs || at >= endMs + slackMs
}
