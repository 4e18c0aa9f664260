import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { traceStream } from '../../../fixtures/traces/stream.ts'
import { NotApplicable } from '../errors.ts'
import { at } from '../json.ts'
import { poll } from '../waiting.ts'
import { ownDays } from './days.ts'
import type { Registered } from './destination.ts'
import type { ExportContext } from './export-context.ts'
import { filesOf, rowsIn } from './exported-files.ts'
import { lackOf } from './features.ts'
import { tellsExport } from './file-path.ts'
import { identifier } from './identify.ts'
import { iso } from './moments.ts'
import { movedClock } from './moved-clock.ts'
import { untilReadable } from './readable.ts'
import { cancelApart, spawnedBy, type ToldExport } from './spawned-by.ts'
import { hasBegun } from './statuses.ts'
import { tenantOf } from './tenant.ts'
import { type Cancelled, type Spawned, type Watched, type Watching, windowAt } from './watched.ts'

/** A spawned export of which all runs are known. */
interface KnownSpawned extends Spawned {
  /** Records that it exported of those on the borders of windows. */
  readonly onBorders: readonly TraceRecord[]
}

/** A schedule by the hour that was watched over some windows while the driver moved the clock on. */
interface ScheduleScene extends Watching {
  readonly schedules: readonly [Omit<Watched, 'spawned'> & { readonly spawned: readonly KnownSpawned[] }]
  /** Records that lie on the borders between windows. */
  readonly borders: readonly TraceRecord[]
}

const minute = 60_000
const hour = 60 * minute
/** Windows that are watched: the first alone, then several at once. */
const watched = 3
/** How late a spawned export is waited for by the clock of the service, in milliseconds: the next window is not due then. */
const latestMs = 45 * minute

type Stage = ExportContext

/** Plays the scene of a schedule, once; every other check of schedules looks at what was seen. */
export function scheduleScene(stage: Stage): Promise<ScheduleScene> {
  return stage.session.once('schedule', () => stage.session.inTurn(() => playSchedule(stage)))
}

async function playSchedule(stage: Stage): Promise<ScheduleScene> {
  const { exports, declared } = stage
  const lack = lackOf(declared.selfHosted, 'interval_hours')
  if (lack !== undefined) throw new NotApplicable(lack)
  const clock = await movedClock(stage)
  // The first window ends 8 minutes ago: it is due in two.
  const startMs = clock.beganMs - hour - 8 * minute
  const seeded = await seedHours(stage, startMs)
  const destination = await exports.destination()
  const fields = lackOf(declared.selfHosted, 'export_fields') === undefined ? ['id', 'name', 'start_time'] : undefined
  const id = await exports.create({
    bulk_export_destination_id: destination.id,
    start_time: iso(startMs),
    interval_hours: 1,
    filter: 'eq(run_type, "llm")',
    ...(fields && { export_fields: fields }),
  })
  const spawnedNow = () => spawnedBy(stage, id, destination)
  // One may be there before it runs.
  const begunNow = async () => (await spawnedNow()).filter(({ alone }) => hasBegun(alone))
  await clock.advance(minute)
  const early = (await begunNow()).map((one) => one.id)
  await clock.check()
  await clock.advance(2 * minute)
  await untilThere(stage, begunNow, 1)
  // Two windows pass at once.
  await clock.advance(2 * hour)
  if (!(await untilThere(stage, begunNow, watched))) {
    await clock.advance(Math.min(stage.session.budgets.lateMs, latestMs))
    await untilThere(stage, begunNow, watched)
  }
  const there = await spawnedNow()
  const begun = there.filter(({ alone }) => hasBegun(alone))
  const told = begun.length < watched ? there : begun
  for (const one of told) await exports.ended(one.id)
  const spawned = await Promise.all(told.map((one) => known(stage, one, destination, { ...seeded, startMs })))
  const cancelled = await cancelApart(stage, id, told)
  await clock.advance(3 * hour)
  const more = (await spawnedNow()).filter((one) => !there.some(({ id: known }) => known === one.id)).length
  await clock.check()
  const own = at(await exports.get(id), 'status')
  const result: Cancelled = { ...cancelled, own, more, counted: 'three hours after the schedule was cancelled' }
  const without = spawned.filter(({ files }) => files.length === 0).map((one) => one.id)
  const owed = Array.from({ length: watched }, (_, index) => index + 1)
  const unexpected = { what: 'spawned exports without a file under their own id', found: without }
  return {
    schedules: [{ id, spawned, owed, most: watched, fields, unexpected }],
    borders: seeded.borders,
    early: { what: 'exports that run 9 minutes after the end of the first window', found: early },
    later: undefined,
    cancel: async () => result,
  }
}

/** What a spawned export holds of the runs that are known. */
async function known(
  { bucket }: Stage,
  told: ToldExport,
  destination: Registered,
  { all, records, borders, startMs }: Seeded & { readonly startMs: number },
): Promise<KnownSpawned> {
  const windowOf = ({ start_time }: TraceRecord) => windowAt(Date.parse(start_time), startMs)
  const files = (await filesOf(bucket, { ...destination, id: told.id })).filter(({ key }) => tellsExport(key, told.id))
  const rows = rowsIn(files)
  // By all of them: else one that is left out could be taken for another of the same moment.
  const known = identifier(all, rows)
  const judged = new Set(records)
  const found = rows.flatMap((row) => known(row) ?? []).filter((record) => judged.has(record))
  const inside = found.filter((record) => !borders.includes(record))
  const byWindow = Map.groupBy(inside, windowOf)
  const windows = [...byWindow.keys()].sort((a, b) => a - b)
  const main = windows.toSorted((a, b) => (byWindow.get(b)?.length ?? 0) - (byWindow.get(a)?.length ?? 0))[0]
  const missing = records
    .filter((record) => record.run_type === 'llm' && !borders.includes(record) && windowOf(record) === main)
    .filter((record) => !inside.includes(record))
    .map((record) => ((Date.parse(record.start_time) - startMs) / hour) % 1)
  return {
    ...told,
    files,
    windows,
    main,
    startsElsewhere: main !== undefined && (windows.some((one) => one < main) || missing.some((at) => at < 0.5)),
    endsElsewhere: main !== undefined && (windows.some((one) => one > main) || missing.some((at) => at >= 0.5)),
    onBorders: found.filter((record) => borders.includes(record)),
    rejected: files.flatMap(({ key, content }) =>
      (content?.rows ?? []).flatMap((row) => {
        const { id, run_type } = known(row) ?? { run_type: 'llm' }
        return run_type === 'llm' ? [] : [{ id, run_type, key }]
      }),
    ),
  }
}

/** Runs of the watched windows. */
interface Seeded {
  readonly all: readonly TraceRecord[]
  /** Without those that are too near to the end of a window to be judged. */
  readonly records: readonly TraceRecord[]
  readonly borders: readonly TraceRecord[]
}

/** Runs all over the windows and around their borders; of each window some are of the type that is exported. */
async function seedHours(stage: Stage, startMs: number): Promise<Seeded> {
  const { driver, declared } = stage
  // Records of an earlier scene must not be replaced: its windows are others.
  const seed = `${(await ownDays(stage)).seed} ${startMs}`
  const common = { seed, tenantId: tenantOf(stage), sessionId: declared.session }
  const range = { startMs: startMs - hour, endMs: startMs + 5 * hour }
  const borderMs = Array.from({ length: watched + 1 }, (_, index) => startMs + index * hour)
  const stream = traceStream({ ...common, ...range, traces: 60, borders: borderMs })
  const records = [...stream.all()].flat().map((record): TraceRecord => {
    // Runs on borders are of the exported type, or their loss would not show.
    return isNear(record, borderMs) ? { ...record, run_type: 'llm' } : record
  })
  await driver.seedRuns(records)
  await untilReadable(stage, records, { startMs: range.startMs, endMs: startMs + hour + 8 * minute })
  const exact = new Set(borderMs.slice(1, -1))
  const borders = records.filter(
    ({ start_time }) => exact.has(Date.parse(start_time)) && /\.\d{3}(000)?Z$/.test(start_time),
  )
  return {
    all: records,
    records: records.filter((record) => borders.includes(record) || !isVague(record, borderMs)),
    borders,
  }
}

function isNear({ start_time }: TraceRecord, borderMs: readonly number[]): boolean {
  return borderMs.some((border) => Math.abs(Date.parse(start_time) - border) <= 2)
}

/** Within a millisecond of a border it may be cut off to either side. */
function isVague({ start_time }: TraceRecord, borderMs: readonly number[]): boolean {
  return borderMs.some((border) => {
    const at = Date.parse(start_time)
    return at === border || at === border - 1
  })
}

/** Waits until as many spawned exports have begun; whether they did. One that does not come is for the checks to judge. */
async function untilThere(stage: Stage, spawned: () => Promise<readonly unknown[]>, count: number): Promise<boolean> {
  const found = await poll(stage.session, async () => ((await spawned()).length >= count ? true : undefined))
  return found ?? false
}
