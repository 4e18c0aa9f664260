import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { traceStream } from '../../../fixtures/traces/stream.ts'
import { ownDays } from './days.ts'
import type { PlayedExport, Stage } from './play.ts'
import { untilReadable } from './readable.ts'
import { tenantOf } from './tenant.ts'

/** Run records that the driver has put into the project, and a window that cuts through them. */
interface Seeded {
  /** Of the window, in milliseconds since the Unix epoch. */
  readonly startMs: number
  readonly endMs: number
  /** Records of the declared project, within the window and outside of it. */
  readonly records: readonly TraceRecord[]
  /** Records of another project of the same workspace, within the window. */
  readonly ofOtherProject: readonly TraceRecord[]
}

/** The same, once an export holds them. */
export interface Readable extends Seeded {
  /** The export of the window. */
  readonly whole: PlayedExport
}

const hour = 3_600_000
const day = 24 * hour
/** Enough for several batches a date; a trace has 3.7 runs in the mean. */
const traces = 160

/** Puts the records of a session's checks into its projects, once, and waits for them. Throws Inconclusive without a driver. */
export async function seeded(stage: Stage): Promise<Readable> {
  const { session } = stage
  const found = await session.once('seeded records', () => seed(stage))
  const whole = await session.once('export of the seeded records', () => untilReadable(stage, found.records, found))
  return { ...found, whole }
}

async function seed(stage: Stage): Promise<Seeded> {
  const { driver, declared } = stage
  const { monthMs, seed } = await ownDays(stage)
  // Over the end of a month; it starts and ends within a date.
  const [startMs, endMs] = [monthMs - 2 * day + 6 * hour, monthMs + day + 18 * hour]
  const midnights = [monthMs - day, monthMs, monthMs + day]
  const common = { seed, tenantId: tenantOf(stage), startMs: startMs - 6 * hour, endMs: endMs + 6 * hour }
  const borders = [startMs, ...midnights, endMs]
  const own = traceStream({ ...common, sessionId: declared.session, traces, borders })
  const records = [...own.all()].flat()
  const other = traceStream({ ...common, sessionId: crypto.randomUUID(), traces: 10, startMs, endMs })
  const ofOtherProject = [...other.all()].flat()
  await driver.seedRuns([...records, ...ofOtherProject])
  return { startMs, endMs, records, ofOtherProject }
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
