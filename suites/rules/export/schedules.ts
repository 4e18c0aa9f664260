import type { RequirementId } from '../../catalog/generated/ids.ts'
import { keyOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import { decidingViews, type ExportModel, mustSucceed } from '../../model/export.ts'
import { mayBeCut, runListsOf, wholeLists } from '../../model/exported.ts'
import { hasRuns, mustHaveFiles, type Schedule, schedules } from '../../model/schedules.ts'
import { serviceClock } from '../../model/service-clock.ts'
import type { Spawned } from '../../model/spawned.ts'
import { namesExport } from '../../values/export/file-path.ts'
import { hasBegun, isCancelled } from '../../values/export/statuses.ts'
import { iso, lastChangeTime } from '../../values/export/times.ts'
import { dueTime, lastDue, windowEnd } from '../../values/export/windows.ts'
import { at, show, textAt } from '../../values/json.ts'
import { WAITED } from '../../values/settling-time.ts'
import { failureOf, type ItemOf, mismatch, type Rule, rules, type Subject, verify, verifyNone } from '../rule.ts'
import { listRules } from './reads.ts'

/** Longest delay of an export if a driver moves the clock, in milliseconds: the next window is due after an hour. */
export const LATEST_MS = 45 * 60_000
/** Tolerance for times in responses, in milliseconds: a service may round them, and its clock may be adjusted. */
const EARLY_MS = 60_000

const [spawns, ownPath] = ['export.schedule.spawns', 'export.schedule.own-path'] as const

/** Returns the times at which a window starts and ends. */
export const timesOf = (schedule: Schedule, window: number) =>
  `${iso(windowEnd(schedule, window - 1))} to ${iso(windowEnd(schedule, window))}`
const windowNumbers = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)

/** Lists of exports by a caller. `missing`: exports that were created long before. */
export const exportLists = { usual: listsOf('usual'), other: listsOf('other') } as const

function listsOf(caller: string) {
  return function* lists(model: ExportModel) {
    const known = [...model.exports.values()].filter(
      ({ creation }) => creation.user === caller && creation.intent === 'documented',
    )
    for (const each of wholeLists(model.of('GET /api/v1/bulk-exports').filter(({ user }) => user === caller))) {
      const ids = new Set(each.list.map((record) => keyOf(at(record, 'id'))))
      const settledAt = each.exchange.sentAt - (model.endpoint.waitMs ?? 0)
      const missing = known.filter(({ id, creation }) => creation.endedAt < settledAt && !ids.has(keyOf(id)))
      yield { ...each, missing, isCut: missing.length > 0 && mayBeCut(each) }
    }
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
    const { user, creation, cancel, createdMs, cancelledMs, spawned, isShared } = schedule
    // Exports without the id of their source may belong to any export with the destination.
    if (isShared && spawned.length === 0) continue
    const last = select(model, exportLists[user]).findLast(
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

/** What a spawned export exports. */
function shownWindow({ id, window, files, runs, end }: Spawned): string {
  const unknown =
    files === undefined ? 'unknown files' : runs.length > 0 ? 'runs of other windows' : 'files without runs'
  const known = window === 0 ? 'a window before the start' : `window ${window}`
  return `${window === undefined ? unknown : known} in ${id} (${textAt(end?.record, 'status') ?? 'not ended'})`
}

/** Whether a schedule was cancelled with one of its exports: it shows that before it was cancelled itself. */
const isStopped = ({ exchange, schedule, spawned }: ExpectedSpawns) =>
  spawned.some(({ changes }) => changes.some(({ user }) => user === schedule.user)) &&
  schedule.views.some((view) => view.exchange.sentAt < exchange.endedAt && isCancelled(view.record))

interface Beginning extends Subject {
  /** Its window; undefined if the trace does not show it. */
  readonly window?: number | undefined
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
  const timesOfLists = (user: keyof typeof exportLists) =>
    select(model, exportLists[user]).flatMap(({ exchange }) => {
      return clock ? [{ exchange, from: clock.earliest(exchange.sentAt), to: clock.latest(exchange.endedAt) }] : []
    })
  const lists = { usual: timesOfLists('usual'), other: timesOfLists('other') }
  for (const schedule of select(model, schedules)) {
    const { user, creation, spawned } = schedule
    const setup = [creation]
    const firstMs = dueTime(schedule, 1)
    for (const { exchange, from, to } of lists[user])
      if (creation && exchange.sentAt >= creation.endedAt && from >= windowEnd(schedule, 1) && to < firstMs)
        yield { exchange, setup, dueMs: firstMs, ms: firstMs }
    for (const each of spawned) {
      const dueMs = dueTime(schedule, Math.max(1, each.window ?? 1))
      // The status of a cancelled export does not show whether it had begun.
      const begun = decidingViews(each.views).find(
        ({ record }) => hasBegun(record, model.statusWords) && !isCancelled(record),
      )?.exchange
      const ms = begun && clock?.latest(begun.endedAt)
      if (begun !== undefined && ms !== undefined && ms < dueMs)
        yield { exchange: begun, setup, window: each.window, dueMs, ms }
      // If an export failed, the time of its replacement does not count.
      const isOnly = spawned.filter(({ window }) => window === each.window).length === 1
      if (creation === undefined && each.window !== undefined && each.hasSucceeded && isOnly)
        yield* ending(model, each, dueMs)
    }
  }
}

/** The end of a spawned export, from the times in its records and in those of its export runs. */
function* ending(model: ExportModel, { id, views, end, window }: Spawned, dueMs: number): Iterable<Beginning> {
  const lists = runListsOf(model, id)
  const runs = wholeLists(lists).flatMap(({ list }) => list)
  const last = lastChangeTime(...views.map(({ record }) => record), ...runs)
  const exchange = decidingViews(end ? [end] : [])[0]?.exchange
  if (last !== undefined && exchange !== undefined)
    yield { exchange, setup: lists.slice(-1), window, dueMs, ms: last, toleranceMs: EARLY_MS }
}

const listFailure = failureOf(listRules)

/** Rules about when scheduled exports spawn others, and of which windows. */
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
        if (missing.length > 0 && isStopped(each)) return 'export.cancel.spawned-alone'
        if (missing.length > 0 && (each.spawned.length === 0 || causeInFiles(each.schedule) || each.isCut)) return false
        if (missing.length + unexpected.length > 0)
          return mismatch(
            'the windows that spawned exports export',
            each.due.length > 0 ? `${each.due.join(', ')}, each once` : 'none',
            [
              ...missing.map((window) => `no export of window ${window}, ${timesOf(each.schedule, window)}`),
              ...unexpected.flatMap((window) => (window < 1 ? [] : [`window ${window} more than once`])),
              ...each.spawned.map(shownWindow),
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
    // If lists lose exports between their pages, this one may lack a spawned export.
    ({ missing, pages }, model) => (missing.length > 0 || pages.length > 1 ? listFailure(undefined, model) : undefined),
  ),
  ...rules(beginnings, {
    'export.schedule.delay': ({ ms, dueMs, window, toleranceMs = 0 }) => {
      const name = `the time of a spawned export${window === undefined ? '' : ` of window ${window}`}`
      return verify(ms + toleranceMs >= dueMs, name, `${iso(dueMs)} or later`, iso(ms))
    },
  }),
]
