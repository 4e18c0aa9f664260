import { derive, select } from '../../model/endpoint.ts'
import { destinationOf, type ExportModel, endOf, isListed, isScheduled } from '../../model/export.ts'
import { exported, runListsOf, wholeLists } from '../../model/exported.ts'
import { describesErrors, outline, recordsErrors } from '../../values/export/record-fields.ts'
import { hasSucceeded, outcomeOf } from '../../values/export/statuses.ts'
import { at, show, textAt } from '../../values/json.ts'
import { failureOf, type ItemOf, type Rule, rules, verify, verifyNone } from '../rule.ts'
import { hasRows } from './access.ts'
import { perDateRules } from './export-runs.ts'
import { storeCode } from './requests.ts'

const showsErrors = ({ list }: { readonly list: readonly unknown[] }): boolean => list.some(describesErrors)

/** Ends of exports to a bucket to which the service could no longer write, with the lists of their export runs. */
function* endsAfterFault(model: ExportModel) {
  for (const each of model.exports.values()) {
    const inBucket = model.inBucket.get(destinationOf(model, each)?.bucket ?? '') ?? []
    const fault = inBucket.find(({ type, at }) => type === 'bucket-fault' && at <= each.creation.sentAt)
    const end = endOf(model, each)
    // An export without rows writes nothing, so that it does not notice the fault.
    if (fault?.type !== 'bucket-fault' || end === undefined || isScheduled(each) || !hasRows(model, each)) continue
    const lists = runListsOf(model, each.id)
    const later = lists.filter(({ sentAt }) => sentAt >= end.exchange.endedAt)
    const success = each.views.find(
      ({ exchange, record }) =>
        exchange.intent !== 'probe' && !isListed(exchange) && hasSucceeded(record, model.statusWords),
    )
    // A later read may show another status of the same export.
    const found = { runs: wholeLists(later).at(-1), before: wholeLists(lists).findLast(showsErrors) }
    yield { ...(success ?? end), setup: [each.creation], fault: fault.fault, ...found }
  }
}

/** Ends after one fault. `isRefused` is false if the store accepts what it should refuse: the export may then succeed. */
const after = (fault: 'removed' | 'denied') =>
  function* ends(model: ExportModel) {
    const isRefused = fault === 'denied' || storeCode(model, 'bucket-missing') !== undefined
    for (const each of endsAfterFault(model)) if (each.fault === fault) yield { ...each, isRefused }
  }

type End = ReturnType<ReturnType<typeof after>> extends Iterable<infer Each> ? Each : never

const verifyNoSuccess = ({ record, isRefused }: End, { statusWords }: ExportModel) =>
  (!hasSucceeded(record, statusWords) || isRefused) &&
  verify(
    !hasSucceeded(record, statusWords),
    'the status of an export that cannot write',
    'Failed or another one without success',
    textAt(record, 'status'),
  )

/** Lists of export runs of failed exports. */
const listsAfter = (fault: 'removed' | 'denied') =>
  function* lists(model: ExportModel) {
    for (const { runs, exchange: end, setup, isRefused, before } of after(fault)(model)) {
      if (runs === undefined) continue
      const { exchange, list } = runs
      yield { exchange, setup: [...setup, before?.exchange, end], list, isRefused, before: before?.list ?? [] }
    }
  }

const errorsIn = (list: readonly unknown[]): string => show(list.map((run) => at(run, 'errors')))

const verifyRecorded = ({ list, isRefused, before }: ItemOf<ReturnType<typeof listsAfter>>) => {
  const isRecorded = list.some(describesErrors)
  const earlier = before.length === 0 ? '' : `, although an earlier list had ${errorsIn(before)}`
  const received = `${errorsIn(list)}${earlier}`
  return (
    (isRecorded || isRefused) && verify(isRecorded, '`errors` of the export runs', 'filled in at least one', received)
  )
}

const allListsAfter = (model: ExportModel) => [...listsAfter('removed')(model), ...listsAfter('denied')(model)]

/** Blocks the errors if lists omit export runs, perhaps the one with the errors. */
const perDateFailure = failureOf(perDateRules)

/** Lists of export runs of successful exports. */
function* successes(model: ExportModel) {
  for (const { exchange: creation, setup, runs } of select(model, exported))
    for (const { exchange, list } of runs) if (list.length > 0) yield { exchange, setup: [...setup, creation], list }
}

/** The errors of exports to buckets with a fault, and the time of the request that created the first of these. */
function faultErrors(model: ExportModel) {
  const ends = [...after('removed')(model), ...after('denied')(model)]
  return {
    errors: new Set(ends.flatMap(({ runs }) => errorTexts(runs?.list ?? []))),
    since: Math.min(...ends.flatMap(({ setup }) => setup.map(({ sentAt }) => sentAt))),
  }
}

const errorTexts = (list: readonly unknown[]): readonly string[] =>
  list.filter(describesErrors).map((run) => show(at(run, 'errors')))

/** Later lists of export runs of successful exports, and which errors of other exports they show that earlier lists did not. */
function* laterErrors(model: ExportModel) {
  const { errors, since } = derive(model, faultErrors)
  for (const { exchange: creation, setup, runs } of select(model, exported)) {
    const [first, ...others] = runs
    if (errors.size === 0 || first === undefined) continue
    // A retry may have solved a problem of the export itself.
    const before = runs.filter((each) => each === first || each.exchange.sentAt < since)
    const own = new Set(before.flatMap(({ list }) => errorTexts(list)))
    for (const { exchange, list } of others) {
      const foreign = [...new Set(errorTexts(list))].filter((each) => errors.has(each) && !own.has(each))
      yield { exchange, setup: [...setup, creation, first.exchange], foreign }
    }
  }
}

/** Rules about the errors that exports record, above all if they cannot write files. */
export const errorRules: readonly Rule<ExportModel>[] = [
  ...rules(after('removed'), { 'export.errors.run.no-success': verifyNoSuccess }),
  ...rules(after('denied'), { 'export.errors.run.denied-no-success': verifyNoSuccess }),
  ...rules(successes, {
    'export.errors.run.none-on-success': ({ list }) =>
      verifyNone(
        list.filter(recordsErrors).map((run) => ({ id: at(run, 'id'), errors: at(run, 'errors') })),
        'export runs with `errors` in a successful export',
      ),
  }),
  ...rules(laterErrors, {
    'export.errors.run.own': ({ foreign }) =>
      verifyNone(foreign, 'errors of another export in the export runs of an export that had succeeded without them'),
  }),
  ...rules(allListsAfter, {
    'export.errors.run.each-recorded': ({ list }, { statusWords }) => {
      const lacking = list.filter((run) => !describesErrors(run))
      // Another status may be that of an export run that was not tried. A list without any errors fails another requirement.
      const statuses = list.filter(describesErrors).map((run) => textAt(run, 'status'))
      const outcomes = lacking.map((run) => outcomeOf(run, statusWords))
      const failed = lacking.filter(
        (run, index) => outcomes[index] === 'failed' && statuses.includes(textAt(run, 'status')),
      )
      const isKnown = statuses.length > 0 && !outcomes.includes('unknown')
      return isKnown && verifyNone(failed.map(outline), 'failed export runs without `errors`')
    },
  }),
  ...rules(listsAfter('removed'), { 'export.errors.run.recorded': verifyRecorded }, perDateFailure),
  ...rules(listsAfter('denied'), { 'export.errors.run.denied-recorded': verifyRecorded }, perDateFailure),
]
