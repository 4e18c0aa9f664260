import { seededRandom } from '../../../fixtures/traces/random.ts'
import { traceStream } from '../../../fixtures/traces/stream.ts'
import { Inconclusive } from '../errors.ts'
import type { Session } from '../session.ts'
import { backOff } from '../waiting.ts'
import type { ExportContext } from './export-context.ts'
import { exportWindow } from './export-window.ts'
import { mayHoldRows, rowsReadIn } from './exported-files.ts'
import type { Row } from './parquet.ts'
import { reportsRows } from './record-fields.ts'
import { rowMatcher, timeOf } from './row-matcher.ts'
import { tenantOf } from './tenant.ts'
import { iso } from './times.ts'

/** Days of the project that this session has to itself, round the end of a month. */
export interface ReservedDays {
  /** The midnight (UTC) with which the later month begins, in milliseconds since the Unix epoch. */
  readonly monthMs: number
  /** What records for these days are drawn from: no other session has the same. */
  readonly seed: string
  /** How long after `seedRuns` had resolved a run was seen in an export, in milliseconds. */
  readonly seenAfterMs: number
  /** Whether an export did not hold the run although `seedRuns` had resolved before. */
  readonly isLate: boolean
}

const day = 86_400_000
/** From the sixth day before the end of the month to the third after it. */
const reach = { before: 6 * day, after: 3 * day } as const
/** The months that are drawn from: long past, and more than sessions share a project at a time. */
const months = { firstYear: 2001, count: 276 } as const
/** Then days are taken on which others have left runs: those are told apart by their ids. */
const tries = 4
/** Further ones are drawn at random, for two sessions with the same seed that always look at the same time. */
const triesBySeed = 2

/**
 * Days that no other run of the suite uses, made once: drawn from the seed, marked with a few runs, and looked at. Who
 * sees runs of others beside the own ones moves on, so that of two who look at least one does.
 *
 * @throws Inconclusive where what `seedRuns` adds does not come into an export within `budgets.exportMs`
 */
export async function reservedDays(context: ExportContext): Promise<ReservedDays> {
  const found = await context.session.memoize('days of its own', () => {
    // What could not run once is not tried again by every scenario.
    return claim(context).catch((error: unknown) => {
      if (error instanceof Inconclusive) return error
      throw error
    })
  })
  if (found instanceof Inconclusive) throw found
  return found
}

async function claim(context: ExportContext): Promise<ReservedDays> {
  for (let attempt = 1; ; attempt++) {
    const drawn = draw(context.session, attempt)
    const seen = await look(context, drawn.monthMs, attempt < tries)
    if (seen !== 'taken') return { ...drawn, ...seen }
  }
}

/** Days that no session of this process has drawn yet. */
function draw(
  { seed, endpointName, reservedMonths }: Session,
  attempt: number,
): Pick<ReservedDays, 'monthMs' | 'seed'> {
  const salt = attempt > triesBySeed ? ` ${crypto.randomUUID()}` : ''
  for (let index = 0; ; index++) {
    const month = seededRandom(`${seed} ${endpointName}${salt}`, index).int(0, months.count - 1)
    if (reservedMonths.has(month) && reservedMonths.size < months.count) continue
    reservedMonths.add(month)
    const monthMs = Date.UTC(months.firstYear, month)
    return { monthMs, seed: `${seed} ${iso(monthMs)}${salt}` }
  }
}

/** Adds a few runs and waits until an export holds one of them; unless others have runs there, too. */
async function look(
  context: ExportContext,
  monthMs: number,
  mayMove: boolean,
): Promise<'taken' | Pick<ReservedDays, 'seenAfterMs' | 'isLate'>> {
  const { session, driver, declared } = context
  const [startMs, endMs] = [monthMs - reach.before, monthMs + reach.after]
  const marks = { startMs: monthMs - 4 * day, endMs: monthMs - 3 * day, traces: 3 }
  const seed = crypto.randomUUID()
  const own = traceStream({ ...marks, seed, tenantId: tenantOf(context), sessionId: declared.session })
  const records = [...own.all()].flat()
  await driver.seedRuns(records)
  const resolved = performance.now()
  for (let looks = 1; ; looks++) {
    const { files, runs } = await exportWindow(context, { start_time: iso(startMs), end_time: iso(endMs) })
    const rows = rowsReadIn(files)
    const known = rowMatcher(records, rows)
    const others = rows.some((row) => known(row) === undefined && isBetween(row, startMs, endMs))
    if (others && mayMove) return 'taken'
    // Rules about files decide what cannot be read, or is in another place.
    const unreadable = !others && (files.some(mayHoldRows) || runs.some(reportsRows))
    if (unreadable || rows.some(known)) return { seenAfterMs: performance.now() - resolved, isLate: looks > 1 }
    const waitedMs = performance.now() - resolved
    if (waitedMs > session.budgets.exportMs) throw notExported(session, marks.startMs, waitedMs)
    await backOff(looks)
  }
}

function isBetween(row: Row, startMs: number, endMs: number): boolean {
  const at = timeOf(row['start_time'])
  return at !== undefined && at >= startMs && at < endMs && row['id'] !== undefined
}

/** What the driver promises and does not keep. */
export function notExported({ endpointName }: Session, startMs: number, waitedMs: number): Inconclusive {
  const seconds = Math.round(waitedMs / 1000)
  return new Inconclusive(
    `expected exports to contain the runs that seedRuns added at ${iso(startMs)}, received none ${seconds} s after seedRuns resolved`,
    `let seedRuns of the driver in endpoints.${endpointName}.export.driver resolve when the runs can be exported`,
  )
}
