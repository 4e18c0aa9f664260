import { seededRandom } from '../../../fixtures/traces/random.ts'
import { mayContainRows } from '../../values/export/exported-file.ts'
import { iso, timeOf } from '../../values/export/times.ts'
import { Inconclusive } from '../errors.ts'
import type { Session } from '../session.ts'
import type { ExportContext } from './export-context.ts'
import { exportUntil, type FinishedExport, type SeededRuns, type SeededWindow } from './export-window.ts'
import { filesOf } from './exported-files.ts'
import type { RegisteredDestination } from './exports.ts'
import { createRecords } from './seeds.ts'

/** Days around the end of a month in which only this session adds runs to the project. */
export interface ReservedDays {
  /** Midnight (UTC) between the months, in milliseconds since the Unix epoch. */
  readonly monthMs: number
  /** Seed of the records for these days, unique to the session. */
  readonly seed: string
  /** How long after `seedRuns` resolved an export contained its runs, in milliseconds. */
  readonly seenAfterMs: number
  /** Whether the first export after `seedRuns` resolved did not contain its runs. */
  readonly isLate: boolean
  /** Destination of the last export. */
  readonly destination: RegisteredDestination
}

const day = 86_400_000
/** Reserved time around the end of the month, in milliseconds. */
const reserved = { before: 6 * day, after: 3 * day } as const
/** Months to choose from: in the past, and many more than there are sessions on one project. */
const months = { firstYear: 2001, count: 276 } as const
/** After this many attempts, days with runs of other clients are used: rows are matched by id. */
const maxAttempts = 4
/** Later attempts are random, because sessions with the same seed would choose the same months. */
const attemptsBySeed = 2
/** Shortest wait for another run, in milliseconds. */
const minPatienceMs = 1000

/**
 * Reserves days for the session, once: chooses a month, adds runs to it, and exports it. If the export also contains runs
 * of other clients, tries another month.
 *
 * @throws Inconclusive if exports do not contain the runs within `budgets.exportMs`
 */
export async function reservedDays(context: ExportContext): Promise<ReservedDays> {
  const days = await context.session.memoize('reserved days', () =>
    // An error is memoized too, because every scenario would wait for it again.
    reserve(context).catch((error: unknown) => {
      if (error instanceof Inconclusive) return error
      throw error
    }),
  )
  if (days instanceof Inconclusive) throw days
  return days
}

async function reserve(context: ExportContext): Promise<ReservedDays> {
  for (let attempt = 1; ; attempt++) {
    const month = chooseMonth(context.session, attempt)
    const delay = await seedAndExport(context, month.monthMs, attempt < maxAttempts)
    if (delay !== 'taken') return { ...month, ...delay }
  }
}

/** Returns a month that no session of this process has chosen, at first a January in a leap year. */
function chooseMonth(
  { seed, endpointName, reservedMonths }: Session,
  attempt: number,
): Pick<ReservedDays, 'monthMs' | 'seed'> {
  const salt = attempt > attemptsBySeed ? ` ${crypto.randomUUID()}` : ''
  const all = Array.from({ length: months.count }, (_, index) => index)
  const free = all.filter((month) => !reservedMonths.has(month))
  // Around most ends of a year, the year of the ISO week is another one.
  const isLeapJanuary = (month: number) => month % 12 === 0 && (months.firstYear + month / 12) % 4 === 0
  const januaries = attempt === 1 ? free.filter(isLeapJanuary) : []
  const choices = [januaries, free, all].find(({ length }) => length > 0) ?? []
  const index = seededRandom(`${seed} ${endpointName}${salt}`, attempt).int(0, choices.length - 1)
  const month = choices[index] ?? 0
  reservedMonths.add(month)
  const monthMs = Date.UTC(months.firstYear, month)
  return { monthMs, seed: `${seed} ${iso(monthMs)}${salt}` }
}

/** Returns the midnight (UTC) some months after the one between the months. */
export function monthsLater(monthMs: number, count: number): number {
  const date = new Date(monthMs)
  return date.setUTCMonth(date.getUTCMonth() + count)
}

/**
 * Exports a window until the export contains all runs that the driver added to it, or their number no longer grows. Returns
 * the last export: rules decide what is missing.
 *
 * @throws Inconclusive if the export contains none and the driver is known to resolve too early
 */
export async function exportSeededRuns(
  context: ExportContext,
  runs: SeededRuns,
  window: SeededWindow,
): Promise<FinishedExport> {
  const { seenAfterMs, isLate } = await reservedDays(context)
  const longestMs = isLate ? context.session.budgets.exportMs : patienceMs(seenAfterMs)
  const inside = runs.filter(({ start_time }) => {
    const time = Date.parse(start_time)
    return time > window.startMs && time < window.endMs - 1
  })
  return exportUntil(context, window, inside, ({ exported, count, endedMs, best }) => {
    if (count === inside.length) return exported
    if (endedMs - best.endedMs <= longestMs) return undefined
    if (isLate && count === 0 && !mayContainRows(exported)) throw notExported(context.session, window, endedMs)
    return exported
  })
}

/** How long to wait for another run after an export that contained more of them than the ones before, in milliseconds. */
function patienceMs(seenAfterMs: number): number {
  return Math.max(minPatienceMs, 4 * seenAfterMs)
}

/**
 * Adds runs and exports the days until the export contains all of them, or their number no longer grows, or, with `mayMove`,
 * it contains runs of other clients.
 */
async function seedAndExport(
  context: ExportContext,
  monthMs: number,
  mayMove: boolean,
): Promise<'taken' | Omit<ReservedDays, 'monthMs' | 'seed'>> {
  const { session, driver } = context
  const window = { startMs: monthMs - reserved.before, endMs: monthMs + reserved.after }
  const { startMs, endMs } = window
  const createSome = (fromMs: number, toMs: number) =>
    createRecords(context, { startMs: fromMs, endMs: toMs, seed: crypto.randomUUID(), traces: 3 })
  const runs = [
    ...(await createSome(monthMs - 4 * day, monthMs - 3 * day)),
    ...(await createSome(endMs - 0.75 * day, endMs - 0.25 * day)),
  ]
  await driver.seedRuns([...runs, ...(await createSome(endMs + 0.25 * day, endMs + 0.5 * day))])
  const isInWindow = (time = Number.NaN) => time >= startMs && time < endMs
  let first: (FinishedExport & { readonly endedMs: number }) | undefined
  return exportUntil(context, window, runs, async ({ exported, others, count, endedMs, best }) => {
    const isForeign = others.some((row) => row['id'] !== undefined && isInWindow(timeOf(row['start_time'])))
    if (isForeign && mayMove) return 'taken'
    const { destination } = exported
    // Rules about files decide why rows cannot be read.
    const isUnreadable = count === 0 && !isForeign && mayContainRows(exported)
    if (isUnreadable) return { seenAfterMs: endedMs, isLate: first !== undefined, destination }
    const isOver = best.count > 0 && endedMs - best.endedMs > patienceMs(best.endedMs)
    if (count === runs.length || isOver) return { seenAfterMs: best.endedMs, isLate: !best.isFirst, destination }
    if (first?.files.length === 0 && (await filesOf(context.bucket, first.destination, [first.id])).length > 0)
      throw writtenLate(first.id, endedMs - first.endedMs)
    first ??= { ...exported, endedMs }
    if (best.count === 0 && endedMs > session.budgets.exportMs) throw notExported(session, window, endedMs)
    return undefined
  })
}

function writtenLate(id: string, ms: number): Inconclusive {
  return new Inconclusive(
    `expected the files of the export ${id} in its bucket at its end, received none then but some ${Math.round(ms)} ms later`,
    'write the files of an export before its status says that it has ended',
  )
}

/** Creates the error of a driver whose `seedRuns` resolves before exports contain the runs. */
function notExported({ endpointName }: Session, { startMs }: SeededWindow, waitedMs: number): Inconclusive {
  const seconds = Math.round(waitedMs / 1000)
  return new Inconclusive(
    `expected exports to contain the runs that seedRuns added at ${iso(startMs)}, received none ${seconds} s after seedRuns resolved`,
    `let seedRuns of the driver in endpoints.${endpointName}.export.driver resolve when the runs can be exported`,
  )
}
