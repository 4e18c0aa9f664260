import { exportFields } from '../../catalog/export/files.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { mismatch, type Rule, rules, verify } from '../../evaluate/rule.ts'
import { columnNames } from '../../harness/export/exported-files.ts'
import { namesExport } from '../../harness/export/file-path.ts'
import { hasBegun } from '../../harness/export/statuses.ts'
import { lastChangeTime } from '../../harness/export/times.ts'
import { at, listAt } from '../../harness/json.ts'
import { keyOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { ExportModel, ExportView } from '../../model/export.ts'
import { wholeLists } from '../../model/exported.ts'
import { type Schedule, type Spawned, schedules } from '../../model/schedules.ts'
import { serviceClock } from '../../model/service-clock.ts'
import { dueTime, lastDue, windowEnd } from '../../model/windows.ts'
import { none } from './files.ts'

/** With a driver that moves the clock, the next window is due after an hour: a later export is lost, in milliseconds. */
export const LATEST_MS = 45 * 60_000
/** A service shows times to the second, and its clock may be set, in milliseconds. */
const EARLY_MS = 60_000
/** Part of `waitMs` that a scenario is sure to have waited. */
const WAITED = 0.9

const [spawns, ownPath] = ['export.schedule.spawns', 'export.schedule.own-path'] as const

const isCancelled = (record: unknown) => at(record, 'status') === 'Cancelled'
const iso = (ms: number) => new Date(ms).toISOString()
/** Exchanges that a rule may show: those of probes decide nothing. */
const shownBy = (views: readonly ExportView[]) => views.filter(({ exchange }) => exchange.intent !== 'probe')
const windowNumbers = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)

/** Plain lists of exports by the usual caller. */
function plainLists(model: ExportModel): readonly Exchange[] {
  return model.of('GET /api/v1/bulk-exports').filter(({ user, url }) => user === 'usual' && !url.includes('?'))
}

/** Schedules with what they had to spawn by the last list before they were cancelled. */
function* watched(model: ExportModel) {
  const clock = serviceClock(model)
  const { lateMs = 0, waitMs = 0 } = model.endpoint
  const isMoved = model.observations.some((each) => each.type === 'clock' && each.advancedMs !== undefined)
  for (const schedule of select(model, schedules)) {
    const { created, cancel, createdMs, cancelledMs, spawned } = schedule
    const exchange = plainLists(model).findLast(
      ({ sentAt, endedAt }) =>
        sentAt >= (created?.endedAt ?? 0) && endedAt <= (cancel?.sentAt ?? Number.POSITIVE_INFINITY),
    )
    if (exchange === undefined || clock === undefined || (created === undefined && cancel === undefined && cancelledMs))
      continue
    const first = lastDue(schedule, createdMs) + 1
    // Windows that are due, and those that a service that is late has exported, too.
    const due = windowNumbers(first, lastDue(schedule, clock.earliest(exchange.sentAt)))
    const lateBy = isMoved
      ? clock.earliest(exchange.sentAt - waitMs * WAITED) - Math.min(lateMs, LATEST_MS)
      : clock.earliest(exchange.sentAt) - lateMs
    const owed = windowNumbers(first, lastDue(schedule, lateBy))
    yield { exchange, setup: [created], schedule, spawned, due, owed }
  }
}

type Watched = ReturnType<typeof watched> extends Iterable<infer Each> ? Each : never

/** Whether files are to be expected: the driver added runs to the windows, and exports of them succeeded. */
const mustHaveFiles = ({ isSeeded, runs, spawned }: Schedule) =>
  isSeeded && runs.length > 0 && spawned.some(({ hasSucceeded, files }) => hasSucceeded && files !== undefined)

const hasNoFiles = ({ spawned }: Schedule) => spawned.every(({ files = [] }) => files.length === 0)

/** Requirements that say nothing where nothing is spawned, and those that say nothing without files. */
const ofWindows: readonly RequirementId[] = [
  'export.schedule.every-window',
  'export.schedule.window.start',
  'export.schedule.window.end',
  'export.schedule.filter',
  'export.schedule.fields',
]
const ofSpawned: readonly RequirementId[] = [
  ...ofWindows,
  ownPath,
  'export.schedule.source',
  'export.cancel.stops-spawning',
  'export.cancel.spares-spawned',
  'export.cancel.spawned-alone',
]

const dependent: Rule<ExportModel> = {
  requirements: ofSpawned,
  *cases(model) {
    for (const { exchange, setup, schedule, owed } of select(model, watched)) {
      const isNothing = schedule.spawned.length === 0 && owed.length > 0
      const cause = isNothing ? spawns : mustHaveFiles(schedule) && hasNoFiles(schedule) ? ownPath : undefined
      if (cause === undefined) continue
      for (const requirement of isNothing ? ofSpawned : ofWindows) {
        if (requirement === 'export.schedule.fields' && at(schedule.request, 'export_fields') === undefined) continue
        yield { requirement, subject: { exchange, setup }, blockedBy: cause }
      }
    }
  },
}

/** Which windows the spawned exports cover, each but those of failed ones. */
function coverage({ spawned, owed, due }: Watched) {
  const covered = spawned.flatMap(({ window }) => window ?? [])
  const tried = spawned.flatMap((each) => (each.end === undefined || each.hasSucceeded ? (each.window ?? []) : []))
  const missing = owed.filter((window) => !covered.includes(window))
  return {
    // One of an unknown window may be of any.
    lost: missing.slice(spawned.length - covered.length),
    odd: tried.filter((window, index) => window < 1 || tried.indexOf(window) !== index),
    isWhole: due.length > 1 && due.every((window) => covered.includes(window)),
  }
}

/** Spawned exports with the records that show them. */
function* spawnedExports(model: ExportModel) {
  for (const schedule of select(model, schedules)) {
    for (const spawned of schedule.spawned) {
      const views = shownBy(spawned.views)
      const exchange = views.at(-1)?.exchange
      if (exchange !== undefined) yield { exchange, setup: [schedule.created], schedule, spawned, views }
    }
  }
}

type Shown = ReturnType<typeof spawnedExports> extends Iterable<infer Each> ? Each : never

/** Lists in the ten minutes before the first export, exports that had begun before their time, and ends that they show. */
function* beginnings(model: ExportModel) {
  const clock = serviceClock(model)
  for (const schedule of select(model, schedules)) {
    const { created, spawned } = schedule
    const setup = [created]
    for (const exchange of created && clock ? plainLists(model) : []) {
      const [from, to] = [clock?.earliest(exchange.sentAt) ?? 0, clock?.latest(exchange.endedAt) ?? Infinity]
      const isBetween = from >= windowEnd(schedule, 1) && to < dueTime(schedule, 1)
      if (created && exchange.sentAt >= created.endedAt && isBetween)
        yield { exchange, setup, dueMs: dueTime(schedule, 1), ms: dueTime(schedule, 1) }
    }
    for (const each of spawned) {
      const dueMs = dueTime(schedule, Math.max(1, each.window ?? 1))
      // One that was cancelled need not have begun.
      const begun = shownBy(each.views).find(
        ({ record }) => hasBegun(record, model.statusWords) && !isCancelled(record),
      )?.exchange
      const ms = begun && clock?.latest(begun.endedAt)
      if (begun !== undefined && ms !== undefined && ms < dueMs) yield { exchange: begun, setup, dueMs, ms }
      // One that replaces a failed one came at the time of that.
      const isOnly = spawned.filter(({ window }) => window === each.window).length === 1
      if (created === undefined && each.window !== undefined && each.hasSucceeded && isOnly)
        yield* ending(model, each, dueMs)
    }
  }
}

/** The end that a spawned export and its export runs show. */
function* ending(model: ExportModel, { id, views, end }: Spawned, dueMs: number) {
  const lists = model
    .of('GET /api/v1/bulk-exports/{export_id}/runs')
    .filter(({ params }) => keyOf(params['export_id']) === keyOf(id))
  const last = lastChangeTime(...views.map(({ record }) => record), ...wholeLists(lists).flatMap(({ list }) => list))
  const exchange = shownBy(end ? [end] : [])[0]?.exchange
  if (last !== undefined && exchange !== undefined)
    yield { exchange, setup: lists.slice(-1), dueMs, ms: last + EARLY_MS }
}

/** Cancellations of spawned exports by their own id, with what was cancelled before the next cancellation. */
function* cancelledAlone(model: ExportModel) {
  for (const schedule of select(model, schedules)) {
    for (const own of schedule.spawned) {
      const cancel = own.changes.find(({ user, intent }) => user === 'usual' && intent === 'documented')
      if (cancel?.fate !== 'answered') continue
      const until = schedule.cancel?.sentAt ?? Number.POSITIVE_INFINITY
      const others = [schedule, ...schedule.spawned.filter((each) => each !== own)]
      const [hit] = others.flatMap(({ views }) => {
        const wasCancelled = views.some(
          ({ exchange, record }) => exchange.sentAt < cancel.sentAt && isCancelled(record),
        )
        const later = shownBy(views).filter(
          ({ exchange }) => exchange.sentAt >= cancel.endedAt && exchange.endedAt <= until,
        )
        return wasCancelled ? [] : later.filter(({ record }) => isCancelled(record))
      })
      const hadEnded = own.end !== undefined && own.end.exchange.endedAt <= cancel.sentAt
      const exchange = hit?.exchange ?? cancel
      yield { exchange, setup: [schedule.created, cancel], isRefused: !cancel.accepted && !hadEnded, hit: hit?.record }
    }
  }
}

/** Reads of spawned exports after their schedule was cancelled. */
function* afterCancel(model: ExportModel) {
  for (const { schedule, spawned, setup, views } of select(model, spawnedExports)) {
    const { cancel } = schedule
    if (cancel === undefined || spawned.changes.length > 0) continue
    const wasCancelled = views.some(({ exchange, record }) => exchange.sentAt < cancel.sentAt && isCancelled(record))
    const later = views.filter(({ exchange }) => exchange.sentAt >= cancel.endedAt)
    for (const { exchange, record } of wasCancelled ? [] : later)
      yield { exchange, setup: [...setup, cancel], status: at(record, 'status') }
  }
}

/** Lists after further windows of a cancelled schedule were due, with what it spawned although it was cancelled. */
function* spawnedLater(model: ExportModel) {
  const clock = serviceClock(model)
  for (const schedule of select(model, schedules)) {
    const { created, cancel, cancelledMs, spawned, views, spawnedBefore } = schedule
    const exchange = plainLists(model).at(-1)
    if (cancelledMs === undefined || clock === undefined || exchange === undefined) continue
    const allowed = lastDue(schedule, cancelledMs)
    const isBefore = ({ id, views: own }: Spawned) =>
      cancel === undefined ? spawnedBefore.includes(id) : own.some((view) => view.exchange.sentAt < cancel.endedAt)
    const counted = spawned.filter(({ end, hasSucceeded }) => end === undefined || hasSucceeded)
    const later = counted.filter((each) => !isBefore(each))
    const extra = later.filter(({ window }) => counted.length > allowed || (window !== undefined && window > allowed))
    if (lastDue(schedule, clock.earliest(exchange.sentAt)) <= allowed) continue
    const last = shownBy(views).at(-1)
    const isInEffect = isCancelled(last?.record)
    const shown = extra.flatMap((each) => shownBy(each.views)[0]?.exchange ?? [])
    yield {
      exchange: shown[0] ?? exchange,
      setup: [created, cancel],
      ids: extra.map(({ id }) => id),
      isInEffect,
    }
  }
}

/** Rules about scheduled exports and the exports that they spawn. */
export const scheduleRules: readonly Rule<ExportModel>[] = [
  dependent,
  ...rules(watched, {
    [spawns]: ({ spawned, owed }) =>
      (spawned.length > 0 || owed.length > 0) &&
      verify(spawned.length > 0, 'exports that the scheduled export spawned', 'at least one', 'none'),
    'export.schedule.every-window': (each) => {
      const { lost, odd, isWhole } = coverage(each)
      const windows = each.spawned.map(({ id, window }) => ({ id, window }))
      if (lost.length > 0 && each.spawned.length === 0) return false
      if (lost.length + odd.length > 0)
        return mismatch('the windows of spawned exports', `${each.due.join(', ')}, each once`, windows)
      return isWhole ? undefined : false
    },
    [ownPath]: ({ schedule, spawned }) => {
      const strays = schedule.keys.filter((key) => !spawned.some(({ id }) => namesExport(key, id)))
      if (spawned.length === 0 || (schedule.keys.length === 0 && !mustHaveFiles(schedule))) return false
      return schedule.keys.length > 0
        ? none(strays, 'files without the id of a spawned export in their path')
        : mismatch('files of spawned exports', 'at least one', 'none')
    },
  }),
  ...rules(beginnings, {
    'export.schedule.delay': ({ ms, dueMs }) =>
      verify(ms >= dueMs, 'the time of a spawned export', `${iso(dueMs)} or later`, iso(ms)),
  }),
  ...(['start', 'end'] as const).flatMap((side) =>
    rules(spawnedExports, {
      [`export.schedule.window.${side}`]: ({ schedule, spawned: { window, hasSucceeded, signs } }: Shown) =>
        window !== undefined &&
        hasSucceeded &&
        verify(
          signs[side].length === 0,
          `the ${side} of a spawned export`,
          iso(windowEnd(schedule, side === 'end' ? window : window - 1)),
          signs[side].slice(0, 3).join(', '),
        ),
    }),
  ),
  ...rules(spawnedExports, {
    'export.schedule.source': ({ schedule: { id }, views }) =>
      verify(
        views.some(({ record }) => keyOf(at(record, 'source_bulk_export_id')) === keyOf(id)),
        '`source_bulk_export_id` of a spawned export',
        id,
        at(views.at(-1)?.record, 'source_bulk_export_id'),
      ),
    'export.schedule.filter': ({ schedule, spawned: { files = [], rejected } }) =>
      at(schedule.request, 'filter') !== undefined &&
      files.length > 0 &&
      none(rejected, 'rows of a spawned export that its filter rejects'),
    'export.schedule.fields': ({ schedule, spawned: { files = [] } }) => {
      const asked = listAt(schedule.request, 'export_fields')
      const names = columnNames(files).filter((name) => (exportFields as readonly string[]).includes(name))
      return (
        asked.length > 0 &&
        files.length > 0 &&
        none(
          names.filter((name) => !asked.includes(name)),
          'columns of a spawned export that were not requested',
        )
      )
    },
  }),
  ...rules(cancelledAlone, {
    'export.cancel.spawned-alone': ({ isRefused, hit }) =>
      isRefused
        ? mismatch('the cancellation of a spawned export', 'a 2xx response', 'a refusal')
        : verify(hit === undefined, 'another export after the cancellation of a spawned one', 'not Cancelled', hit),
  }),
  ...rules(afterCancel, {
    'export.cancel.spares-spawned': ({ status }) =>
      verify(status !== 'Cancelled', 'a spawned export after its schedule was cancelled', 'not Cancelled', status),
  }),
  ...rules(
    spawnedLater,
    { 'export.cancel.stops-spawning': ({ ids }) => none(ids, 'exports that a cancelled schedule spawned') },
    ({ isInEffect }) => (isInEffect ? undefined : 'export.cancel.scheduled'),
  ),
]
