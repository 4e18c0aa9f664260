import type { RequirementId } from '../../catalog/generated/ids.ts'
import { keyOf } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import type { ExportModel } from '../../model/export.ts'
import { type Exported, exported, hasArrived } from '../../model/exported.ts'
import { type ExportField, isSameValue, showDifference } from '../../values/export/compare-values.ts'
import { areReadable } from '../../values/export/exported-file.ts'
import { type FilterCase, filterCases, passedByNone } from '../../values/export/filter-cases.ts'
import { type KnownRun, runOf } from '../../values/export/known-run.ts'
import type { Row } from '../../values/export/parquet-content.ts'
import { reportsRows } from '../../values/export/record-fields.ts'
import { rowMatcher } from '../../values/export/row-matcher.ts'
import { isInside, isOutside, iso } from '../../values/export/times.ts'
import { traitOf } from '../../values/export/trait.ts'
import { at, textAt } from '../../values/json.ts'
import {
  type CauseOf,
  failureOf,
  firstThree,
  type ItemOf,
  type Rule,
  rules,
  verify,
  verifyAll,
  verifyNone,
} from '../rule.ts'
import { bucketRules, pathRules, plain, projected } from './files.ts'

const filterOf = ({ exchange }: Exported) => textAt(exchange.request, 'filter')
/** Returns the workspace and the project of an export. */
export const projectOf = ({ exchange: { request, requestHeaders } }: Exported) =>
  `${requestHeaders['x-tenant-id']} ${at(request, 'session_id')}`.toLowerCase()
const idOf = ({ id }: Row) => (id === null || id === undefined ? undefined : String(id))

/** Plain exports of the same project that had succeeded before an export was created. */
function earlierPlain(model: ExportModel, each: Exported): readonly Exported[] {
  const others = derive(model, plainByProject).get(projectOf(each)) ?? []
  return others.filter(({ endedAt }) => endedAt <= each.exchange.sentAt)
}

function plainByProject(model: ExportModel) {
  return Map.groupBy(select(model, plain), projectOf)
}

/**
 * Returns an earlier export with a filter that every run passes, if it contains all runs of the plain exports before it. It
 * also contains runs that an export without a filter might omit.
 */
function earlierUnfiltered(model: ExportModel, each: Exported): Exported | undefined {
  const candidate = select(model, exported).find(
    (other) =>
      filterOf(other) === 'like(name, "%")' &&
      projectOf(other) === projectOf(each) &&
      other.endedAt <= each.exchange.sentAt,
  )
  const ids = new Set(candidate?.rows.map(idOf))
  const isComplete =
    candidate !== undefined &&
    earlierPlain(model, candidate).every(({ rows }) => rows.every((row) => ids.has(idOf(row))))
  return isComplete ? candidate : undefined
}

/** Returns the runs that are known to be in the project of an export: those that the driver added, or those in earlier exports. */
export function knownRuns(model: ExportModel, each: Exported): readonly KnownRun[] {
  if (each.seeds.length > 0) return each.seeds.filter((run) => hasArrived(model, run))
  const unfiltered = earlierUnfiltered(model, each)
  const runs = [...earlierPlain(model, each), ...(unfiltered ? [unfiltered] : [])].flatMap(({ rows }) =>
    rows.flatMap((row) => runOf(row) ?? []),
  )
  return [...new Map(runs.map((run) => [run.id, run])).values()]
}

/** Compares the runs that an export must contain with those that it contains. */
export function compareRuns(model: ExportModel, each: Exported) {
  // A service may round the borders of a window to the second. One with a driver must be exact.
  const window = { ...each, slackMs: each.seeds.length > 0 ? 1 : 1000 }
  const runs = knownRuns(model, each)
  const runIn = each.seeds.length > 0 ? each.runOf : rowMatcher(runs, each.rows)
  const found = new Set(each.rows.map(runIn))
  const inside = runs.filter((run) => isInside(run, window))
  const outside = each.rows.flatMap((row) => runIn(row) ?? runOf(row) ?? []).filter((run) => isOutside(run, window))
  return { ...each, found, inside, outside, missing: inside.filter((run) => !found.has(run)) }
}

type Compared = ReturnType<typeof compareRuns>

const bucketFailure = failureOf(bucketRules)
const pathFailure = failureOf(pathRules, ({ requirement }) => requirement === 'export.file.path.export_id')

/** Returns the requirement that fails if an export has no files, or blocks what a file that cannot be read may contain. */
function unreadable(each: Exported, model: ExportModel): RequirementId | undefined {
  if (!areReadable(each.files)) return 'export.file.parquet'
  if (each.files.length > 0) return undefined
  // Of several exports to a destination, files whose path lacks the id are those of none.
  return bucketFailure(each, model) ?? (each.isAlone ? undefined : pathFailure(each, model))
}

/** The last plain export of each window: runs that the driver adds may be missing in earlier ones. */
function* comparedExports(model: ExportModel): Iterable<Compared> {
  // Files that are missing or not readable fail other requirements.
  const isReadable = ({ files, runs }: Exported) =>
    areReadable(files) && (files.length > 0 || (runs.length > 0 && !runs.some(({ list }) => list.some(reportsRows))))
  const all = select(model, exported).filter((each) => each.isPlain && isReadable(each))
  const windows = Map.groupBy(all, (each) => `${projectOf(each)} ${each.startMs} ${each.endMs}`)
  for (const same of windows.values()) {
    for (const each of same.slice(-1)) yield compareRuns(model, each)
  }
}

/** Types of runs that no plain export contains: the service seems to apply a filter by default. */
function* missingTypes(model: ExportModel): Iterable<string> {
  const all = select(model, comparedExports).flatMap(({ inside, found }) =>
    inside.map((run) => ({ run, isFound: found.has(run) })),
  )
  if (!all.some(({ isFound }) => isFound)) return
  const types = Map.groupBy(all, ({ run }) => run.run_type)
  for (const [type, runs] of types) if (runs.every(({ isFound }) => !isFound)) yield type
}

/** Runs outside the window of an export with further options, unless plain exports contain such runs, too. */
function* outsideRuns(model: ExportModel, { outside }: Compared): Iterable<KnownRun> {
  if (select(model, comparedExports).every((each) => each.outside.length === 0)) yield* outside
}

const range = ({ startMs, endMs }: Pick<Exported, 'startMs' | 'endMs'>) => `from ${iso(startMs)} to ${iso(endMs)}`
const brief = (runs: readonly KnownRun[]) => runs.map(({ id, name, start_time }) => ({ id, name, start_time }))

/** Shows the number of some runs, and of the first three what a filter and the window compare. */
function showFiltered(runs: readonly KnownRun[], filter: string, kind: string): readonly string[] {
  if (runs.length === 0) return []
  const fields = runs.slice(0, 3).map(({ name, run_type, start_time, inputs }) => ({
    name,
    run_type,
    start_time,
    inputs: filter.includes('input_') ? inputs : undefined,
  }))
  return [`${runs.length} ${kind}: ${firstThree(fields)}${runs.length > 3 ? ', …' : ''}`]
}

/** Names the dates on which all surplus runs started, if the filter excludes runs of other dates only. */
function datesOf(surplus: readonly KnownRun[], excluded: readonly KnownRun[]): string {
  const dates = (runs: readonly KnownRun[]) => new Set(runs.map(({ start_time }) => start_time.slice(0, 10)))
  const [own, others] = [dates(surplus), dates(excluded)]
  const areApart = others.size > 0 && ![...own].some((date) => others.has(date))
  return areApart ? ` of ${[...own].join(', ')}, none of ${[...others].join(', ')}` : ''
}

/** Exports with a filter of the specification, and the runs that pass it. */
function* filtered(model: ExportModel) {
  for (const each of select(model, exported)) {
    const cases = filterCases.find(({ requirement }) => requirement === each.exchange.requirement)
    if (cases === undefined) continue
    const compared = compareRuns(model, each)
    const { inside, found } = compared
    const isApplied = ({ text }: FilterCase['seeded']) => text === filterOf(each)
    const filter =
      [cases.seeded, passedByNone].find(isApplied) ??
      cases.suggested(knownRuns(model, each).filter((run) => isInside(run, { ...each, slackMs: 1000 }))).find(isApplied)
    const missing = inside.filter((run) => filter?.passes(run) === true && !found.has(run))
    const rejected = inside.filter((run) => filter?.passes(run) === false && found.has(run))
    const surplus = [...rejected, ...outsideRuns(model, compared)]
    const excluded = inside.filter((run) => filter?.passes(run) === false && !found.has(run))
    if (filter !== undefined && inside.length > 0)
      yield { ...each, requirement: cases.requirement, filter, inside, found, missing, surplus, excluded }
  }
}

/** Exports with a filter that contain exactly the runs that pass another filter, with that filter. */
function* mixedUp(model: ExportModel) {
  const all = select(model, filtered)
  const filters = [...filterCases.map(({ seeded }) => seeded), ...all.map(({ filter }) => filter)]
  for (const each of all) {
    if (each.seeds.length === 0 || each.missing.length + each.surplus.length === 0) continue
    // Any filter that passes all runs, or none, gives all of them, or none.
    const kept = each.inside.filter((run) => each.found.has(run)).length
    if (kept === 0 || kept === each.inside.length) continue
    const isApplied = ({ passes }: FilterCase['seeded']) =>
      each.inside.every((run) => passes(run) === each.found.has(run))
    const other = filters.find(isApplied)
    if (other !== undefined) yield { ...each, other }
  }
}

/** Rules about exports without `filter` and `export_fields`. */
const plainRules = rules(comparedExports, {
  'export.service.time-range': ({ inside, missing, found, ...window }, model) => {
    const lost = new Set(select(model, missingTypes))
    const others = missing.filter(({ run_type }) => !lost.has(run_type))
    const kept = [...found].flatMap((run) => run ?? [])
    const trait = traitOf(others, kept)
    const all = `all its runs${trait === undefined ? '' : `, also those with ${trait}`}`
    return inside.length > 0 && verifyAll(brief(others), `the files of the export ${range(window)}`, all)
  },
  'export.service.nothing-outside': ({ outside, inside, ...window }) =>
    inside.length > 0 &&
    verifyNone(brief(outside), `runs that start outside the window in the files of the export ${range(window)}`),
  'export.filter.omitted': (each, model) => {
    if (each.inside.length === 0 || (each.seeds.length === 0 && earlierUnfiltered(model, each) === undefined))
      return false
    const types = new Set(each.missing.map(({ run_type }) => run_type))
    return verifyAll(
      [...types].filter((type) => select(model, missingTypes).includes(type)),
      'the files of an export without `filter`',
      'runs of all types',
    )
  },
})

const timeRangeFailure = failureOf(plainRules, ({ requirement }) => requirement === 'export.service.time-range')

/** Describes the other filter that an export seems to apply. */
function otherFilters(model: ExportModel, creation: Exchange): readonly string[] {
  const other = select(model, mixedUp).find(({ exchange }) => exchange === creation)?.other
  return other === undefined ? [] : [`exactly those that pass ${other.text}`]
}

/** Returns the requirement of the first export that applies the same other filter: the same defect fails both. */
function mixedUpFailure({ exchange, requirement }: ItemOf<typeof filtered>, model: ExportModel) {
  const all = select(model, mixedUp).toSorted((a, b) => a.exchange.id - b.exchange.id)
  const other = all.find((each) => each.exchange === exchange)?.other.text
  const first = all.find((each) => each.other.text === other)?.requirement
  return other !== undefined && first !== requirement ? first : undefined
}

const isCombined = (requirement: RequirementId) => requirement.startsWith('export.filter.and')
/** Filters of which those with `and` consist. */
const combinable = /\.(eq\.name|eq\.run_type|like\.prefix|like\.infix)$/

/** Creates rules about some forms of filters. */
function filterRules(
  isOwn: (requirement: RequirementId) => boolean,
  causeOf: CauseOf<ExportModel> = () => undefined,
): readonly Rule<ExportModel>[] {
  const own = filterCases.filter(({ requirement }) => isOwn(requirement))
  return own.flatMap(({ requirement: id }) =>
    rules(
      filtered,
      {
        [id]: (
          { exchange, requirement, filter, missing, surplus, excluded }: ItemOf<typeof filtered>,
          model: ExportModel,
        ) =>
          requirement === id &&
          verify(
            missing.length + surplus.length === 0,
            `the runs exported with the filter ${filter.text}${exchange.user === 'other' ? ' in the other workspace' : ''}`,
            'those that pass it',
            [
              ...otherFilters(model, exchange),
              ...showFiltered(surplus, filter.text, `too many${datesOf(surplus, excluded)}`),
              ...showFiltered(missing, filter.text, 'missing'),
            ].join('; '),
          ),
      },
      (each, model) => {
        const lost = each.surplus.length === 0 ? timeRangeFailure(each, model) : undefined
        return unreadable(each, model) ?? lost ?? causeOf(each, model) ?? mixedUpFailure(each, model)
      },
    ),
  )
}

const simpleFilters = filterRules((requirement) => !isCombined(requirement))

const windowOf = ({ startMs, endMs }: Exported) => `${startMs} ${endMs}`

/** Returns the last plain export of the same window before an export. */
function wholeBefore(model: ExportModel, each: Exported): Exported | undefined {
  return earlierPlain(model, each).findLast((other) => windowOf(other) === windowOf(each))
}

/** Exports of runs that the driver added, with `export_fields` without `id`, and the earlier plain export of the window. */
function* exportsWithoutIds(model: ExportModel) {
  for (const each of select(model, projected)) {
    const whole = wholeBefore(model, each)
    if (whole === undefined || each.seeds.length === 0 || each.requestedFields.includes('id')) continue
    // Whether a run is exported twice is a requirement of its own.
    const isDistinct = new Set(whole.rows.map(idOf)).size === whole.rows.length
    if (isDistinct) yield { ...each, setup: [...each.setup, whole.exchange], whole }
  }
}

/** Exports with `id` in `export_fields`, with the plain exports of the same window before and after them. */
function* exportsWithFields(model: ExportModel) {
  const byWindow = Map.groupBy(select(model, plain), windowOf)
  for (const each of select(model, projected)) {
    if (!each.requestedFields.includes('id') || filterOf(each) !== undefined) continue
    const whole = wholeBefore(model, each)
    const after = byWindow.get(windowOf(each))?.find(({ exchange }) => exchange.sentAt >= each.endedAt)
    yield { ...compareRuns(model, each), requestedFields: each.requestedFields, whole, after }
  }
}

/** Values that differ from those of the earlier plain export, although the later one shows that they did not change. */
function* changes({ rows, requestedFields, whole, after, seeds, runOf }: ItemOf<typeof exportsWithFields>) {
  const byId = (some: readonly Row[] = []) => new Map(some.map((row) => [idOf(row), row]))
  const [before, later] = [byId(whole?.rows), byId(after?.rows)]
  for (const row of rows) {
    const [other, third] = [before.get(String(row['id'])), later.get(String(row['id']))]
    for (const field of requestedFields as readonly ExportField[]) {
      if (other === undefined || !(field in row) || !(field in other)) continue
      const isKept = seeds.length > 0 || (third !== undefined && isSameValue(field, other[field], third))
      // If the earlier export has the wrong value, its own requirement fails.
      const run = runOf(row)
      const isRight = run !== undefined && isSameValue(field, row[field], run)
      if (isKept && !isRight && !isSameValue(field, row[field], other))
        yield `${showDifference(field, row[field], other[field])} for run ${row['id']}`
    }
  }
}

/** Rules about which runs exports contain. */
export const exportedRunRules: readonly Rule<ExportModel>[] = [
  ...rules(exported, {
    'export.service.one-project': (each) => {
      const project = keyOf(at(each.exchange.request, 'session_id'))
      const isForeign = (row: Row) =>
        each.seeds.length > 0
          ? !each.runOf(row) && each.otherRunOf(row) !== undefined
          : keyOf(row['session_id']) !== project
      const foreign = each.rows.filter(isForeign).map(({ id, session_id }) => ({ id, session_id }))
      // Of the exports without foreign rows, only plain ones show that these are left out.
      const isDecidable =
        each.seeds.length > 0
          ? foreign.length > 0 || (each.isPlain && each.hasOthers({ ...each, slackMs: 1 }))
          : each.rows.some((row) => typeof row['session_id'] === 'string')
      return isDecidable && verifyNone(foreign, 'runs of another project in a file')
    },
  }),
  ...plainRules,
  ...simpleFilters,
  ...filterRules(
    isCombined,
    failureOf(simpleFilters, ({ requirement }) => combinable.test(requirement)),
  ),
  ...rules(exportsWithoutIds, {
    'export.fields.same-runs': ({ files, rows, whole, requestedFields }) =>
      areReadable(files) &&
      verify(
        rows.length >= whole.rows.length,
        `the number of rows of an export with the \`export_fields\` ${requestedFields.join(', ')}`,
        `at least ${whole.rows.length}, as without \`export_fields\``,
        rows.length,
      ),
  }),
  ...rules(
    exportsWithFields,
    {
      'export.fields.same-runs': (each, model) =>
        each.inside.length > 0 &&
        (verifyAll(brief(each.missing), 'the files of an export with `export_fields`', 'all runs of its window') ??
          verifyNone(brief([...outsideRuns(model, each)]), 'runs outside the window with export_fields')),
    },
    ({ missing, whole, ...each }, model) => {
      const lost = new Set(whole && compareRuns(model, whole).missing.map(({ id }) => id))
      return (
        unreadable(each, model) ?? (missing.some(({ id }) => lost.has(id)) ? 'export.service.time-range' : undefined)
      )
    },
  ),
  ...rules(exportsWithFields, {
    'export.fields.same-values': (each) =>
      each.whole !== undefined &&
      verifyNone([...changes(each)], 'values that differ from those of an export without `export_fields`'),
  }),
]
