import { isObject } from '../../catalog/facts.ts'
import { keyOf } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import {
  type BulkExport,
  decidingViews,
  destinationOf,
  type ExportModel,
  isScheduled,
  mustSucceed,
} from '../../model/export.ts'
import { runListsOf } from '../../model/exported.ts'
import { schedules } from '../../model/schedules.ts'
import { namesExport } from '../../values/export/file-path.ts'
import { listOf } from '../../values/export/lists.ts'
import { recordsErrors } from '../../values/export/record-fields.ts'
import { hasEnded, hasSucceeded, isCancelled, isUnderway } from '../../values/export/statuses.ts'
import { at, show, textAt } from '../../values/json.ts'
import { settlingMs } from '../../values/settling-time.ts'
import { responds, statusAndBody } from '../common.ts'
import { equal, mismatch, type Rule, rule, rules, verify, verifyNone } from '../rule.ts'

const statusOf = (record: unknown) => textAt(record, 'status')

/** Verifies that an export is not cancelled. */
export const notCancelled = (name: string, record: unknown) =>
  verify(!isCancelled(record), name, 'not Cancelled', statusOf(record))

/** Reads of single exports that show a status. */
function reads({ views }: Pick<BulkExport, 'views'>) {
  return views.filter(
    ({ exchange, record }) => exchange.method === 'GET' && 'export_id' in exchange.params && statusOf(record),
  )
}

/** Records of exports, with the requests that created and changed the export before. */
function* records(model: ExportModel) {
  for (const bulkExport of model.exports.values()) {
    const { creation, changes } = bulkExport
    if (creation.intent === 'fault') continue
    for (const { exchange, record } of reads(bulkExport)) {
      const before = changes.filter(({ sentAt }) => sentAt < exchange.endedAt)
      yield { exchange, record, setup: [creation, ...before], bulkExport, before }
    }
  }
}

/** Describes the errors that the export runs of an export record, if the trace shows them. */
function errorsOf(model: ExportModel, { id }: BulkExport, end: Exchange): string {
  const lists = runListsOf(model, id)
  const failing = lists.flatMap(({ json }) => listOf(json) ?? []).findLast(recordsErrors)
  if (failing !== undefined) return `, with the errors ${show(at(failing, 'errors'), 200)} in an export run`
  return lists.some(({ sentAt }) => sentAt >= end.endedAt) ? ', without errors in its export runs' : ''
}

/**
 * Cancellations by the creator of an export, with the read that shows whether it was cancelled. One that may have arrived
 * after the end of the export counts only if its response shows `Cancelled`.
 */
function* cancellations(model: ExportModel) {
  for (const bulkExport of model.exports.values()) {
    const cancelled = bulkExport.changes.find(
      ({ user, intent, request, accepted, json }) =>
        user === bulkExport.creation.user &&
        isCancelled(request) &&
        (intent === 'documented' || (accepted && isCancelled(json))),
    )
    if (cancelled?.fate !== 'answered') continue
    const later = reads(bulkExport).filter(({ exchange }) => exchange.sentAt >= cancelled.endedAt)
    const firstCancelled = later.find(({ record }) => isCancelled(record))
    const last = later.at(-1)
    const isLate = last !== undefined && last.exchange.sentAt >= cancelled.endedAt + settlingMs
    // An unknown status may be one between a cancellation and its effect.
    const isKnown = [isUnderway, hasEnded].some((has) => has(last?.record, model.statusWords))
    const deciding = firstCancelled ?? (isLate && isKnown ? last : undefined)
    const earlier = reads(bulkExport).filter(({ exchange }) => exchange.endedAt <= cancelled.sentAt)
    const underway = later.find(({ record }) => isUnderway(record, model.statusWords))
    yield {
      exchange: (cancelled.accepted && deciding?.exchange) || cancelled,
      setup: [bulkExport.creation, cancelled, ...(cancelled.accepted ? [] : [underway?.exchange])],
      bulkExport,
      cancelled,
      status: deciding && statusOf(deciding.record),
      name: `the status of a cancelled export${deciding ? ` ${Math.round(deciding.exchange.sentAt - cancelled.endedAt)} ms after the PATCH` : ''}`,
      firstCancelled,
      hadSucceeded: earlier.some(({ record }) => hasSucceeded(record, model.statusWords)),
      // A busy service may refuse requests.
      isRefused: !cancelled.accepted && ![429, 503].includes(cancelled.status ?? 0) && underway !== undefined,
      wasUnderway: [cancelled.json, ...later.map(({ record }) => record)].some(
        (record) => isUnderway(record, model.statusWords) || isCancelled(record),
      ),
    }
  }
}

/** Records of exports that no request has changed, before and after the cancellation of another export of the caller. */
function* untouched(model: ExportModel) {
  const accepted = [...model.exports.values()].flatMap(({ creation, changes }) =>
    changes.filter((each) => each.user === creation.user && each.accepted && isCancelled(each.request)),
  )
  for (const { id, creation, changes, views: all } of model.exports.values()) {
    // Which status a scheduled export has after it has spawned others is unspecified.
    if (creation.intent !== 'documented' || derive(model, spawning).has(keyOf(id))) continue
    const views = decidingViews(all).filter(({ exchange, record }) => exchange.method === 'GET' && statusOf(record))
    // A service may cancel an export by itself, so a response must have shown another status before.
    const active = views.find((view) => !isCancelled(view.record))?.exchange
    for (const { exchange, record } of views) {
      if (changes.some(({ sentAt }) => sentAt < exchange.endedAt)) break
      const cancelled = accepted.findLast(
        ({ user, sentAt, endedAt }) =>
          user === creation.user && sentAt >= (active?.endedAt ?? Infinity) && endedAt <= exchange.sentAt,
      )
      if (cancelled) yield { exchange, setup: [creation, active, cancelled], id, record, mustShow: id }
    }
  }
}

/** Reads of cancelled exports, spawned ones too, with the requests that may have restarted them since. */
function* afterCancelled(model: ExportModel) {
  const spawned = select(model, schedules).flatMap(({ creation, spawned }) =>
    spawned.map((each) => ({ ...each, creation })),
  )
  for (const bulkExport of [...model.exports.values(), ...spawned]) {
    const all = reads(bulkExport)
    const first = all.find(({ record }) => isCancelled(record))
    if (first === undefined) continue
    for (const { exchange, record } of all.filter((view) => view.exchange.sentAt >= first.exchange.endedAt)) {
      const since = bulkExport.changes.filter(
        ({ sentAt }) => sentAt < exchange.endedAt && sentAt > first.exchange.sentAt,
      )
      const restarts = since.filter(({ request }) => !isCancelled(request))
      const setup = [bulkExport.creation, first.exchange, ...since]
      yield { exchange, setup, id: bulkExport.id, restarts, record }
    }
  }
}

/** Returns the ids of the cancelled exports that show another status although no request may have restarted them. */
function resumed(model: ExportModel): ReadonlySet<string> {
  const wrong = select(model, afterCancelled).filter(
    ({ restarts, record }) => restarts.length === 0 && !isCancelled(record),
  )
  return new Set(wrong.map(({ id }) => id))
}

const stays = 'export.cancel.stays'

/** Returns the folder of the date of a file: those of a date may be written together. */
const folderOf = (key: string) => /^.*\/day=\d+\//.exec(key)?.[0] ?? key

/**
 * Files that an export wrote after its cancellation: missing from the first listing after it, present in a later one.
 * `folders` are those of their dates.
 */
function* writtenAfter(model: ExportModel) {
  for (const { bulkExport, cancelled, firstCancelled, setup } of select(model, cancellations)) {
    const destination = destinationOf(model, bulkExport)
    if (firstCancelled === undefined || destination === undefined) continue
    const [first, ...others] = (model.inBucket.get(destination.bucket) ?? []).flatMap((observation) =>
      observation.type === 'listing' &&
      // A key may start with the name of the bucket.
      observation.prefix === '' &&
      observation.startedAt >= firstCancelled.exchange.endedAt
        ? [observation.objects.flatMap(({ key }) => (namesExport(key, bulkExport.id) ? [key] : []))]
        : [],
    )
    const more = [...new Set(others.flat())].filter((key) => !first?.includes(key))
    if (others.length > 0) yield { exchange: cancelled, setup, more, folders: new Set(more.map(folderOf)) }
  }
}

/** The scheduled exports that have spawned another one. Which status they have is unspecified. */
function spawning(model: ExportModel): ReadonlySet<string | undefined> {
  return new Set(select(model, schedules).flatMap(({ id, spawned }) => (spawned.length > 0 ? [keyOf(id)] : [])))
}

/** Rules about the status of exports. */
export const statusRules: readonly Rule<ExportModel>[] = [
  ...rules(records, {
    'export.create.interval.makes-scheduled': ({ bulkExport, record, before }, model) =>
      isScheduled(bulkExport) &&
      before.length === 0 &&
      verify(
        !hasSucceeded(record, model.statusWords) || derive(model, spawning).has(keyOf(bulkExport.id)),
        'the status of a scheduled export that has spawned none',
        'Created, Running or another one that is not final',
        statusOf(record),
      ),
    'export.execute.ends': ({ exchange, bulkExport, record, before }, model) =>
      !isScheduled(bulkExport) &&
      before.length === 0 &&
      hasEnded(record, model.statusWords) &&
      mustSucceed(model, bulkExport) &&
      (hasSucceeded(record, model.statusWords)
        ? undefined
        : mismatch(
            'the status of an export that has ended',
            model.statusWords.ended[0] ?? 'Completed',
            `${statusOf(record)}${errorsOf(model, bulkExport, exchange)}`,
          )),
  }),
  ...rules(cancellations, {
    'export.cancel.scheduled': ({ cancelled, bulkExport, status, name }) =>
      isScheduled(bulkExport) && cancelled.accepted && status !== undefined && equal(name, status, 'Cancelled'),
    'export.cancel.one-off': ({ cancelled, bulkExport, status, name, wasUnderway, hadSucceeded, isRefused }) => {
      if (isScheduled(bulkExport) || !wasUnderway || hadSucceeded) return false
      if (isRefused)
        return mismatch('the cancellation of an export that has not ended', 'a 2xx response', statusAndBody(cancelled))
      return cancelled.accepted && status !== undefined && equal(name, status, 'Cancelled')
    },
    'export.cancel.completed': ({ cancelled, status, hadSucceeded }) => {
      if (!hadSucceeded || (cancelled.accepted && status === undefined)) return false
      const name = 'the cancellation of a completed export'
      return cancelled.accepted
        ? equal(name, status, 'Cancelled')
        : mismatch(name, 'a 2xx response', statusAndBody(cancelled))
    },
  }),
  rule('export.cancel.answers-export', {
    each: (model) =>
      [...select(model, cancellations)].map(({ cancelled, ...rest }) => ({ ...rest, exchange: cancelled })),
    when: ({ exchange }) => exchange.accepted,
    evaluate: ({ bulkExport: { id }, ...subject }) =>
      responds(
        subject,
        'the export',
        (body) => isObject(body) && Object.keys(body).length > 0 && keyOf(at(body, 'id') ?? id) === keyOf(id),
      ),
  }),
  ...rules(untouched, {
    'export.cancel.only-named': ({ id, record }) =>
      notCancelled(`the status of export ${id} after the cancellation of another one`, record),
  }),
  rule(stays, {
    each: afterCancelled,
    when: ({ restarts }) => restarts.length === 0,
    evaluate: ({ record }) => equal('the status of a cancelled export', statusOf(record), 'Cancelled'),
  }),
  rule('export.cancel.no-restart', {
    each: afterCancelled,
    when: ({ restarts }) => restarts.length > 0,
    evaluate: ({ id, record }, model) =>
      derive(model, resumed).has(id)
        ? stays
        : equal('the status of a cancelled export after further requests', statusOf(record), 'Cancelled'),
  }),
  ...rules(writtenAfter, {
    // The files of one date may have been on their way when the cancellation arrived.
    'export.cancel.stops-writing': ({ more, folders }) =>
      verifyNone(folders.size > 1 ? more : [], 'files written after the cancellation'),
  }),
]
