import { exportTable } from '../../catalog/export/bulk-export.ts'
import { isObject } from '../../catalog/facts.ts'
import { keyOf } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import { contentOf, type Exchange } from '../../model/exchange.ts'
import { type BulkExport, type ExportModel, endOf, isListed, type OtherExport } from '../../model/export.ts'
import { exported, mayBeCut, wholeLists } from '../../model/exported.ts'
import type { Operation } from '../../model/operations.ts'
import { schedules } from '../../model/schedules.ts'
import { serviceClock } from '../../model/service-clock.ts'
import { keysIn, listOf } from '../../values/export/lists.ts'
import { nestedFields, reportsRows } from '../../values/export/record-fields.ts'
import { isCancelled } from '../../values/export/statuses.ts'
import { creationTimeFields, iso, timeOf } from '../../values/export/times.ts'
import { at, show, textAt } from '../../values/json.ts'
import { settlingMs } from '../../values/settling-time.ts'
import { hasFieldOf, nameOf, responds, statusAndBody } from '../common.ts'
import { mismatch, type Rule, rule, rules, type Subject, verify, verifyIncludes, verifyNone } from '../rule.ts'
import { notCancelled } from './statuses.ts'

type Read = Subject & { readonly export: OtherExport }

const isList = (body: unknown) => listOf(body)?.every(isObject) === true

/**
 * Attempts to read a known export, or its export runs, by the caller who created it, and those of the usual caller to read
 * one that a list has shown, and that no request created.
 */
const readsOf = (operation: Operation) =>
  function* reads(model: ExportModel): Iterable<Read> {
    for (const exchange of model.attempts(operation)) {
      const id = keyOf(exchange.params['export_id'])
      const known = model.exports.get(id ?? '')
      const spawned = exchange.user === 'usual' ? spawnedBefore(model, id, exchange) : undefined
      if (exchange.url.includes('?')) continue
      if (known?.creation.user === exchange.user && known.creation.endedAt <= exchange.sentAt) {
        const change = known.changes.findLast(({ endedAt }) => endedAt <= exchange.sentAt)
        yield { exchange, export: known, setup: [known.creation, change] }
      } else if (spawned) yield { exchange, export: spawned.other, setup: [spawned.shown] }
    }
  }

function showsRequested(read: Subject & { readonly export: OtherExport }) {
  const { id } = read.export
  // Which name the id has is not shown.
  const isExport = (body: unknown) => hasFieldOf(exportTable)(body) || at(body, 'id') !== undefined
  return responds(read, `the export ${id}`, (body) => isExport(body) && keyOf(at(body, 'id') ?? id) === keyOf(id))
}

const runLists = readsOf('GET /api/v1/bulk-exports/{export_id}/runs')

/**
 * Plain lists of exports: page parameters are not documented. Another caller than the usual one may be refused, but not by
 * an error of the server.
 */
function* lists(model: ExportModel): Iterable<Subject> {
  for (const exchange of model.attempts('GET /api/v1/bulk-exports')) {
    const isRefusal = exchange.status !== undefined && exchange.status >= 400 && exchange.status < 500
    if ((exchange.user === 'usual' || !isRefusal) && !exchange.url.includes('?')) yield { exchange }
  }
}

/**
 * Exports that lists must show: those of documented requests, and those that their schedules spawned. `shown` is the first
 * response that shows it.
 */
function* lasting(model: ExportModel) {
  for (const each of model.exports.values()) {
    const { creation } = each
    if (creation.user !== 'lower-plan' && creation.intent === 'documented') yield { ...each, creation, shown: creation }
  }
  for (const { creation, spawned } of select(model, schedules)) {
    for (const each of spawned) {
      const shown = each.views[0]?.exchange
      if (creation && shown) yield { ...each, creation, shown }
    }
  }
}

/**
 * Exports after their creation and after their end, with the first list that contains them; if there is none, with the
 * pages of the last list of the scenario that polled for it, unless this may continue in an unknown form. `exchange` is the
 * last page that is not empty.
 */
function* listed(model: ExportModel) {
  const all = model.of('GET /api/v1/bulk-exports')
  const shown = all.flatMap((exchange) => [...idsIn(exchange)].map((id) => ({ id, exchange })))
  const byId = Map.groupBy(shown, ({ id }) => id)
  const byScenario = Map.groupBy(all, ({ scenario }) => scenario)
  for (const each of lasting(model)) {
    const { id, creation } = each
    const isOwn = ({ user }: Exchange) => user === creation.user
    const lists = (byId.get(keyOf(id)) ?? []).filter(({ exchange }) => isOwn(exchange))
    const end = endOf(model, each)
    for (const event of [each.shown, ...(end === undefined ? [] : [end.exchange])]) {
      const setup = [each.shown, event]
      const name = `the export ${id}${event === end?.exchange ? `, which has ended as ${textAt(end.record, 'status')}` : ''}`
      const shows = lists.find(({ exchange }) => exchange.endedAt > event.sentAt)
      if (shows !== undefined) {
        yield { exchange: shows.exchange, setup, name }
        continue
      }
      const polled = (byScenario.get(creation.scenario) ?? []).filter(
        (exchange) => isOwn(exchange) && exchange.sentAt >= event.endedAt + settlingMs,
      )
      const last = wholeLists(polled).at(-1)
      if (last === undefined || mayBeCut(last)) continue
      const pages = last.pages.filter((page, index) => index === 0 || (listOf(page.json) ?? []).length > 0)
      const received = `${last.list.length} others on ${describePages(pages)}`
      yield { exchange: pages.at(-1) ?? last.exchange, setup: [...setup, ...pages], name, received }
    }
  }
}

/**
 * Describes the pages of a list, up to the first one that the server has sent before.
 *
 * @example describePages([first, first]) // 'one page; the response to ?offset=20 is the same page again'
 */
function describePages(pages: readonly Exchange[]): string {
  const keys = pages.map(({ json }) => keysIn(listOf(json) ?? [])[0])
  const repeat = keys.findIndex((key, index) => keys.indexOf(key) < index)
  const count = repeat === -1 ? pages.length : repeat
  const counted = count === 1 ? 'one page' : `${count} pages`
  if (repeat === -1) return counted
  return `${counted}; the response to ${URL.parse(pages[repeat]?.url ?? '')?.search} is ${count === 1 ? 'the same page' : 'one of them'} again`
}

/** Returns the ids in a list of exports. */
function idsIn({ json }: Exchange): ReadonlySet<string | undefined> {
  return new Set((listOf(json) ?? []).map((element) => keyOf(at(element, 'id'))))
}

/** Lists of the export runs of exports that had ended. */
function* finalLists(model: ExportModel) {
  for (const read of select(model, runLists)) {
    const end = endOf(model, read.export)
    const isFinal = end !== undefined && end.exchange.endedAt <= read.exchange.sentAt
    if (isFinal && read.exchange.accepted) yield { ...read, list: listOf(read.exchange.json) ?? [] }
  }
}

/** Lists of export runs, with the runs that the list of another export contained before. */
function* sharedRuns(model: ExportModel): Iterable<Read & { readonly shared: readonly unknown[] }> {
  const lists = select(model, finalLists)
  const owners = new Map<string, Read>()
  const empty = new Set(select(model, exported).flatMap((each) => (each.rows.length === 0 ? [each.id] : [])))
  const records = Map.groupBy(
    lists.flatMap((read) => read.list.map((run) => ({ id: idOf(run), key: runKey(run), export: read.export }))),
    ({ id }) => id,
  )
  // Different runs of two exports with one id: ids are unique only within an export.
  const areUnique = [...records].every(
    ([id, [first, ...others]]) =>
      id === undefined || others.every((other) => other.export === first?.export || other.key === first?.key),
  )
  const owning = new Set<OtherExport>()
  for (const read of lists) {
    const runs = read.list.map((run) => ({ run, key: runKey(run), owner: owners.get(runKey(run)) }))
    // Otherwise, runs of two exports may be equal, unless one of the exports has no rows.
    const isDecidable = ({ run, owner }: (typeof runs)[number]) =>
      owner !== undefined &&
      owner.export !== read.export &&
      ((areUnique && idOf(run) !== undefined) || (empty.has(read.export.id) && reportsRows(run)))
    const others = runs.filter(isDecidable)
    for (const { key } of runs) {
      if (owners.has(key)) continue
      owners.set(key, read)
      owning.add(read.export)
    }
    const isComparable = owning.size > (owning.has(read.export) ? 1 : 0)
    const setup = [...(read.setup ?? []), ...others.map(({ owner }) => owner?.exchange)]
    if (isComparable) yield { ...read, shared: others.map(({ run }) => run), setup }
  }
}

const idOf = (run: unknown) => textAt(run, 'id') ?? textAt(run, 'run_id')
const runKey = (run: unknown) => JSON.stringify(run)

/** The interval of the service's clock in which something happened; undefined if the trace does not show its clock. */
export function serviceTime(model: ExportModel, first: Exchange, last = first): readonly [number, number] | undefined {
  const clock = serviceClock(model)
  return clock && [clock.earliest(first.sentAt), clock.latest(last.endedAt)]
}

/** Records of exports in lists, with the interval in which the export was created or spawned. */
function* listedExports(model: ExportModel) {
  const created = [...model.exports.values()].map((each) => ({ ...each, isSpawned: false }))
  const spawned = select(model, schedules).flatMap(({ creation, spawned }) =>
    spawned.map((each) => ({ ...each, creation, isSpawned: true })),
  )
  for (const { id, creation, views, isSpawned } of [...created, ...spawned]) {
    for (const { exchange, record } of views.filter((view) => isListed(view.exchange))) {
      // A schedule spawns exports after its own creation.
      const interval = creation && serviceTime(model, creation, isSpawned ? exchange : creation)
      if (interval) yield { exchange, setup: [creation], mustShow: id, record, interval }
    }
  }
}

function* listedRuns(model: ExportModel) {
  // Whether the list shows runs of earlier exports is a requirement of its own.
  const [first] = model.of('POST /api/v1/bulk-exports')
  for (const { exchange, setup, export: each } of select(model, runLists)) {
    // A schedule of an earlier test run may have spawned others.
    const interval = 'creation' in each && first ? serviceTime(model, first, exchange) : undefined
    for (const record of listOf(exchange.json) ?? [])
      if (interval && exchange.accepted) yield { exchange, setup: setup ?? [], record, interval }
  }
}

function hasCreationTime({
  exchange,
  record,
  interval: [from, to],
}: Subject & { readonly record: unknown; readonly interval: readonly [number, number] }) {
  if (creationTimeFields(record, from, to).length > 0) return undefined
  const period = Number.isFinite(to - from) ? `, between ${iso(from)} and ${iso(to)}` : ''
  const name = `each object in the response to ${nameOf(exchange)}`
  const times = nestedFields(record).filter(({ value }) => timeOf(value) !== undefined)
  const shown = [{ path: 'id', value: at(record, 'id') }, ...times].map(({ path, value }) => `${path}: ${show(value)}`)
  return mismatch(name, `an object with the time of its creation${period}`, shown.join(', '))
}

/** Requests from another workspace about exports of the usual one. */
function* foreign(model: ExportModel): Iterable<Read> {
  for (const exchange of model.exchanges) {
    if (exchange.fate !== 'answered') continue
    const id = keyOf(exchange.params['export_id'])
    const known = model.exports.get(id ?? '')
    const spawned = spawnedBefore(model, id, exchange)
    const parties = [exchange.user, known?.creation.user]
    if (known && parties.includes('usual') && parties.includes('other'))
      yield { exchange, export: known, setup: [known.creation] }
    else if (exchange.user === 'other' && spawned) yield { exchange, export: spawned.other, setup: [spawned.shown] }
  }
}

/** Returns the exports of which a list shows export runs. */
function exportsWithRuns(model: ExportModel): ReadonlySet<OtherExport> {
  const filled = select(model, runLists).filter(({ exchange }) => (listOf(exchange.json) ?? []).length > 0)
  return new Set(filled.map((read) => read.export))
}

const foreignReads = (operation: Operation) => (model: ExportModel) =>
  select(model, foreign).filter(({ exchange }) => exchange.operation === operation)

/**
 * Reads of exports that only another workspace has tried to cancel. `others`: exports whose creator has cancelled them since a
 * read that shows that the attempt had no effect.
 */
function* afterForeignCancel(model: ExportModel) {
  const operation = 'PATCH /api/v1/bulk-exports/{export_id}'
  const cancellations = model.of(operation).filter(({ user }) => user === 'usual')
  for (const { exchange: cancel, export: each, setup = [] } of foreignReads(operation)(model)) {
    const later = each.views.filter(({ exchange }) => exchange.sentAt >= cancel.endedAt)
    const before = later.find(({ record }) => !isCancelled(record))?.exchange.sentAt ?? Infinity
    for (const { exchange, record } of later) {
      if (each.changes.some(({ user, sentAt }) => user !== cancel.user && sentAt < exchange.endedAt)) continue
      const since = isCancelled(record)
        ? cancellations.filter(({ sentAt, endedAt }) => sentAt < exchange.endedAt && endedAt > before)
        : []
      const others = since.map(({ params }) => String(params['export_id']))
      yield { exchange, setup: [...setup, cancel, ...since.slice(0, 3)], id: each.id, record, others }
    }
  }
}

/** Lists of another workspace after an export of the usual one was created. */
function* foreignLists(model: ExportModel) {
  for (const exchange of model.exchanges) {
    const { user } = exchange
    if (!isListed(exchange) || !exchange.accepted || (user !== 'usual' && user !== 'other')) continue
    const owner = user === 'usual' ? 'other' : 'usual'
    const isBefore = ({ creation }: BulkExport) => creation.user === owner && creation.endedAt <= exchange.sentAt
    if (![...model.exports.values()].some(isBefore)) continue
    const shown = [...idsIn(exchange)].flatMap((id) => model.exports.get(id ?? '') ?? [])
    const leaked = shown.filter(isBefore).sort((a, b) => a.creation.id - b.creation.id)
    const ids = owner === 'usual' ? [...idsIn(exchange)] : []
    const spawned = ids.flatMap((id) => spawnedBefore(model, id, exchange) ?? [])
    const setup = [...leaked.map(({ creation }) => creation), ...spawned.map((each) => each.shown)]
    yield { exchange, setup, leaked: [...leaked, ...spawned.map(({ other }) => other)].map(({ id }) => id) }
  }
}

/** Returns an export that a response to the usual caller has shown before, and that no request created. */
function spawnedBefore(model: ExportModel, id: string | undefined, { sentAt }: Exchange) {
  const other = model.others.get(id ?? '')
  const shown = other?.views.find(({ exchange: { user, endedAt } }) => user === 'usual' && endedAt <= sentAt)?.exchange
  return other && shown && { other, shown }
}

function hidesExport({ exchange, export: each }: { readonly exchange: Exchange; readonly export: OtherExport }) {
  return verify(
    !exchange.accepted || !showsExport(exchange, each),
    `the response to ${nameOf(exchange)} with the \`X-Tenant-Id\` of another workspace`,
    'a refusal, or without the export',
    statusAndBody(exchange),
  )
}

/** Shortest id that is not a part of other texts by chance, in characters. */
const uniqueLength = 16

/** Whether a response shows an export: its id, or a status that its creator has read. */
function showsExport(exchange: Exchange, { id, views }: OtherExport): boolean {
  const status = textAt(exchange.json, 'status')
  return (
    keyOf(at(exchange.json, 'id')) === keyOf(id) ||
    (id.length >= uniqueLength && contentOf(exchange).includes(id)) ||
    (status !== undefined && views.some(({ record }) => textAt(record, 'status') === status))
  )
}

/** Rules about the exports that lists show. */
export const listRules: readonly Rule<ExportModel>[] = rules(listed, {
  'export.list.complete': ({ name, received }) =>
    verifyIncludes(received === undefined, 'the list of exports', name, received),
})

/** Rules about reads of exports and export runs. */
export const readRules: readonly Rule<ExportModel>[] = [
  rule('export.get.answers-export', {
    each: readsOf('GET /api/v1/bulk-exports/{export_id}'),
    evaluate: showsRequested,
  }),
  rule('export.list.answers-list', {
    each: lists,
    evaluate: (subject) => responds(subject, 'a list of objects', isList),
  }),
  rule('export.runs.answers-list', {
    each: runLists,
    evaluate: (subject) => responds(subject, 'a list of objects', isList),
  }),
  ...listRules,
  ...rules(sharedRuns, {
    'export.runs.own': ({ shared }) => verifyNone(shared, 'runs of another export in the list of an export'),
  }),
  ...rules(listedExports, { 'export.list.creation-time': hasCreationTime }),
  ...rules(listedRuns, { 'export.run.creation-time': hasCreationTime }),
  ...rules(foreignReads('GET /api/v1/bulk-exports/{export_id}'), {
    'export.auth.workspace.get': hidesExport,
  }),
  ...rules(foreignReads('GET /api/v1/bulk-exports/{export_id}/runs'), {
    'export.auth.workspace.runs': ({ exchange, export: each }, model) =>
      derive(model, exportsWithRuns).has(each) &&
      verify(
        !exchange.accepted || (listOf(exchange.json) ?? []).length === 0,
        `the response to ${nameOf(exchange)} with the \`X-Tenant-Id\` of another workspace`,
        'a refusal, or an empty list',
        statusAndBody(exchange),
      ),
  }),
  ...rules(foreignLists, {
    'export.auth.workspace.list': ({ leaked }) => verifyNone(leaked, 'exports in the list of another workspace'),
  }),
  ...rules(afterForeignCancel, {
    'export.auth.workspace.cancel': ({ id, record, others }) =>
      notCancelled(
        others.length === 0
          ? `export ${id} after its cancellation from another workspace`
          : `export ${id}, which another workspace could not cancel, after its own workspace cancelled ${others.slice(0, 3).join(', ')}`,
        record,
      ),
  }),
]
