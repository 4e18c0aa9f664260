import type { RequirementId } from '../../catalog/generated/ids.ts'
import { keyOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { decidingViews, type ExportModel, type ExportView, isListed, isScheduled } from '../../model/export.ts'
import { exported, listingAfter } from '../../model/exported.ts'
import type { Operation } from '../../model/operations.ts'
import { schedules } from '../../model/schedules.ts'
import { listOf } from '../../values/export/lists.ts'
import { nestedFields, outline } from '../../values/export/record-fields.ts'
import { hasEnded, isUnderway, outcomeOf } from '../../values/export/statuses.ts'
import { timeOf as anyTimeOf, creationTimeFields } from '../../values/export/times.ts'
import { at, show, textAt } from '../../values/json.ts'
import { WAITED } from '../../values/settling-time.ts'
import { isSameTime, timeOf } from '../../values/timestamps.ts'
import { nameOf } from '../common.ts'
import {
  equal,
  failureOf,
  firstThree,
  mismatch,
  type Rule,
  rule,
  rules,
  type Subject,
  verify,
  verifyAll,
  verifyNone,
} from '../rule.ts'
import { exportFieldRules } from './fields.ts'
import { serviceTime } from './reads.ts'
import { exportLists } from './schedules.ts'

const list = 'GET /api/v1/bulk-exports'

/** Lists with the ids of their elements. */
const listed = (operation: Operation) =>
  function* each(model: ExportModel): Iterable<Subject & { readonly ids: readonly string[] }> {
    for (const exchange of model.of(operation)) {
      // The specification does not name the id of an export run: `id` may be that of the export.
      const idOf = (element: unknown) => (operation === list ? keyOf(at(element, 'id')) : undefined)
      const ids = (listOf(exchange.json) ?? []).map((element) => idOf(element) ?? JSON.stringify(element))
      if (ids.length > 0) yield { exchange, ids }
    }
  }

function onceRule(requirement: RequirementId, operation: Operation, name: string): Rule<ExportModel> {
  return rule(requirement, {
    each: listed(operation),
    evaluate({ ids }) {
      const known = new Set<string>()
      const isKnown = (id: string) => known.size === known.add(id).size
      return verifyNone(ids.filter(isKnown), name)
    },
  })
}

/** Most lists on several pages, if they lack exports: while the pages of a list are read, an export may move to an earlier one. */
function* cutLists(model: ExportModel) {
  const lists = select(model, exportLists.usual).filter(({ pages }) => pages.length > 1)
  const cut = lists.filter(({ missing, isCut }) => missing.length > 0 && !isCut)
  if (cut.length < 3 || cut.length * 2 < lists.length) return
  for (const { pages, missing } of cut.slice(-1))
    for (const exchange of pages.slice(-1))
      yield {
        exchange,
        setup: [missing[0]?.creation, ...pages],
        missing,
        name: `each of ${lists.length} lists of exports`,
      }
}

/**
 * Records of exports that were read after the end of the export. Lists may show the end or a cancellation later than reads
 * of the export, or earlier. Reads of changed exports are subject to other requirements.
 */
function* afterEnd(model: ExportModel) {
  const latestMs = WAITED * (model.endpoint.waitMs ?? 0)
  for (const each of [...model.exports.values(), ...model.others.values()]) {
    const { views, changes } = each
    const creation = model.exports.get(keyOf(each.id) ?? '')?.creation
    const deciding = decidingViews(views)
    const changedAt = Math.max(0, ...changes.map(({ endedAt }) => endedAt))
    const ends = deciding.filter(
      ({ record, exchange }) => hasEnded(record, model.statusWords) && exchange.sentAt >= changedAt,
    )
    const listed = ends.find(({ exchange }) => isListed(exchange))
    if (listed !== undefined && changes.length === 0)
      for (const view of deciding)
        if (!isListed(view.exchange) && view.exchange.sentAt >= listed.exchange.endedAt + latestMs)
          yield { exchange: view.exchange, setup: [creation, listed.exchange], end: listed, view }
    const end = ends.find(({ exchange }) => !isListed(exchange))
    if (end === undefined) continue
    const outcome = (view: ExportView) => outcomeOf(view.record, model.statusWords)
    const later = deciding.filter(({ exchange }) => !isListed(exchange) && exchange.sentAt >= end.exchange.endedAt)
    // Whether the status may change is the subject of other requirements: a list is right to show it.
    const changed = new Set(later.map(outcome).filter((each) => each !== outcome(end)))
    for (const view of changes.length > 0 ? deciding.filter(({ exchange }) => isListed(exchange)) : deciding) {
      // A cancellation may take effect after the export has ended otherwise.
      if (changes.length > 0 && outcome(view) === 'cancelled') continue
      if (isListed(view.exchange) && changed.has(outcome(view))) continue
      const mayBeLate = isListed(view.exchange) && (changes.length > 0 || isUnderway(view.record, model.statusWords))
      if (view.exchange.sentAt >= end.exchange.endedAt + (mayBeLate ? latestMs : 0))
        yield { exchange: view.exchange, setup: [creation, end.exchange], end, view }
    }
  }
}

/** Records of exports that show the creation time by the same name, and the first such record. */
function* laterTimes(model: ExportModel) {
  for (const { id, views } of [...model.exports.values(), ...model.others.values()]) {
    const creation = model.exports.get(keyOf(id) ?? '')?.creation
    const interval = creation && serviceTime(model, creation)
    const byName = Map.groupBy(decidingViews(views), ({ record }) => anyTimeOf(at(record, 'created_at')) !== undefined)
    for (const [isNamed, same] of byName) {
      const path = isNamed ? 'created_at' : interval && keptField(same, interval)
      const [first, ...others] = same.flatMap((view) => creationTime(view, path) ?? [])
      for (const later of others)
        yield { exchange: later.exchange, setup: [first?.exchange], mustShow: id, id, first, later }
    }
  }
}

/** The field with a time in an interval that is the same in all records, else the first such field. */
function keptField(views: readonly ExportView[], interval: readonly [number, number]): string | undefined {
  const paths = views.slice(0, 1).flatMap(({ record }) => creationTimeFields(record, ...interval))
  const isKept = (path: string) => {
    const [first, ...others] = views.flatMap((view) => creationTime(view, path) ?? [])
    return first !== undefined && others.every((other) => isSameTime(first.value, other.value, anyTimeOf))
  }
  return paths.find(isKept) ?? paths[0]
}

/** A response that shows the creation time of an export. */
interface CreationTime {
  readonly exchange: Exchange
  readonly value: unknown
}

function creationTime({ exchange, record }: ExportView, path: string | undefined): CreationTime | undefined {
  const value = nestedFields(record).find((field) => field.path === path)?.value
  return anyTimeOf(value) === undefined ? undefined : { exchange, value }
}

/** Later lists of the export runs of an export that has ended, and the first list. */
function* laterRuns(model: ExportModel) {
  for (const { runs, setup, exchange: creation } of select(model, exported)) {
    const [first, ...others] = runs
    for (const { exchange, list: later } of others)
      yield { exchange, setup: [...setup, creation, first?.exchange], first: first?.list ?? [], later }
  }
}

/** Exports with the files that are missing in a listing after another export to their destination. */
function* laterListings(model: ExportModel) {
  for (const { exchange, setup, destination, files, endedAt } of select(model, exported)) {
    const later = select(model, exported).find(
      (other) => other.destination === destination && other.exchange.sentAt >= endedAt,
    )
    const listing = later && listingAfter(model, destination.bucket, later.endedAt)
    const keys = new Set(listing?.objects.map(({ key }) => key))
    const lost = files.flatMap(({ key }) => (keys.has(key) ? [] : [key]))
    if (files.length > 0 && later && listing) yield { exchange: later.exchange, setup: [...setup, exchange], lost }
  }
}

/** Creation times by id, of the export runs with the fields `id` and `created_at`. */
function timesOf(runs: readonly unknown[]): ReadonlyMap<unknown, string> {
  return new Map(
    runs.flatMap((run) => {
      const [id, time] = [at(run, 'id'), textAt(run, 'created_at')]
      return id === undefined || timeOf(time) === undefined ? [] : [[id, time ?? ''] as const]
    }),
  )
}

/** Records of spawned exports that name the export that spawned them, and those that no longer do. */
function* sources(model: ExportModel) {
  for (const { id, creation, spawned } of select(model, schedules)) {
    for (const { views } of spawned) {
      let naming: Exchange | undefined
      let isReadNaming = false
      for (const { exchange, record } of decidingViews(views)) {
        const named = at(record, 'source_bulk_export_id')
        const source = keyOf(named)
        const isRead = exchange.method === 'GET' && !isListed(exchange)
        // A response may show fewer fields than another one.
        const isDropped = (isRead && isReadNaming) || (named === null && naming !== undefined)
        if (source !== undefined || isDropped) yield { exchange, setup: [creation, naming], source, id }
        if (source === undefined) continue
        naming ??= exchange
        isReadNaming ||= isRead
      }
    }
  }
}

/** Records of exports that requests created, and that name a schedule. */
function* wrongSources(model: ExportModel) {
  const requested = [...model.exports.values()].filter((each) => isScheduled(each) && each.creation.intent !== 'probe')
  const known = new Map([...requested, ...select(model, schedules)].map(({ id, creation }) => [keyOf(id), creation]))
  for (const { creation, views } of model.exports.values())
    for (const { exchange, record } of creation.intent === 'documented' ? decidingViews(views) : []) {
      const source = keyOf(at(record, 'source_bulk_export_id'))
      if (known.has(source)) yield { exchange, setup: [known.get(source), creation], source }
    }
}

/** Rules that compare several responses, or listings of the bucket, about the same export. */
export const consistencyRules: readonly Rule<ExportModel>[] = [
  onceRule('export.list.once', list, 'exports that a list contains twice'),
  onceRule('export.runs.once', `${list}/{export_id}/runs`, 'export runs that a list contains twice'),
  ...rules(cutLists, {
    'export.list.complete': ({ missing, name }) =>
      verifyAll(
        missing.map(({ id }) => id),
        `${name} on several pages`,
        'every export that was created long before',
      ),
  }),
  rule('export.get.keeps-final', {
    each: afterEnd,
    when: ({ view }) => !isListed(view.exchange),
    evaluate: ({ view: { record }, end }, { statusWords }) =>
      verify(
        !isUnderway(record, statusWords),
        `the status of an export that ${nameOf(end.exchange)} has shown as \`${textAt(end.record, 'status')}\``,
        'that one or another final one',
        textAt(record, 'status'),
      ),
  }),
  rule('export.list.current-status', {
    each: afterEnd,
    when: ({ view }) => isListed(view.exchange),
    evaluate: ({ view: { record }, end }, { statusWords }) => {
      const outcome = outcomeOf(record, statusWords)
      return verify(
        outcome === 'unknown' || outcome === outcomeOf(end.record, statusWords),
        `the status of export ${textAt(record, 'id')} in the list`,
        `\`${textAt(end.record, 'status')}\`, as ${nameOf(end.exchange)} has shown`,
        textAt(record, 'status'),
      )
    },
  }),
  ...rules(
    laterTimes,
    {
      'export.list.creation-time-kept': ({ id, first, later }) =>
        first !== undefined &&
        verify(
          isSameTime(first.value, later.value, anyTimeOf),
          `the creation time of export ${id}`,
          `${show(first.value)}, as ${nameOf(first.exchange)} has shown`,
          later.value,
        ),
    },
    failureOf(exportFieldRules),
  ),
  ...rules(laterRuns, {
    'export.runs.kept': ({ first, later }) => {
      const [before, after] = [timesOf(first), timesOf(later)]
      const moved = [...after].filter(([id, time]) => before.has(id) && !isSameTime(before.get(id), time))
      const moves = moved.map(([id, time]) => `\`created_at\` of ${show(id, 60)} was ${before.get(id)}, is ${time}`)
      return verify(
        first.length === later.length && moved.length === 0,
        'the export runs of an export that has ended',
        `the ${first.length} of the earlier list${moved.length > 0 ? ', with the same `created_at`' : ''}`,
        moved.length > 0
          ? firstThree(moves)
          : `${later.length}${later.length > 3 ? ', the first three' : ''}: ${later.slice(0, 3).map(outline).join('; ')}`,
      )
    },
  }),
  ...rules(laterListings, {
    'export.service.own-bucket': ({ lost }) =>
      verifyNone(lost, 'files that are no longer in the bucket after another export to the same destination'),
  }),
  ...rules(wrongSources, {
    'export.schedule.source': ({ source }) =>
      mismatch('`source_bulk_export_id` of an export that a request created', 'no id of a scheduled export', source),
  }),
  ...rules(sources, {
    'export.schedule.source': ({ source, id }) =>
      equal('`source_bulk_export_id` of a spawned export', source, keyOf(id)),
  }),
]
