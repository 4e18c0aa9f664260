import { isUuid, uuidsIn } from '../catalog/facts.ts'
import { areReadable, type ExportedFile, rowsIn } from '../values/export/exported-file.ts'
import { type BucketPrefix, namesExport } from '../values/export/file-path.ts'
import { nestedFields } from '../values/export/record-fields.ts'
import { hasSucceeded } from '../values/export/statuses.ts'
import { isInside, iso, type TimeRange, timeOf } from '../values/export/times.ts'
import { traitOf } from '../values/export/trait.ts'
import { type Windows, windowAt, windowEnd } from '../values/export/windows.ts'
import { at } from '../values/json.ts'
import { keyOf } from './deployment.ts'
import { derive, select } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { type ExportModel, type ExportView, endOf, type OtherExport, othersOf } from './export.ts'
import { filesIn } from './exported.ts'
import { type Seed, type SeededRun, type Seeds, seededRuns, seedsBefore } from './seeds.ts'

/** Distance from the border of two windows at which a run may be in either, in milliseconds. */
const BORDER_MS = 1
/** Error of a time that a service rounds to the second, in milliseconds. */
const ROUNDING_MS = 1000

/** A scheduled export, with what determines which exports it spawns, and their files. */
export interface Spawner extends OtherExport, Windows, BucketPrefix {
  /** The caller who created it. */
  readonly user: 'usual' | 'other'
  /** Undefined if an earlier test run started it. */
  readonly creation: Exchange | undefined
  readonly request: unknown
  /** Type of the runs that its filter selects; undefined for all types. */
  readonly type: string | undefined
  /** Whether another export has its destination, so that only `source_bulk_export_id` shows what it spawned. */
  readonly isShared: boolean
  /** Whether the driver added runs to its windows. */
  readonly isSeeded: boolean
  /** Runs of the driver that its filter selects, if they can be exported. */
  readonly runs: readonly SeededRun[]
  /** Whether the driver had added a run before the window of the run ended. */
  readonly isInTime: (seed: Seed) => boolean
}

/** An export that a schedule spawned. */
export interface Spawned extends OtherExport, Seeds {
  /** The first record that shows its end. */
  readonly end: ExportView | undefined
  readonly hasSucceeded: boolean
  /** Files with its id in their path; undefined if they are unknown. */
  readonly files: readonly ExportedFile[] | undefined
  /** Whether it succeeded and one of its files cannot be read. That file may contain what seems to be missing. */
  readonly isDamaged: boolean
  /** The window that it exports; undefined if the trace does not show it. */
  readonly window: number | undefined
  /** Signs that it starts, or ends, at another time than its window. */
  readonly signs: { readonly start: readonly string[]; readonly end: readonly string[] }
  /** Runs of the driver in its files. */
  readonly runs: readonly SeededRun[]
}

/** Returns the exports that a schedule spawned, in the order in which the trace shows them. */
export function spawnedBy(model: ExportModel, schedule: Spawner): readonly Spawned[] {
  const { user, id, request, isShared } = schedule
  const destination = isShared ? undefined : keyOf(at(request, 'bulk_export_destination_id'))
  const { byName, byId, withoutUuid } = derive(model, unrequested)(user)
  // Only the records of an export show that it belongs to a schedule which shares its destination.
  const files = isShared ? [] : keysUnder(model, schedule)
  const candidates = [
    ...[keyOf(id), destination].flatMap((name) => (name && byName.get(name)) || []).map(({ each }) => each),
    ...files.flatMap(uuidsIn).flatMap((uuid) => byId.get(keyOf(uuid)) ?? []),
    ...withoutUuid.filter(({ other }) => files.some((file) => namesExport(file, other.id))),
  ]
  // One that shows this destination belongs here, even if its source is wrong.
  const namesAnother = (names: readonly string[]) =>
    (destination === undefined || !names.includes(destination)) &&
    names.some((name) => name !== keyOf(id) && model.exports.get(name)?.creation.intent === 'documented')
  return [...new Set(candidates)]
    .filter(({ key, names }) => key !== keyOf(id) && !namesAnother(names))
    .sort((a, b) => a.index - b.index)
    .map(({ other }) => spawnedExport(model, schedule, other))
}

/** Returns the exports that no request of the trace created, for each caller. */
function unrequested(model: ExportModel) {
  const [usual, other] = [index(othersOf(model, 'usual')), index(othersOf(model, 'other'))]
  return (user: string) => (user === 'other' ? other : usual)
}

/** Exports by the ids that their records contain, and by their own. */
function index(exports: ReadonlyMap<string, OtherExport>) {
  const all = [...exports].map(([key, other], index) => ({ key, other, index, names: namesIn(other) }))
  const named = all.flatMap((each) => each.names.map((name) => ({ name, each })))
  return {
    byName: Map.groupBy(named, ({ name }) => name),
    byId: Map.groupBy(all, ({ other }) => keyOf(other.id)),
    withoutUuid: all.filter(({ other }) => !isUuid(other.id)),
  }
}

/** Values in the records of an export that may name a schedule or its destination. */
function namesIn({ views }: OtherExport): readonly string[] {
  const leaves = views.flatMap(({ record }) => nestedFields(record))
  const naming = leaves.filter(({ path }) => path === 'source_bulk_export_id' || /dest/i.test(path))
  return [...new Set(naming.flatMap(({ value }) => keyOf(value) ?? []))]
}

/** Keys in the listings of a bucket that contain a prefix. */
function keysUnder({ inBucket }: ExportModel, { bucket, prefix }: BucketPrefix): readonly string[] {
  const listings = (inBucket.get(bucket) ?? []).flatMap((each) => (each.type === 'listing' ? each.objects : []))
  return [...new Set(listings.map(({ key }) => key))].filter((key) => key.includes(prefix))
}

function spawnedExport(model: ExportModel, schedule: Spawner, each: OtherExport): Spawned {
  const { isSeeded, creation, isInTime } = schedule
  const end = endOf(model, each)
  const files = end && filesIn(model, schedule, (key) => namesExport(key, each.id), end.exchange.endedAt)
  const rows = rowsIn(files ?? [])
  const seeds = seedsBefore(model, creation, rows, isInTime)
  const runs = rows.flatMap((row) => seeds.runOf(row) ?? [])
  const started = isSeeded ? runs : rows
  const times = started.flatMap(({ start_time }) => timeOf(start_time) ?? []).sort((a, b) => a - b)
  const shown = isSeeded ? undefined : windowIn(each)
  const middle = shown ? (shown.startMs + shown.endMs) / 2 : times[Math.floor(times.length / 2)]
  const window = middle === undefined ? undefined : middle < schedule.startMs ? 0 : windowAt(schedule, middle)
  const isSuccess = hasSucceeded(end?.record, model.statusWords)
  const isDamaged = isSuccess && creation !== undefined && !areReadable(files ?? [])
  const isKnown = window !== undefined && !isDamaged
  // An export that is listed before its window ends may have selected its runs.
  const shownAt = each.views[0]?.exchange.endedAt ?? Infinity
  const later = new Set(select(model, seededRuns).flatMap(({ run, seededAt }) => (seededAt < shownAt ? [] : [run])))
  const expected = { ...schedule, runs: schedule.runs.filter((run) => !later.has(run)) }
  const signs = isKnown ? signsOf(expected, window, { times, runs, shown }) : { start: [], end: [] }
  return { ...each, ...seeds, end, hasSucceeded: isSuccess, files, isDamaged, window, signs, runs }
}

type Period = Omit<TimeRange, 'slackMs'>

/** The window that the records of an export show: a start and an end. */
function windowIn({ views }: OtherExport): Period | undefined {
  for (const { record } of views) {
    const [startMs, endMs] = [timeOf(at(record, 'start_time')), timeOf(at(record, 'end_time'))]
    if (startMs !== undefined && endMs !== undefined) return { startMs, endMs }
  }
  return undefined
}

/** Compares the start times in an export, its runs of the driver and the window that its records show with a window. */
function signsOf(
  schedule: Spawner,
  window: number,
  { times, runs, shown }: { times: readonly number[]; runs: readonly SeededRun[]; shown: Period | undefined },
): Spawned['signs'] {
  const [startMs, endMs] = [windowEnd(schedule, window - 1), windowEnd(schedule, window)]
  const middle = (startMs + endMs) / 2
  const exportedRuns = new Set(runs)
  const missing = schedule.runs.filter((run) => !exportedRuns.has(run))
  const sign = (text: string, examples: readonly string[]) =>
    examples.length > 0 ? [`${text}: ${examples.slice(0, 3).join(', ')}${examples.length > 3 ? ', …' : ''}`] : []
  const has = (outside: readonly number[]) => sign(`also ${outside.length} outside it`, outside.map(iso))
  const lacks = (from: number, to: number) => {
    const lost = missing.filter((run) => isInside(run, { startMs: from, endMs: to, slackMs: BORDER_MS }))
    const texts = lost.map(({ id, start_time }) => `${id} of ${start_time}`)
    const trait = traitOf(lost, runs)
    return sign(`all but ${lost.length} of them${trait === undefined ? '' : `, each with ${trait}`}`, texts)
  }
  const shows = (name: string, ms: number | undefined, expected: number) =>
    ms !== undefined && Math.abs(ms - expected) > ROUNDING_MS ? sign(`a record with another ${name}`, [iso(ms)]) : []
  return {
    start: [
      ...has(times.filter((ms) => ms < startMs - BORDER_MS)),
      ...lacks(startMs, middle),
      ...shows('start', shown?.startMs, startMs),
    ],
    end: [...has(times.filter((ms) => ms > endMs)), ...lacks(middle, endMs), ...shows('end', shown?.endMs, endMs)],
  }
}
