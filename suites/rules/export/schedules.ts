import { exportFields } from '../../catalog/export/files.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { keyOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import { decidingViews, type ExportModel, mustSucceed } from '../../model/export.ts'
import { mayBeCut, runListsOf, wholeLists } from '../../model/exported.ts'
import { hasRuns, mustHaveFiles, type Schedule, type Spawned, schedules, shownWindow } from '../../model/schedules.ts'
import { serviceClock } from '../../model/service-clock.ts'
import { columnNames } from '../../values/export/exported-file.ts'
import { namesExport } from '../../values/export/file-path.ts'
import { hasBegun, hasSucceeded, isUnderway } from '../../values/export/statuses.ts'
import { iso, lastChangeTime } from '../../values/export/times.ts'
import { dueTime, lastDue, windowEnd } from '../../values/export/windows.ts'
import { at, listAt, show } from '../../values/json.ts'
import { statusAndBody } from '../common.ts'
import type { ItemOf, Rule, Subject } from '../rule.ts'
import { failureOf, mismatch, rules, verify, verifyNone } from '../rule.ts'
import { listRules } from './reads.ts'

/** Longest delay of an export if a driver moves the clock, in milliseconds: the next window is due after an hour. */
export const LATEST_MS = 45 * 60_000
/** Tolerance for times in responses, in milliseconds: a service may round them, and its clock may be adjusted. */
const EARLY_MS = 60_000
/** Part of `waitMs` that a scenario certainly waited. */
export const WAITED = 0.9

const [spawns, ownPath] = ['export.schedule.spawns', 'export.schedule.own-path'] as const

const isCancelled = (record: unknown) => at(record, 'status') === 'Cancelled'
const timesOf = (schedule: Schedule, n: number) =>
  `${iso(windowEnd(schedule, n - 1))} to ${iso(windowEnd(schedule, n))}`
const windowNumbers = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)

/** Lists of exports by the usual caller. `lacksKnown`: an export is missing that was created long before. */
function* exportLists(model: ExportModel) {
  const known = [...model.exports.values()].filter(
    ({ creation }) => creation.user === 'usual' && creation.intent === 'documented',
  )
  for (const each of wholeLists(model.of('GET /api/v1/bulk-exports').filter(({ user }) => user === 'usual'))) {
    const ids = new Set(each.list.map((record) => keyOf(at(record, 'id'))))
    const settledAt = each.exchange.sentAt - (model.endpoint.waitMs ?? 0)
    const lacksKnown = known.some(({ id, creation }) => creation.endedAt < settledAt && !ids.has(keyOf(id)))
    yield { exchange: each.exchange, lacksKnown, isCut: lacksKnown && mayBeCut(each) }
  }
}

/**
 * Schedules with their windows at the last list before they were cancelled: `due` are the windows that may be exported,
 * `required` those that must be. `isCut`: the list does not show all exports.
 */
function* expectedSpawns(model: ExportModel) {
  const clock = serviceClock(model)
  const { lateMs = 0, waitMs = 0 } = model.endpoint
  const isMoved = model.observations.some((each) => each.type === 'clock' && each.advancedMs !== undefined)
  for (const schedule of select(model, schedules)) {
    const { creation, cancel, createdMs, cancelledMs, spawned, isShared } = schedule
    // Exports without the id of their source may belong to any export with the destination.
    if (isShared && spawned.length === 0) continue
    const last = select(model, exportLists).findLast(
      ({ exchange: { sentAt, endedAt } }) =>
        sentAt >= (creation?.endedAt ?? 0) && endedAt <= (cancel?.sentAt ?? Number.POSITIVE_INFINITY),
    )
    if (last === undefined || clock === undefined || (creation === undefined && cancel === undefined && cancelledMs))
      continue
    const first = lastDue(schedule, createdMs) + 1
    const { exchange } = last
    // A service may export a window with a delay: `required` are the windows that even a late service has exported.
    const due = windowNumbers(first, lastDue(schedule, clock.earliest(exchange.sentAt)))
    const lateBy = isMoved
      ? clock.earliest(exchange.sentAt - waitMs * WAITED) - Math.min(lateMs, LATEST_MS)
      : clock.earliest(exchange.sentAt) - lateMs
    const required = windowNumbers(first, lastDue(schedule, lateBy))
    yield { ...last, setup: [creation], schedule, spawned, due, required }
  }
}

type ExpectedSpawns = ItemOf<typeof expectedSpawns>

const hasNoFiles = ({ spawned }: Schedule) => spawned.every(({ files = [] }) => files.length === 0)

/** The requirement that files of spawned exports fail if they cannot be read, or are at another path. */
function causeInFiles(schedule: Schedule): RequirementId | undefined {
  if (schedule.spawned.some(({ isDamaged }) => isDamaged)) return 'export.file.parquet'
  return mustHaveFiles(schedule) && hasNoFiles(schedule) ? ownPath : undefined
}

/** Requirements that need files of spawned exports. */
const needingFiles: readonly RequirementId[] = [
  'export.schedule.every-window',
  'export.schedule.window.start',
  'export.schedule.window.end',
  'export.schedule.filter',
  'export.schedule.fields',
]
/** Requirements that need spawned exports. */
const needingSpawned: readonly RequirementId[] = [
  ...needingFiles,
  ownPath,
  'export.schedule.source',
  'export.cancel.stops-spawning',
  'export.cancel.spares-spawned',
  'export.cancel.spawned-alone',
]

/** Blocks requirements without spawned exports or without files, which fail a requirement of their own. */
const blocking: Rule<ExportModel> = {
  requirements: needingSpawned,
  *cases(model) {
    for (const { exchange, setup, schedule, required, isCut } of select(model, expectedSpawns)) {
      const isNothing = schedule.spawned.length === 0 && required.length > 0 && !isCut
      const cause = isNothing ? spawns : causeInFiles(schedule)
      if (cause === undefined) continue
      for (const requirement of isNothing ? needingSpawned : needingFiles) {
        if (requirement === 'export.schedule.fields' && at(schedule.request, 'export_fields') === undefined) continue
        yield { requirement, subject: { exchange, setup }, blockedBy: cause }
      }
    }
  },
}

/**
 * Compares the windows of spawned exports with the expected ones: each must be exported once, not counting failed exports.
 * If the driver added runs, an unchanged export that has ended without rows exports none of the windows with runs.
 */
function coverage({ schedule, spawned, required, due }: ExpectedSpawns, model: ExportModel) {
  const covered = spawned.flatMap(({ window }) => window ?? [])
  const succeeding = spawned.flatMap((each) => (each.end === undefined || each.hasSucceeded ? (each.window ?? []) : []))
  const { creation } = schedule
  const isFilled = schedule.isSeeded && creation !== undefined && mustSucceed(model, { ...schedule, creation })
  // If there are as many exports as windows, none is late.
  const expected = isFilled && spawned.length >= due.length ? due : required
  const uncovered = expected.filter((window) => !covered.includes(window) && (!isFilled || hasRuns(schedule, window)))
  const isEmpty = ({ end, hasSucceeded, files, changes }: Spawned) =>
    end !== undefined && changes.length === 0 && !isCancelled(end.record) && (!hasSucceeded || files !== undefined)
  const unknown = spawned.filter((each) => each.window === undefined && !(isFilled && isEmpty(each)))
  return {
    // A spawned export without a known window may export any of the missing ones.
    missing: uncovered.slice(unknown.length),
    unexpected: succeeding.filter((window, index) => window < 1 || succeeding.indexOf(window) !== index),
    isComplete:
      Math.min(due.length, covered.length) > 1 &&
      due.filter((window) => !covered.includes(window)).length <= unknown.length,
  }
}

/** Spawned exports with the records that show them. */
function* spawnedExports(model: ExportModel) {
  for (const schedule of select(model, schedules)) {
    for (const spawned of schedule.spawned) {
      const views = decidingViews(spawned.views)
      const exchange = views.at(-1)?.exchange
      if (exchange !== undefined) yield { exchange, setup: [schedule.creation], schedule, spawned, views }
    }
  }
}

type Shown = ItemOf<typeof spawnedExports>

interface Beginning extends Subject {
  readonly dueMs: number
  readonly ms: number
  readonly toleranceMs?: number
}

/**
 * Times of spawned exports, and when they were due: lists in the ten minutes before the first one, exports that had begun
 * too early, and the ends of exports.
 */
function* beginnings(model: ExportModel): Iterable<Beginning> {
  const clock = serviceClock(model)
  const lists = select(model, exportLists).flatMap(({ exchange }) => {
    return clock ? [{ exchange, from: clock.earliest(exchange.sentAt), to: clock.latest(exchange.endedAt) }] : []
  })
  for (const schedule of select(model, schedules)) {
    const { creation, spawned } = schedule
    const setup = [creation]
    const [endMs, firstMs] = [windowEnd(schedule, 1), dueTime(schedule, 1)]
    for (const { exchange, from, to } of creation ? lists : [])
      if (creation && exchange.sentAt >= creation.endedAt && from >= endMs && to < firstMs)
        yield { exchange, setup, dueMs: firstMs, ms: firstMs }
    for (const each of spawned) {
      const dueMs = dueTime(schedule, Math.max(1, each.window ?? 1))
      // The status of a cancelled export does not show whether it had begun.
      const begun = decidingViews(each.views).find(
        ({ record }) => hasBegun(record, model.statusWords) && !isCancelled(record),
      )?.exchange
      const ms = begun && clock?.latest(begun.endedAt)
      if (begun !== undefined && ms !== undefined && ms < dueMs) yield { exchange: begun, setup, dueMs, ms }
      // If an export failed, the time of its replacement does not count.
      const isOnly = spawned.filter(({ window }) => window === each.window).length === 1
      if (creation === undefined && each.window !== undefined && each.hasSucceeded && isOnly)
        yield* ending(model, each, dueMs)
    }
  }
}

/** The end of a spawned export, from the times in its records and in those of its export runs. */
function* ending(model: ExportModel, { id, views, end }: Spawned, dueMs: number): Iterable<Beginning> {
  const lists = runListsOf(model, id)
  const runs = wholeLists(lists).flatMap(({ list }) => list)
  const last = lastChangeTime(...views.map(({ record }) => record), ...runs)
  const exchange = decidingViews(end ? [end] : [])[0]?.exchange
  if (last !== undefined && exchange !== undefined)
    yield { exchange, setup: lists.slice(-1), dueMs, ms: last, toleranceMs: EARLY_MS }
}

/**
 * Cancellations of single spawned exports. `hit` is the record of another export that was cancelled with it, `ignored` a
 * record that shows that the spawned one went on.
 */
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
        const later = decidingViews(views).filter(
          ({ exchange }) => exchange.sentAt >= cancel.endedAt && exchange.endedAt <= until,
        )
        return wasCancelled ? [] : later.filter(({ record }) => isCancelled(record))
      })
      const after = decidingViews(own.views).filter(({ exchange }) => exchange.sentAt >= cancel.endedAt)
      // A list may show an older status.
      const underway = after.find(
        ({ exchange, record }) => 'export_id' in exchange.params && isUnderway(record, model.statusWords),
      )
      // A busy service may refuse requests, and an export may end before its cancellation.
      const isRefused = !cancel.accepted && ![429, 503].includes(cancel.status ?? 0) && underway !== undefined
      const ignored = after.find(
        ({ exchange, record }) =>
          cancel.accepted &&
          (isUnderway(record, model.statusWords)
            ? exchange.sentAt >= cancel.endedAt + WAITED * (model.endpoint.waitMs ?? 0)
            : underway !== undefined && hasSucceeded(record, model.statusWords)),
      )
      const exchange = (hit ?? ignored)?.exchange ?? cancel
      const setup = [schedule.creation, cancel, ...(cancel.accepted ? [] : [underway?.exchange])]
      yield { exchange, setup, cancel, isRefused, own: own.id, hit: hit?.record, ignored: ignored?.record }
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

/** Lists after further windows of a cancelled schedule were due, with the exports that it spawned after the cancellation. */
function* spawnedLater(model: ExportModel) {
  const clock = serviceClock(model)
  for (const schedule of select(model, schedules)) {
    const { creation, cancel, cancelledMs, spawned, views, spawnedBefore } = schedule
    const exchange = select(model, exportLists).at(-1)?.exchange
    if (cancelledMs === undefined || clock === undefined || exchange === undefined) continue
    const allowed = lastDue(schedule, cancelledMs)
    const isBefore = ({ id, views: own }: Spawned) =>
      cancel === undefined ? spawnedBefore.includes(id) : own.some((view) => view.exchange.sentAt < cancel.endedAt)
    const counted = spawned.filter(({ end, hasSucceeded }) => end === undefined || hasSucceeded)
    const later = counted.filter((each) => !isBefore(each))
    const extra = later.filter(({ window }) => counted.length > allowed || (window !== undefined && window > allowed))
    if (lastDue(schedule, clock.earliest(exchange.sentAt)) <= allowed) continue
    // A list may show an older status.
    const last = decidingViews(views).findLast(({ exchange: { params } }) => 'export_id' in params)
    const isInEffect = isCancelled(last?.record)
    const [deciding] = extra.flatMap((each) => decidingViews(each.views)[0]?.exchange ?? [])
    const ids = extra.map(({ id }) => id)
    yield { exchange: deciding ?? exchange, setup: [creation, cancel], ids, isInEffect }
  }
}

const listFailure = failureOf(listRules)

/** Rules about scheduled exports and the exports that they spawn. */
export const scheduleRules: readonly Rule<ExportModel>[] = [
  blocking,
  ...rules(
    expectedSpawns,
    {
      [spawns]: ({ exchange: list, schedule, spawned, required, isCut }) => {
        if (spawned.length === 0 && (required.length === 0 || isCut)) return false
        const shown = schedule.views.findLast(({ exchange }) => exchange.endedAt <= list.endedAt)
        const received = `none from one with the status ${show(at(shown?.record, 'status'))}`
        return verify(spawned.length > 0, 'exports that the scheduled export spawned', 'at least one', received)
      },
      'export.schedule.every-window': (each, model) => {
        const { missing, unexpected, isComplete } = coverage(each, model)
        if (missing.length > 0 && (each.spawned.length === 0 || causeInFiles(each.schedule) || each.isCut)) return false
        if (missing.length + unexpected.length > 0)
          return mismatch(
            'the windows that spawned exports export',
            `${each.due.join(', ')}, each once`,
            [
              ...missing.map((window) => `no export of window ${window}, ${timesOf(each.schedule, window)}`),
              ...unexpected.map((window) =>
                window < 1 ? 'a window before the start' : `window ${window} more than once`,
              ),
              each.spawned.map(shownWindow).join('; '),
            ].join('; '),
          )
        return isComplete ? undefined : false
      },
      [ownPath]: ({ schedule, spawned, isCut }) => {
        const unexpected = schedule.keys.filter((key) => !spawned.some(({ id }) => namesExport(key, id)))
        if (spawned.length === 0 || isCut || (schedule.keys.length === 0 && !mustHaveFiles(schedule))) return false
        return schedule.keys.length > 0 || !hasNoFiles(schedule)
          ? verifyNone(unexpected, 'files whose path lacks the id of a spawned export')
          : mismatch('files of spawned exports', 'at least one', 'none')
      },
    },
    ({ lacksKnown }, model) => (lacksKnown ? listFailure(undefined, model) : undefined),
  ),
  ...rules(beginnings, {
    'export.schedule.delay': ({ ms, dueMs, toleranceMs = 0 }) =>
      verify(ms + toleranceMs >= dueMs, 'the time of a spawned export', `${iso(dueMs)} or later`, iso(ms)),
  }),
  ...(['start', 'end'] as const).flatMap((side) =>
    rules(spawnedExports, {
      [`export.schedule.window.${side}`]: ({ schedule, spawned: { window, hasSucceeded, signs } }: Shown) =>
        window !== undefined &&
        hasSucceeded &&
        verify(
          signs[side].length === 0,
          'the runs of a spawned export',
          `those of its window, ${timesOf(schedule, window)}`,
          signs[side].join('; '),
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
    'export.service.one-project': ({ spawned: { foreign } }) =>
      foreign.length > 0 &&
      verifyNone(
        foreign.map(({ id, session_id }) => ({ id, session_id })),
        'runs of another project in a file of a spawned export',
      ),
    'export.schedule.filter': ({ schedule, spawned: { files = [], rejected } }) =>
      at(schedule.request, 'filter') !== undefined &&
      files.length > 0 &&
      verifyNone(rejected, `rows of a spawned export that the filter ${at(schedule.request, 'filter')} rejects`),
    'export.schedule.fields': ({ schedule, spawned: { files = [] } }) => {
      const requestedFields = listAt(schedule.request, 'export_fields')
      const names = columnNames(files).filter((name) => (exportFields as readonly string[]).includes(name))
      return (
        requestedFields.length > 0 &&
        files.length > 0 &&
        verifyNone(
          names.filter((name) => !requestedFields.includes(name)),
          'columns of a spawned export other than the requested ones',
        )
      )
    },
  }),
  ...rules(cancelledAlone, {
    'export.cancel.spawned-alone': ({ cancel, isRefused, own, hit, ignored }) => {
      if (isRefused) return mismatch('the cancellation of a spawned export', 'a 2xx response', statusAndBody(cancel))
      const name = `export ${at(hit, 'id')} after the cancellation of only ${own}`
      if (hit) return mismatch(name, 'not Cancelled', at(hit, 'status'))
      return verify(ignored === undefined, `the spawned export ${own} after its cancellation`, 'Cancelled', ignored)
    },
  }),
  ...rules(afterCancel, {
    'export.cancel.spares-spawned': ({ status }) =>
      verify(status !== 'Cancelled', 'a spawned export after its schedule was cancelled', 'not Cancelled', status),
  }),
  ...rules(
    spawnedLater,
    { 'export.cancel.stops-spawning': ({ ids }) => verifyNone(ids, 'exports that a cancelled schedule spawned') },
    ({ isInEffect }) => (isInEffect ? undefined : 'export.cancel.scheduled'),
  ),
]
