import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { traceStream } from '../../../fixtures/traces/stream.ts'
import { NotApplicable } from '../errors.ts'
import { at, textAt } from '../json.ts'
import { poll } from '../waiting.ts'
import type { ExportContext } from './export-context.ts'
import { type ExportedFile, filesOf, rowsIn } from './exported-files.ts'
import type { Registered } from './exports.ts'
import { lackOf } from './features.ts'
import { identifier } from './identify.ts'
import { iso, tenantOf } from './seeded.ts'

/** An export that a schedule spawned, with its files. */
export interface Spawned {
  readonly id: string
  /** As the list shows it. */
  readonly listed: unknown
  /** As it is read alone. */
  readonly alone: unknown
  readonly files: readonly ExportedFile[]
  /** The windows, from 1, of which its files hold records; 0 is the time before the first. */
  readonly windows: readonly number[]
  /** That of which they hold most; undefined where they hold none. */
  readonly main: number | undefined
  /** Records of that window which they lack, each with how far into it it lies: 0 to 1. */
  readonly missing: readonly number[]
  /** Records that it exported of those on the borders of windows. */
  readonly onBorders: readonly TraceRecord[]
  /** Records that it exported although the filter of the schedule rejects them. */
  readonly rejected: readonly TraceRecord[]
}

/** A schedule by the hour that was watched over some windows, then cancelled. */
export interface ScheduleScene {
  readonly id: string
  readonly destination: Registered
  /** Spawned exports that were there shortly before the first one was due. */
  readonly early: number
  /** Spawned exports when as many windows were over. */
  readonly spawned: readonly Spawned[]
  /** How many windows were over by then. */
  readonly windows: number
  /** Records that lie on the borders between windows. */
  readonly borders: readonly TraceRecord[]
  /** Statuses of the spawned exports after the schedule was cancelled, and how many there were hours later. */
  readonly afterCancel: { readonly statuses: readonly unknown[]; readonly later: number; readonly own: unknown }
  /** The answer to the cancellation of a spawned export by its own id, and its status then. */
  readonly alone: { readonly ok: boolean; readonly status: unknown; readonly others: readonly unknown[] }
  /** The schedule itself after that cancellation. */
  readonly scheduleThen: unknown
}

const minute = 60_000
const hour = 60 * minute
/** Windows that are watched: the first alone, then several at once. */
const watched = 3

type Stage = ExportContext

/** Plays the scene of a schedule, once; every other check of schedules looks at what was seen. */
export function scheduleScene(stage: Stage): Promise<ScheduleScene> {
  return stage.session.once('schedule', () => stage.session.inTurn(() => playSchedule(stage)))
}

async function playSchedule(stage: Stage): Promise<ScheduleScene> {
  const { exports, driver, declared } = stage
  const lack = lackOf(declared.selfHosted, 'interval_hours')
  if (lack !== undefined) throw new NotApplicable(lack)
  // The first window ends 8 minutes ago: it is due in two.
  const startMs = (await driver.now()) - hour - 8 * minute
  const { records, borders } = await seedHours(stage, startMs)
  const destination = await exports.destination()
  const id = await exports.create({
    bulk_export_destination_id: destination.id,
    start_time: iso(startMs),
    interval_hours: 1,
    filter: 'eq(run_type, "llm")',
    ...(lackOf(declared.selfHosted, 'export_fields') === undefined
      ? { export_fields: ['id', 'name', 'start_time'] }
      : {}),
  })
  const spawnedNow = () => spawnedBy(stage, id, destination)
  await driver.advanceClock(minute)
  const early = (await spawnedNow()).length
  await driver.advanceClock(2 * minute)
  await untilThere(stage, spawnedNow, 1)
  // Two windows pass at once.
  await driver.advanceClock(2 * hour)
  await untilThere(stage, spawnedNow, watched)
  const ids = await spawnedNow()
  for (const { id: of } of ids) await exports.ended(of)
  const known = identifier(records)
  const spawned = await Promise.all(
    ids.map(async (one) => {
      const files = await filesOf(stage.bucket, { ...destination, id: one.id })
      const own = files.filter(({ key }) => key.includes(one.id))
      const found = rowsIn(own).flatMap((row) => known(row) ?? [])
      const inside = found.filter((record) => !borders.includes(record))
      const byWindow = Map.groupBy(inside, (record) => windowOf(record, startMs))
      const windows = [...byWindow.keys()].sort((a, b) => a - b)
      const main = windows.toSorted((a, b) => (byWindow.get(b)?.length ?? 0) - (byWindow.get(a)?.length ?? 0))[0]
      const missing = records
        .filter(
          (record) => record.run_type === 'llm' && !borders.includes(record) && windowOf(record, startMs) === main,
        )
        .filter((record) => !inside.includes(record))
        .map((record) => ((Date.parse(record.start_time) - startMs) / hour) % 1)
      const onBorders = found.filter((record) => borders.includes(record))
      const rejected = found.filter(({ run_type }) => run_type !== 'llm')
      return { ...one, files: own, windows, main, missing, onBorders, rejected }
    }),
  )
  const [first] = spawned
  const answer = await exports.http.send({
    method: 'PATCH',
    path: `/api/v1/bulk-exports/${first?.id}`,
    body: { status: 'Cancelled' },
  })
  const status = async (of: string) => at(await exports.get(of), 'status')
  const others = await Promise.all(spawned.slice(1).map((one) => status(one.id)))
  const alone = { ok: answer.ok, status: first && (await status(first.id)), others }
  const scheduleThen = await status(id)
  await exports.cancel(id)
  const statuses = await Promise.all(spawned.slice(1).map((one) => status(one.id)))
  await driver.advanceClock(3 * hour)
  const later = (await spawnedNow()).length
  const afterCancel = { statuses, later, own: await status(id) }
  return { id, destination, early, spawned, windows: watched, borders, afterCancel, alone, scheduleThen }
}

/** Which window, counted from 1, a record started in; 0 before the first. */
function windowOf({ start_time }: TraceRecord, startMs: number): number {
  return Math.max(0, Math.floor((Date.parse(start_time) - startMs) / hour) + 1)
}

/** Runs all over the windows and around their borders; of each window some are of the type that is exported. */
async function seedHours(stage: Stage, startMs: number) {
  const { session, driver, declared } = stage
  // Records of an earlier scene must not be replaced: its windows are others.
  const common = { seed: `${session.seed} ${startMs}`, tenantId: tenantOf(stage), sessionId: declared.session }
  const range = { startMs: startMs - hour, endMs: startMs + 5 * hour }
  const borderMs = Array.from({ length: watched + 1 }, (_, index) => startMs + index * hour)
  const stream = traceStream({ ...common, ...range, traces: 60, borders: borderMs })
  const records = [...stream.all()].flat().map((record): TraceRecord => {
    // Runs on borders are of the exported type, or their loss would not show.
    return isNear(record, borderMs) ? { ...record, run_type: 'llm' } : record
  })
  await driver.seedRuns(records)
  const exact = new Set(borderMs.slice(1, -1))
  const borders = records.filter(
    ({ start_time }) => exact.has(Date.parse(start_time)) && /\.\d{3}(000)?Z$/.test(start_time),
  )
  return { records: records.filter((record) => borders.includes(record) || !isVague(record, borderMs)), borders }
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

/** The exports that carry the id of a schedule, or whose files lie in its destination. */
async function spawnedBy(stage: Stage, id: string, place: Registered) {
  const { exports, bucket } = stage
  const [list, objects] = [await exports.list(), await bucket.list(place.bucket, place.prefix)]
  const found = []
  for (const listed of list) {
    const own = textAt(listed, 'id')
    if (own === undefined || own === id) continue
    const source = textAt(listed, 'source_bulk_export_id')
    const writes = objects.some(({ key }) => key.includes(own))
    if (source === id || writes) found.push({ id: own, listed, alone: await exports.get(own) })
  }
  return found
}

/** Waits until as many exports were spawned; one that does not come is for the checks to judge. */
async function untilThere(stage: Stage, spawned: () => Promise<readonly unknown[]>, count: number): Promise<void> {
  await poll(stage.session, async () => ((await spawned()).length >= count ? true : undefined))
}
