import { rowsIn } from '../values/export/exported-file.ts'
import { isInside } from '../values/export/times.ts'
import { type Windows, windowAt, windowEnd } from '../values/export/windows.ts'
import { at, textAt } from '../values/json.ts'
import { settlingMs } from '../values/settling-time.ts'
import { keyOf } from './deployment.ts'
import { derive, select } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { type BulkExport, destinationOf, type ExportModel, isScheduled, othersOf, parquetFiles } from './export.ts'
import { exported, hasArrived, namesOther, runsAfter, type Written } from './exported.ts'
import { type Seed, seedsBefore } from './seeds.ts'
import { serviceClock } from './service-clock.ts'
import { type Spawned, type Spawner, spawnedBy } from './spawned.ts'

/** A scheduled export that a request of the trace created, or that an earlier test run started. */
export interface Schedule extends Spawner {
  /** The latest time of the service at which it was created. */
  readonly createdMs: number
  /** The request with which its creator cancelled it. */
  readonly cancel: Exchange | undefined
  /** The latest time of the service at which it was cancelled, if it was. */
  readonly cancelledMs: number | undefined
  /** Ids of exports that it had spawned when an earlier test run ended. */
  readonly spawnedBefore: readonly string[]
  readonly spawned: readonly Spawned[]
  /** Keys of the Parquet files under the prefix of its destination. */
  readonly keys: readonly string[]
}

/** Yields the scheduled exports of documented requests, and those that an earlier test run started. */
export function* schedules(model: ExportModel): Iterable<Schedule> {
  const clock = serviceClock(model)
  for (const { creation, ...each } of model.exports.values()) {
    const place = destinationOf(model, { creation })
    if (!isScheduled({ creation }) || creation.intent !== 'documented' || place === undefined) continue
    const cancel = each.changes.find(({ user, accepted }) => user === creation.user && accepted)
    const createdMs = clock?.latest(creation.endedAt) ?? Number.POSITIVE_INFINITY
    const cancelledMs = cancel && clock?.latest(cancel.endedAt)
    const user = creation.user === 'other' ? 'other' : 'usual'
    const { bucket, prefix } = place
    const spawner = { ...each, user, creation, request: creation.request, bucket, prefix } as const
    yield { ...complete(model, spawner), createdMs, cancel, cancelledMs, spawnedBefore: [] }
  }
  for (const each of model.observations) {
    if (each.type !== 'started') continue
    const { export: id, request, bucket, prefix, createdMs, isCancelled, spawned: spawnedBefore } = each
    const { views = [], changes = [] } = model.others.get(keyOf(id) ?? '') ?? {}
    const cancel = changes.find(({ accepted }) => accepted)
    const cancelledMs = isCancelled ? createdMs : cancel && clock?.latest(cancel.endedAt)
    const spawner = { user: 'usual', id, views, changes, creation: undefined, request, bucket, prefix } as const
    yield { ...complete(model, spawner), createdMs, cancel, cancelledMs, spawnedBefore }
  }
}

/** Adds what a request and the driver determine, and what the schedule spawned. */
function complete(
  model: ExportModel,
  known: Omit<Spawner, 'startMs' | 'intervalMs' | 'type' | 'isShared' | 'isSeeded' | 'runs' | 'isInTime'>,
): Spawner & Pick<Schedule, 'spawned' | 'keys'> {
  const { user, request, creation, id } = known
  const startMs = Date.parse(String(at(request, 'start_time')))
  const intervalMs = Number(at(request, 'interval_hours')) * 3_600_000
  const type = typeIn(textAt(request, 'filter') ?? '')
  const destination = at(request, 'bulk_export_destination_id')
  const isShared = (derive(model, exportsByDestination).get(destination) ?? []).some((other) => other.id !== id)
  const clock = serviceClock(model)
  const isInTime = ({ run, seededAt }: Seed) => {
    if (creation === undefined || seededAt <= creation.sentAt) return creation !== undefined
    const windows = { startMs, intervalMs }
    const endMs = windowEnd(windows, windowAt(windows, Date.parse(run.start_time)))
    return (clock?.latest(seededAt) ?? Infinity) < endMs
  }
  const { seeds } = seedsBefore(model, creation, [], isInTime)
  const isSeeded = seeds.some(({ start_time }) => Date.parse(start_time) >= startMs)
  const runs = seeds.filter((run) => hasArrived(model, run) && (type === undefined || run.run_type === type))
  const schedule = { ...known, startMs, intervalMs, type, isShared, isSeeded, runs, isInTime }
  const spawned = spawnedBy(model, schedule)
  // A file of another export is there by mistake.
  const others = new Map([...model.exports, ...othersOf(model, user)])
  for (const each of [known, ...spawned]) others.delete(keyOf(each.id) ?? '')
  const keys = parquetFiles(model, known)
    .map(({ key }) => key)
    .filter((key) => !namesOther(others, key, id) && !mayBeUnlisted(model, key, known))
  return { ...schedule, spawned, keys }
}

/** Whether a key names an export that may exist although no response shows it: the last list was too early. */
function mayBeUnlisted(model: ExportModel, key: string, schedule: Pick<Spawner, 'id' | 'user'>): boolean {
  const [, named = ''] = /\/export_id=([^/]+)\//.exec(key) ?? []
  const id = keyOf(named) ?? ''
  if (id === '' || id === keyOf(schedule.id) || model.exports.has(id)) return false
  if (othersOf(model, schedule.user).has(id)) return false
  const observed = model.observations.find((each) => each.type === 'file' && each.key === key)
  const list = model.of('GET /api/v1/bulk-exports').findLast(({ user }) => user === schedule.user)
  return observed !== undefined && (list?.sentAt ?? 0) < observed.startedAt + settlingMs
}

/** Returns the exports of the trace by the id of their destination. */
function exportsByDestination({ exports }: ExportModel): ReadonlyMap<unknown, readonly BulkExport[]> {
  return Map.groupBy(exports.values(), ({ creation }) => at(creation.request, 'bulk_export_destination_id'))
}

/** The type of runs that a filter of a scenario selects. */
function typeIn(filter: string): string | undefined {
  return /^(?:and\(like\(name, "%"\), )?eq\(run_type, "(\w+)"\)\)?$/.exec(filter)?.[1]
}

/** Whether spawned exports must have files: the driver added runs to each of their windows, and one of them succeeded. */
export function mustHaveFiles(schedule: Schedule): boolean {
  const { isSeeded, spawned } = schedule
  const isWritten = spawned.some(({ hasSucceeded, files }) => hasSucceeded && files !== undefined)
  return isSeeded && isWritten && spawned.every((_, index) => hasRuns(schedule, index + 1))
}

/** Whether the driver added a run clearly inside a window of a schedule. */
export function hasRuns(schedule: Windows & Pick<Schedule, 'runs'>, window: number): boolean {
  const range = { startMs: windowEnd(schedule, window - 1), endMs: windowEnd(schedule, window), slackMs: 1 }
  return schedule.runs.some((run) => isInside(run, range))
}

/** Yields the unchanged exports that succeeded: one-off ones that had to, and those that schedules of the trace spawned. */
export function* written(model: ExportModel): Iterable<Written> {
  yield* select(model, exported)
  for (const { creation, spawned } of select(model, schedules)) {
    for (const { id, changes, end, hasSucceeded, files, ...found } of spawned) {
      if (creation === undefined || end === undefined || !hasSucceeded || files === undefined || changes.length > 0)
        continue
      const runs = runsAfter(model, id, end.exchange.endedAt)
      const known = { exchange: end.exchange, setup: [creation], id, creation, files, rows: rowsIn(files), runs }
      yield { ...found, ...known, isPlain: false }
    }
  }
}
