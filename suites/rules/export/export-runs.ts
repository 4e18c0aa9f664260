import { plural } from '../../../reporters/model/text.ts'
import { isUuid } from '../../catalog/facts.ts'
import { keyOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import type { ExportModel } from '../../model/export.ts'
import { mayBeCut, type Written } from '../../model/exported.ts'
import { written } from '../../model/schedules.ts'
import type { Row } from '../../values/export/parquet-content.ts'
import { nestedFields, outline, reportsRows } from '../../values/export/record-fields.ts'
import { outcomeOf, type StatusWords } from '../../values/export/statuses.ts'
import { iso } from '../../values/export/times.ts'
import { at, describeMissing, show, textAt } from '../../values/json.ts'
import { failureOf, firstThree, type Rule, rules, verify, verifyNone } from '../rule.ts'
import { rowsByDate } from './files.ts'

/** Least number of elements of a page that is likely, if a list may continue in an unknown form. */
const shortestPage = 10

/**
 * Lists of the export runs of exports whose files have rows, or should have them. A list that is shorter than an earlier one
 * is left to `export.runs.kept`.
 */
function* runLists(model: ExportModel) {
  for (const each of select(model, written)) {
    // Files that are missing or not readable fail other requirements.
    const areEmpty = each.files.length > 0 && each.files.every(({ content }) => content?.rows.length === 0)
    // A number that all export runs have may be a limit.
    const mustHaveRows = (list: readonly unknown[]) => list.some(reportsRows) && !list.every(reportsRows)
    const whole = each.runs.filter(
      ({ list, ...others }, index) =>
        // Without this limit, any envelope with further fields would leave these rules undecided.
        (list.length < shortestPage || !mayBeCut({ list, ...others })) &&
        (each.rows.length > 0 || (each.isPlain && areEmpty && mustHaveRows(list))) &&
        each.runs.slice(0, index).every((earlier) => earlier.list.length <= list.length),
    )
    for (const { exchange, list } of whole) yield { ...each, exchange, setup: [each.exchange], list, ...countsOf(each) }
  }
}

/** The numbers of rows of the dates that the files of an export contain, also as a text with these dates. */
function countsOf(each: Written) {
  const byDate = [...(rowsByDate(each) ?? [])].sort(([a], [b]) => a - b)
  const texts = byDate.map(([date, count]) => `${count} on ${iso(date * 86_400_000).slice(0, 10)}`)
  return { counts: byDate.map(([, count]) => count), countText: texts.join(', ') || 'none' }
}

/** Values that all of some export runs have, by name. */
function valuesIn(runs: readonly unknown[]): ReadonlyMap<string, readonly unknown[]> {
  const leaves = runs.map((run) => new Map(nestedFields(run).map(({ path, value }) => [path, value])))
  const names = [...(leaves[0]?.keys() ?? [])].filter((name) => leaves.every((each) => each.has(name)))
  return new Map(names.map((name) => [name, leaves.map((each) => each.get(name))]))
}

const sorted = (values: readonly unknown[]) => show(values.map(String).sort(), 100_000)

/** Returns a text with all whole numbers in export runs; those with the same numbers are counted. */
function wholeNumbers(runs: readonly unknown[]): string {
  const numbers = (run: unknown) =>
    nestedFields(run).flatMap(({ path, value }) => (/^\d+$/.test(String(value)) ? [`${path}: ${value}`] : []))
  const byText = Map.groupBy(runs.keys(), (index) => numbers(runs[index]).join(', ') || 'no whole number')
  const texts = [...byText].map(([text, [first = 0, ...others]]) =>
    others.length === 0 ? `run ${first + 1}: ${text}` : `run ${first + 1} and ${others.length} more: ${text}`,
  )
  return `${plural(runs.length, 'export run')}: ${texts.slice(0, 20).join('; ')}`
}

/** Whether export runs contain these numbers of rows, or at least their sum if several runs have the same date. */
function showRows(runs: readonly unknown[], counts: readonly number[]): boolean {
  const padded = [...counts, ...Array.from({ length: Math.max(0, runs.length - counts.length) }, () => 0)]
  const sum = (values: readonly unknown[]) => values.reduce((total: number, value) => total + Number(value), 0)
  const figures = [...valuesIn(runs).values()].filter((values) => values.every((value) => /^\d+$/.test(String(value))))
  return figures.some(
    (values) => sorted(values) === sorted(padded) || (runs.length > counts.length && sum(values) === sum(counts)),
  )
}

/**
 * Whether export runs have values that differ in each run, are the same in another list, and are no time, place or number of
 * rows.
 */
function haveIds(runs: readonly unknown[], others: readonly unknown[]): boolean {
  return [...valuesIn(runs)].some(([name, values]) => {
    const isId = values.every((value) =>
      typeof value === 'string' ? !/^\d{4}-\d\d-\d\dT/.test(value) : Number.isInteger(value),
    )
    const isUnique =
      new Set(values).size === runs.length && !/row|count|time|(^|[._])(date|partition|path)$|At$|_at$/i.test(name)
    return isId && isUnique && sorted(values) === sorted(valuesIn(others).get(name) ?? [])
  })
}

/** Whether each of some export runs has a text in a field that is called a status or a state, or a known status in any field. */
function haveStatus(runs: readonly unknown[], words: StatusWords): boolean {
  return [...valuesIn(runs)].some(([name, values]) =>
    values.every(
      (value) =>
        typeof value === 'string' && (/status|state/i.test(name) || outcomeOf({ status: value }, words) !== 'unknown'),
    ),
  )
}

/** Describes the ids that export runs have in one list and not in another one: of the first three. */
function changedIds(runs: readonly unknown[], others: readonly unknown[]): string {
  const changed = runs.flatMap((run, index) => {
    const [id, other] = [at(others[index], 'id'), at(run, 'id')]
    return id === undefined || other === undefined || id === other
      ? []
      : [`\`id\` was ${show(id, 60)}, is ${show(other, 60)}`]
  })
  return changed.length > 0 ? firstThree(changed) : runs.slice(0, 3).map(outline).join('; ')
}

/** The rule that the lists of export runs contain one for each date. */
export const perDateRules = rules(runLists, {
  'export.run.per-date': ({ list, counts, countText }) =>
    counts.length > 0 &&
    verify(
      list.length >= counts.length,
      'the number of export runs',
      `at least ${counts.length}, one for each date: ${countText}`,
      `${list.length}: ${list.slice(0, 3).map(outline).join('; ') || 'an empty list'}`,
    ),
})

const idRules = rules(runLists, {
  'export.run.id': ({ list, runs }) => {
    const others = runs.filter((other) => other.list.length === list.length)
    return (
      others.length > 1 &&
      list.length > 0 &&
      verify(
        others.every((other) => haveIds(list, other.list)),
        'the ids of export runs',
        'different, and the same in every list',
        changedIds(list, others.find((other) => !haveIds(list, other.list))?.list ?? []),
      )
    )
  },
})

/**
 * Lists of export runs with UUIDs as `id`, and the ids that an earlier list of another export contains. Other ids may be
 * unique only in an export, and `id` may be that of something else if several runs have it, or another field is an id, too.
 */
function* idsOfExports(model: ExportModel) {
  const lists = select(model, written)
    .flatMap(({ id, exchange: creation, runs }) => runs.map((each) => ({ ...each, creation, export: id })))
    .map((each) => ({ ...each, ids: each.list.flatMap((run) => keyOf(at(run, 'id')) ?? []) }))
    .filter(({ ids }) => ids.length > 0 && ids.every(isUuid))
    .sort((a, b) => a.exchange.id - b.exchange.id)
  const isDistinct = ({ ids }: (typeof lists)[number]) => new Set(ids).size === ids.length
  if (!lists.every(isDistinct) || !lists.some(({ ids }) => ids.length > 1)) return
  if (lists.some(({ list }) => list.some(hasOtherId))) return
  const first = new Map<string, (typeof lists)[number]>()
  for (const each of lists) {
    const others = each.ids.flatMap((id) => first.get(id) ?? []).filter((other) => other.export !== each.export)
    const isFirst = [...first.values()].every((other) => other.export === each.export)
    for (const id of each.ids) if (!first.has(id)) first.set(id, each)
    const setup = [each.creation, ...others.slice(0, 1).flatMap(({ creation, exchange }) => [creation, exchange])]
    const repeated = each.ids.filter((id) => first.get(id)?.export !== each.export)
    if (!isFirst) yield { exchange: each.exchange, setup, repeated }
  }
}

/** Whether a field other than `id` may contain the id of an export run: one that is not named after another resource. */
function hasOtherId(run: unknown): boolean {
  const others = nestedFields(run).filter(
    ({ path }) => path !== 'id' && !/export|destination|session|project|tenant|workspace/i.test(path),
  )
  return others.some(({ path, value }) => isUuid(value) || /(id|key)$/i.test(path))
}

/** Pages of a list whose ids change cannot be joined. */
const idFailure = failureOf(idRules)

/** Whether files contain a run more than once: then their number of rows is not the one that export runs report. */
function hasRowTwice(rows: readonly Row[]): boolean {
  const ids = rows.flatMap((row) => row['id'] ?? [])
  return new Set(ids).size < ids.length
}

/** Rules about the export runs that wrote the files of exports. */
export const exportRunRules: readonly Rule<ExportModel>[] = [
  ...perDateRules,
  ...rules(runLists, {
    'export.run.status': ({ list }, { statusWords }) => {
      const wrong = haveStatus(list, statusWords) ? undefined : list.find((run) => textAt(run, 'status') === undefined)
      const received = at(wrong, 'status') ?? describeMissing('status', wrong)
      return verify(wrong === undefined, 'the status of each export run', 'a text', received)
    },
  }),
  ...idRules,
  ...rules(idsOfExports, {
    'export.run.id': ({ repeated }) => verifyNone(repeated, 'ids of export runs of another export'),
  }),
  ...rules(
    runLists,
    {
      'export.run.rows': ({ list, counts, countText, rows }) =>
        list.length >= counts.length &&
        (counts.length > 0 || rows.length === 0) &&
        verify(
          rows.length > 0 && showRows(list, counts),
          'the numbers of rows that export runs report',
          `those that start on each date: ${countText}`,
          wholeNumbers(list),
        ),
    },
    (each, model) => idFailure(each, model) ?? (hasRowTwice(each.rows) ? 'export.file.rows.once' : undefined),
  ),
]
