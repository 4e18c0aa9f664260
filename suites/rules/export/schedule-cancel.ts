import { select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { decidingViews, type ExportModel, type ExportView } from '../../model/export.ts'
import { schedules } from '../../model/schedules.ts'
import { serviceClock } from '../../model/service-clock.ts'
import type { Spawned } from '../../model/spawned.ts'
import { hasSucceeded, isCancelled, isUnderway } from '../../values/export/statuses.ts'
import { lastDue } from '../../values/export/windows.ts'
import { at } from '../../values/json.ts'
import { WAITED } from '../../values/settling-time.ts'
import { statusAndBody } from '../common.ts'
import { mismatch, type Rule, rules, verify, verifyNone } from '../rule.ts'
import { exportLists } from './schedules.ts'
import { spawnedExports } from './spawned.ts'
import { notCancelled } from './statuses.ts'

/** How late a list may be by the clock of the service, in milliseconds. */
const LATE_MS = 60_000

const isCancelledBefore = (views: readonly ExportView[], { sentAt }: Exchange) =>
  views.some(({ exchange, record }) => exchange.sentAt < sentAt && isCancelled(record))
const viewsAfter = (views: readonly ExportView[], { endedAt }: Exchange) =>
  decidingViews(views).filter(({ exchange }) => exchange.sentAt >= endedAt)
/** Whether a record is that of a single export: a list may show an older status. */
const isSingle = ({ exchange }: ExportView) => 'export_id' in exchange.params

/**
 * Cancellations of single spawned exports. `hit` is the record of another export that was cancelled with it, `ignored` a
 * record that shows that the spawned one went on.
 */
function* cancelledAlone(model: ExportModel) {
  const { statusWords, endpoint } = model
  for (const schedule of select(model, schedules)) {
    const until = schedule.cancel?.sentAt ?? Number.POSITIVE_INFINITY
    for (const own of schedule.spawned) {
      const cancel = own.changes.find(({ user, intent }) => user === schedule.user && intent === 'documented')
      if (cancel?.fate !== 'answered') continue
      const hit = [schedule, ...schedule.spawned]
        .filter((other) => other !== own && !isCancelledBefore(other.views, cancel))
        .flatMap(({ views }) => viewsAfter(views, cancel))
        .find(({ exchange, record }) => exchange.endedAt <= until && isCancelled(record))
      const after = viewsAfter(own.views, cancel)
      const underway = after.find((view) => isSingle(view) && isUnderway(view.record, statusWords))
      // A cancellation may take effect late, and an export may end before it.
      const effectiveAt = cancel.endedAt + WAITED * (endpoint.waitMs ?? 0)
      const isIgnored = ({ exchange, record }: ExportView) =>
        isUnderway(record, statusWords)
          ? exchange.sentAt >= effectiveAt
          : underway !== undefined && hasSucceeded(record, statusWords)
      // A later request may restart it, which fails a requirement of its own.
      const restartedAt = own.changes.find(({ request }) => !isCancelled(request))?.sentAt ?? Number.POSITIVE_INFINITY
      const ignored = cancel.accepted
        ? after.find((view) => view.exchange.sentAt < restartedAt && isIgnored(view))
        : undefined
      // A busy service may refuse requests.
      const isRefused = !cancel.accepted && ![429, 503].includes(cancel.status ?? 0) && underway !== undefined
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
    for (const { exchange, record } of isCancelledBefore(views, cancel) ? [] : viewsAfter(views, cancel))
      yield { exchange, setup: [...setup, cancel], record }
  }
}

/** Lists after further windows of a cancelled schedule were due, with the exports that it spawned after the cancellation. */
function* spawnedLater(model: ExportModel) {
  const clock = serviceClock(model)
  for (const schedule of select(model, schedules)) {
    const { user, creation, cancel, cancelledMs, spawned, views, spawnedBefore } = schedule
    const exchange = select(model, exportLists[user]).at(-1)?.exchange
    if (cancelledMs === undefined || clock === undefined || exchange === undefined) continue
    const allowed = lastDue(schedule, cancelledMs)
    // A list may show late what was spawned before the cancellation, even hours before its window.
    const isBefore = ({ id, views: own }: Spawned) =>
      cancel === undefined
        ? spawnedBefore.includes(id)
        : own.some(
            ({ exchange: { sentAt } }) => sentAt < cancel.endedAt || clock.latest(sentAt) < cancelledMs + LATE_MS,
          )
    const counted = spawned.filter(({ end, hasSucceeded }) => end === undefined || hasSucceeded)
    const later = counted.filter((each) => !isBefore(each))
    const extra = later.filter(({ window }) => counted.length > allowed || (window !== undefined && window > allowed))
    if (lastDue(schedule, clock.earliest(exchange.sentAt)) <= allowed) continue
    const single = decidingViews(views).filter(isSingle)
    const isInEffect = isCancelled(single.at(-1)?.record)
    const wasInEffect = single.some(({ record }) => isCancelled(record))
    const cause = wasInEffect ? ('export.cancel.no-restart' as const) : ('export.cancel.scheduled' as const)
    const [deciding] = extra.flatMap((each) => decidingViews(each.views)[0]?.exchange ?? [])
    const ids = extra.map(({ id }) => id)
    yield { exchange: deciding ?? exchange, setup: [creation, cancel], ids, cause: isInEffect ? undefined : cause }
  }
}

/** Rules about the cancellation of scheduled exports and of those that they spawned. */
export const scheduleCancelRules: readonly Rule<ExportModel>[] = [
  ...rules(cancelledAlone, {
    'export.cancel.spawned-alone': ({ cancel, isRefused, own, hit, ignored }) => {
      if (isRefused) return mismatch('the cancellation of a spawned export', 'a 2xx response', statusAndBody(cancel))
      const name = `export ${at(hit, 'id')} after the cancellation of only ${own}`
      if (hit) return notCancelled(name, hit)
      return verify(ignored === undefined, `the spawned export ${own} after its cancellation`, 'Cancelled', ignored)
    },
  }),
  ...rules(afterCancel, {
    'export.cancel.spares-spawned': ({ record }) =>
      notCancelled('a spawned export after its schedule was cancelled', record),
  }),
  ...rules(
    spawnedLater,
    { 'export.cancel.stops-spawning': ({ ids }) => verifyNone(ids, 'exports that a cancelled schedule spawned') },
    ({ cause }) => cause,
  ),
]
