import { isUuid, uuidsIn } from '../catalog/facts.ts'
import { areReadable, type ExportedFile } from '../values/export/exported-file.ts'
import { type BucketPrefix, namesExport } from '../values/export/file-path.ts'
import type { Row } from '../values/export/parquet-content.ts'
import { nestedFields } from '../values/export/record-fields.ts'
import { hasSucceeded } from '../values/export/statuses.ts'
import { isInside, iso, timeOf } from '../values/export/times.ts'
import { type Windows, windowAt, windowEnd } from '../values/export/windows.ts'
import { at, textAt } from '../values/json.ts'
import { keyOf } from './deployment.ts'
import { derive } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import {
  type BulkExport,
  destinationOf,
  type ExportModel,
  type ExportView,
  endOf,
  isScheduled,
  type OtherExport,
  parquetKeys,
} from './export.ts'
import { filesIn, hasArrived, namesOther } from './exported.ts'
import { type SeededRun, type Seeds, seedsBefore } from './seeds.ts'
import { serviceClock } from './service-clock.ts'

/** Distance from the border of two windows at which a run may be in either, in milliseconds. */
const BORDER_MS = 1
/** Error of a time that a service rounds to the second, in milliseconds. */
const ROUNDING_MS = 1000

/** A scheduled export that a request of the trace created, or that an earlier test run started. */
export interface Schedule extends OtherExport, Windows {
  /** Undefined if an earlier test run started it. */
  readonly creation: Exchange | undefined
  readonly request: unknown
  /** The latest time of the service at which it was created. */
  readonly createdMs: number
  /** The request with which its creator cancelled it. */
  readonly cancel: Exchange | undefined
  /** The latest time of the service at which it was cancelled, if it was. */
  readonly cancelledMs: number | undefined
  /** Ids of exports that it had spawned when an earlier test run ended. */
  readonly spawnedBefore: readonly string[]
  readonly spawned: readonly Spawned[]
  /** Whether another export has its destination, so that only `source_bulk_export_id` shows what it spawned. */
  readonly isShared: boolean
  /** Whether the driver added runs to its windows. */
  readonly isSeeded: boolean
  /** Runs of the driver that its filter selects, if they can be exported. */
  readonly runs: readonly SeededRun[]
  /** Keys of the Parquet files under the prefix of its destination. */
  readonly keys: readonly string[]
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
  /** Rows of runs that the driver added to other projects. */
  readonly foreign: readonly Row[]
  /** Rows of runs that its filter rejects. */
  readonly rejected: readonly unknown[]
}

/** Yields the scheduled exports of documented requests, and those that an earlier test run started. */
export function* schedules(model: ExportModel): Iterable<Schedule> {
  const clock = serviceClock(model)
  for (const each of model.exports.values()) {
    const { creation, changes } = each
    const destination = destinationOf(model, each)
    if (!isScheduled(each) || creation.intent !== 'documented' || destination === undefined) continue
    const cancel = changes.find(({ user, accepted }) => user === creation.user && accepted)
    const createdMs = clock?.latest(creation.endedAt) ?? Number.POSITIVE_INFINITY
    const cancelledMs = cancel && clock?.latest(cancel.endedAt)
    const { request } = creation
    yield complete(model, { ...each, request, createdMs, cancel, cancelledMs, spawnedBefore: [] }, destination)
  }
  for (const each of model.observations) {
    if (each.type !== 'started') continue
    const { export: id, request, createdMs, isCancelled, spawned: spawnedBefore } = each
    const { views = [], changes = [] } = model.others.get(keyOf(id) ?? '') ?? {}
    const cancel = changes.find(({ accepted }) => accepted)
    const cancelledMs = isCancelled ? createdMs : cancel && clock?.latest(cancel.endedAt)
    const known = { id, views, changes, creation: undefined, request, createdMs, cancel, cancelledMs, spawnedBefore }
    yield complete(model, known, each)
  }
}

/** Whether spawned exports must have files: the driver added runs to each of their windows, and one of them succeeded. */
export function mustHaveFiles(schedule: Schedule): boolean {
  const { isSeeded, spawned } = schedule
  const isWritten = spawned.some(({ hasSucceeded, files }) => hasSucceeded && files !== undefined)
  return isSeeded && isWritten && spawned.every((_, index) => hasRuns(schedule, index + 1))
}

type Known = Omit<Schedule, 'startMs' | 'intervalMs' | 'spawned' | 'isShared' | 'runs' | 'isSeeded' | 'keys'>

/** Whether the driver added a run clearly inside a window of a schedule. */
export function hasRuns(schedule: Windows & Pick<Schedule, 'runs'>, window: number): boolean {
  const range = { startMs: windowEnd(schedule, window - 1), endMs: windowEnd(schedule, window), slackMs: 1 }
  return schedule.runs.some((run) => isInside(run, range))
}

function complete(model: ExportModel, known: Known, place: BucketPrefix): Schedule {
  const { request, creation } = known
  const startMs = Date.parse(String(at(request, 'start_time')))
  const intervalMs = Number(at(request, 'interval_hours')) * 3_600_000
  const { seeds } = seedsBefore(model, creation, [])
  const type = typeIn(request)
  const isSeeded = seeds.some(({ start_time }) => Date.parse(start_time) >= startMs)
  const runs = seeds.filter((run) => hasArrived(model, run) && (type === undefined || run.run_type === type))
  const schedule = { ...known, startMs, intervalMs, isSeeded, runs }
  const destination = at(request, 'bulk_export_destination_id')
  const isShared = (derive(model, exportsByDestination).get(destination) ?? []).some(({ id }) => id !== known.id)
  const spawned = spawnedBy(model, { ...known, isShared }, place).map((each) =>
    spawnedExport(model, schedule, place, each),
  )
  // A file of another export is there by mistake.
  const others = new Map([...model.exports, ...model.others])
  for (const { id } of [known, ...spawned]) others.delete(keyOf(id) ?? '')
  const keys = parquetKeys(model, place).filter((key) => !namesOther(others, key, known.id))
  return { ...schedule, spawned, isShared, keys }
}

/** Returns the exports of the trace by the id of their destination. */
function exportsByDestination({ exports }: ExportModel): ReadonlyMap<unknown, readonly BulkExport[]> {
  return Map.groupBy(exports.values(), ({ creation }) => at(creation.request, 'bulk_export_destination_id'))
}

/** The type of runs that a filter of a scenario selects. */
function typeIn(request: unknown): string | undefined {
  return /^(?:and\(like\(name, "%"\), )?eq\(run_type, "(\w+)"\)\)?$/.exec(textAt(request, 'filter') ?? '')?.[1]
}

/** Exports that no request of the trace created, by the ids that their records contain, and by their own. */
function links({ others }: ExportModel) {
  const all = [...others].map(([key, other], index) => ({ key, other, index }))
  const named = all.flatMap((each) => namesIn(each.other).map((name) => ({ name, each })))
  return {
    byName: Map.groupBy(named, ({ name }) => name),
    byId: Map.groupBy(all, ({ other }) => keyOf(other.id)),
    withoutUuid: all.filter(({ other }) => !isUuid(other.id)),
  }
}

/** Values in the records of an export that may name a schedule or its destination. */
function namesIn({ views }: OtherExport): readonly unknown[] {
  const leaves = views.flatMap(({ record }) => nestedFields(record))
  const naming = leaves.filter(({ path }) => path === 'source_bulk_export_id' || /dest/i.test(path))
  return [...new Set(naming.map(({ value }) => keyOf(value)))]
}

/** Exports that contain the id of a schedule or its destination, which no other export uses, or have files there. */
function spawnedBy(
  model: ExportModel,
  { id, request, isShared }: Pick<Schedule, 'id' | 'request' | 'isShared'>,
  { bucket, prefix }: BucketPrefix,
): readonly OtherExport[] {
  const destination = at(request, 'bulk_export_destination_id')
  const inBucket = isShared ? [] : (model.inBucket.get(bucket) ?? [])
  const keys = inBucket.flatMap((each) => (each.type === 'listing' ? each.objects.map(({ key }) => key) : []))
  const files = [...new Set(keys)].filter((key) => key.includes(prefix))
  const known = derive(model, links)
  const named = [id, ...(isShared ? [] : [destination])].flatMap((name) => known.byName.get(keyOf(name)) ?? [])
  const withFiles = [
    ...files.flatMap(uuidsIn).flatMap((uuid) => known.byId.get(keyOf(uuid)) ?? []),
    ...known.withoutUuid.filter(({ other }) => files.some((file) => namesExport(file, other.id))),
  ]
  // Whether an export belongs to another schedule. One that shows this destination belongs here, even if its source is wrong.
  const namesAnother = (other: OtherExport) => {
    const names = namesIn(other).filter((name) => typeof name === 'string')
    const isHere = !isShared && names.includes(keyOf(destination) ?? '')
    const others = names.filter(
      (name) => name !== keyOf(id) && model.exports.get(name)?.creation.intent === 'documented',
    )
    return !isHere && others.length > 0
  }
  return [...new Set([...named.map(({ each }) => each), ...withFiles])]
    .filter(({ key, other }) => key !== keyOf(id) && !namesAnother(other))
    .sort((a, b) => a.index - b.index)
    .map(({ other }) => other)
}

function spawnedExport(
  model: ExportModel,
  schedule: Windows & Pick<Schedule, 'creation' | 'isSeeded' | 'runs' | 'request'>,
  place: BucketPrefix,
  each: OtherExport,
): Spawned {
  const { isSeeded, creation } = schedule
  const end = endOf(model, each)
  const files = end && filesIn(model, place, (key) => namesExport(key, each.id), end.exchange.endedAt)
  const rows = (files ?? []).flatMap(({ content }) => content?.rows ?? [])
  const seeds = seedsBefore(model, creation, rows)
  const { runOf, otherRunOf } = seeds
  const runs = rows.flatMap((row) => runOf(row) ?? [])
  const started = isSeeded ? runs : rows
  const times = started.flatMap(({ start_time }) => timeOf(start_time) ?? []).sort((a, b) => a - b)
  const shown = isSeeded ? undefined : windowIn(each)
  const middle = shown ? (shown.startMs + shown.endMs) / 2 : times[Math.floor(times.length / 2)]
  const window = middle === undefined ? undefined : middle < schedule.startMs ? 0 : windowAt(schedule, middle)
  const foreign = rows.filter((row) => runOf(row) === undefined && otherRunOf(row) !== undefined)
  const type = typeIn(schedule.request)
  const rejected = rows.flatMap((row) => {
    const { run_type: own } = (isSeeded ? runOf(row) : row) ?? {}
    const isRejected = type !== undefined && typeof own === 'string' && own !== type
    return isRejected ? [{ id: row['id'], name: row['name'], run_type: own, start_time: row['start_time'] }] : []
  })
  const isSuccess = hasSucceeded(end?.record, model.statusWords)
  const isDamaged = isSuccess && creation !== undefined && !areReadable(files ?? [])
  const isKnown = window !== undefined && !isDamaged
  return {
    ...each,
    end,
    hasSucceeded: isSuccess,
    files,
    isDamaged,
    window,
    signs: isKnown ? signsOf(schedule, window, { times, runs, shown }) : { start: [], end: [] },
    runs,
    ...seeds,
    foreign,
    rejected,
  }
}

/** What a spawned export exports. */
export function shownWindow({ id, window, files, runs, end }: Spawned): string {
  const unknown =
    files === undefined ? 'unknown files' : runs.length > 0 ? 'runs of other windows' : 'files without runs'
  return `${window === undefined ? unknown : `window ${window}`} from ${id} (${textAt(end?.record, 'status') ?? 'not ended'})`
}

function signsOf(
  schedule: Windows & Pick<Schedule, 'runs'>,
  window: number,
  {
    times,
    runs,
    shown,
  }: Pick<Spawned, 'runs'> & { readonly times: readonly number[]; readonly shown: Shown | undefined },
): Spawned['signs'] {
  const [startMs, endMs] = [windowEnd(schedule, window - 1), windowEnd(schedule, window)]
  const exportedRuns = new Set(runs)
  const missing = schedule.runs.filter((run) => !exportedRuns.has(run))
  const sign = (start: string, found: readonly string[]) =>
    found.length > 0 ? [`${start}: ${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}`] : []
  const lacks = (from: number, to: number) => {
    const found = missing.filter((run) => isInside(run, { startMs: from, endMs: to, slackMs: BORDER_MS }))
    const texts = found.map(({ id, start_time }) => `${id} of ${start_time}`)
    return sign(`all but ${found.length} of them`, texts)
  }
  const has = (isWrong: (ms: number) => boolean) => {
    const found = times.filter(isWrong)
    return sign(`also ${found.length} outside it`, found.map(iso))
  }
  const shows = (name: string, ms = 0, expected = ms) =>
    sign(`a record with another ${name}`, Math.abs(ms - expected) > ROUNDING_MS ? [iso(ms)] : [])
  const middle = (startMs + endMs) / 2
  return {
    start: [
      ...has((ms) => ms < startMs - BORDER_MS),
      ...lacks(startMs, middle),
      ...shows('start', shown?.startMs, shown && startMs),
    ],
    end: [...has((ms) => ms > endMs), ...lacks(middle, endMs), ...shows('end', shown?.endMs, shown && endMs)],
  }
}

interface Shown {
  readonly startMs: number
  readonly endMs: number
}

/** The window that the records of an export show: a start and an end. */
function windowIn({ views }: OtherExport): Shown | undefined {
  for (const { record } of views) {
    const [startMs, endMs] = [timeOf(at(record, 'start_time')), timeOf(at(record, 'end_time'))]
    if (startMs !== undefined && endMs !== undefined) return { startMs, endMs }
  }
  return undefined
}
