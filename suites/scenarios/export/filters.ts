import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { openFilters } from '../../catalog/export/filter.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { Inconclusive } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { exportWindow } from '../../harness/export/export-window.ts'
import { checkSupported } from '../../harness/export/features.ts'
import { exportSeededRuns, monthsLater, reservedDays } from '../../harness/export/reserved-days.ts'
import { createRecords } from '../../harness/export/seeds.ts'
import { testWindow, testWindowRows, testWindowRuns, windowRemedy } from '../../harness/export/test-window.ts'
import { responseShape } from '../../harness/response-shape.ts'
import type { Expression } from '../../values/export/expression.ts'
import { type FilterCase, filterCases, longName, passedByNone } from '../../values/export/filter-cases.ts'
import { mostSelective } from '../../values/export/filter-suggestions.ts'
import type { KnownRun } from '../../values/export/known-run.ts'
import { isInside, iso } from '../../values/export/times.ts'
import { exportProbe, type Scenario, scenario } from '../scenario.ts'
import { acceptsFilters, oneOff, postExport } from './create.ts'

const day = 86_400_000

/** Fields of runs by which filters distinguish them. */
const filteredFields: readonly (Pick<TraceRecord, 'name' | 'run_type' | 'inputs'> & Partial<TraceRecord>)[] = [
  { name: 'Alpha search', run_type: 'llm', inputs: { city: 'Paris' } },
  { name: 'Alpha', run_type: 'tool', inputs: { city: 'Paris Nord' } },
  { name: 'Beta search', run_type: 'llm', inputs: { city: 'Rome', note: 'plain' } },
  { name: 'Beta search tool', run_type: 'tool', inputs: { question: 'where' } },
  { name: 'search', run_type: 'chain', inputs: { question: 'Paris' } },
  { name: 'search in search', run_type: 'chain', inputs: { question: 'Paris' } },
  { name: 'Gamma', run_type: 'chain', inputs: { city: 'Oslo' } },
  { name: 'Not Alpha', run_type: 'llm', inputs: {} },
  { name: 'Alphabet', run_type: 'retriever', inputs: { city: 'New Paris' } },
  { name: 'Beta', run_type: 'tool', inputs: { note: 'first', city: 'Paris' } },
  { name: 'Delta search', run_type: 'tool', inputs: {} },
  { name: 'v1.00 beta', run_type: 'chain', inputs: {}, total_cost: null },
  { name: 'v1.0\n0 beta', run_type: 'chain', inputs: {}, total_cost: null },
  { name: 'v1.0 beta', run_type: 'chain', inputs: {}, total_cost: null },
  { name: 'v1a00 beta', run_type: 'chain', inputs: {} },
  { name: 'v1.00 gamma', run_type: 'chain', inputs: {} },
  { name: longName, run_type: 'chain', inputs: {} },
  { name: `${longName} more`, run_type: 'chain', inputs: {} },
  { name: longName.replaceAll(/[^ -~]/g, ''), run_type: 'chain', inputs: {} },
  { name: longName.replaceAll(/ +/g, ' '), run_type: 'chain', inputs: {} },
  { name: longName.replace('end', 'other end'), run_type: 'chain', inputs: {} },
  { name: longName.replace('%', 'of all'), run_type: 'chain', inputs: {} },
  { name: 'Beta search tool', run_type: 'llm', inputs: {} },
  { name: 'Delta search tool', run_type: 'tool', inputs: {} },
  { name: 'Beta tool', run_type: 'tool', inputs: {} },
  { name: 'Beta search', run_type: 'tool', inputs: {} },
  { name: 'outputs', run_type: 'chain', inputs: { note: 'Paris' }, outputs: { city: 'Paris' } },
  { name: 'other keys', run_type: 'chain', inputs: { city_code: 'Paris', velocity: 'Paris' } },
  { name: 'key as value', run_type: 'chain', inputs: { note: 'city' } },
  { name: longName, run_type: 'tool', inputs: {} },
  { name: longName.replace('Größe', 'Große'), run_type: 'chain', inputs: {} },
]

/** Runs to filter, and the window that contains them. */
interface FilterData {
  readonly startMs: number
  readonly endMs: number
  readonly runs: readonly KnownRun[]
  /**
   * Returns the filter to send.
   *
   * @throws Inconclusive if no filter distinguishes the runs
   */
  filterOf(filterCase: FilterCase): Expression
}

/** Adds runs with these fields, once in each session. Without a driver, returns the runs of the project. */
function filterData(context: ExportContext): Promise<FilterData> {
  const { session, driver } = context
  return session.memoize('runs for filters', async () => {
    const { seeded, startMs: from, endMs: to } = await testWindow(context)
    if (seeded) {
      const { monthMs, seed } = await reservedDays(context)
      // Two dates to which no other runs are added, usually in summer: in many zones, clocks show another time then.
      const middleMs = monthsLater(monthMs, 6)
      const window = { startMs: middleMs - 0.5 * day, endMs: middleMs + 0.5 * day }
      const options = { ...window, seed: `${seed} filters`, traces: filteredFields.length }
      const runs = filterable(await createRecords(context, options))
      // The same in another project and some on a later day, which no export contains.
      const later = { startMs: window.endMs + 0.25 * day, endMs: window.endMs + day, seed: `${seed} later`, traces: 5 }
      const others = [
        ...(await createRecords(context, { ...options, sessionId: crypto.randomUUID() })),
        ...(await createRecords(context, later)),
      ]
      await driver.seedRuns([...runs, ...filterable(others)])
      await exportSeededRuns(context, runs, window)
      return { ...window, runs, filterOf: ({ seeded: filter }) => filter }
    }
    const runs = await testWindowRuns(context)
    return {
      startMs: from,
      endMs: to,
      runs: runs.filter((run) => isInside(run, { startMs: from, endMs: to, slackMs: 1000 })),
      filterOf({ requirement, suggested }) {
        const filter = mostSelective(suggested(runs), runs)
        if (filter) return filter
        throw new Inconclusive(
          `no filter for ${requirement} selects some but not all runs of the project`,
          windowRemedy(session, 'a time with runs of several types, names and inputs'),
        )
      },
    }
  })
}

/** Sets the fields by which filters distinguish runs: a run need not pass the filters that the root of its trace passes. */
function filterable(records: readonly TraceRecord[]): readonly TraceRecord[] {
  return records.map((run, index) => ({ ...run, ...filteredFields[index % filteredFields.length] }))
}

/**
 * Checks that the service accepts a filter.
 *
 * @throws Inconclusive if not: the specification does not say how values are quoted
 */
async function checkFilters(context: ExportContext): Promise<void> {
  if (await acceptsFilters(context)) return
  throw new Inconclusive(
    'the service refuses filters whose values are in double quotes, such as eq(run_type, "llm")',
    'let the service accept values in double quotes',
  )
}

/** What exports with some of the filters name in `export_fields`. */
const namesWithFilter: Partial<Record<RequirementId, readonly string[]>> = {
  // A service may apply a filter only to whole rows.
  'export.filter.like.prefix': ['id', 'name', 'start_time', 'inputs'],
  // No run that the filter selects has a cost.
  'export.filter.like.middle': ['id', 'total_cost', 'outputs'],
  // Not the field that the filter selects by.
  'export.filter.eq.input_value': ['id', 'name'],
}

const projected = scenario<ExportContext>(
  [
    'export.fields.complete',
    'export.fields.limit-columns',
    'export.filter.like.prefix',
    'export.filter.like.middle',
    'export.filter.eq.input_value',
  ],
  'filters exports with export_fields',
  async (context) => {
    checkSupported(context, 'export_fields')
    const body = { ...(await oneOff(context)), export_fields: [...new Set(Object.values(namesWithFilter).flat())] }
    const isAccepted = (await postExport(context, body, { requirement: 'export.fields.accepted' })).ok
    // Whether fields and filters are accepted are requirements of their own.
    if (!isAccepted || !(await acceptsFilters(context))) return
    const { filterOf, startMs, endMs } = await filterData(context)
    // An export must not get the options of an earlier one to its destination.
    const destination = await context.exports.destination()
    for (const filterCase of filterCases) {
      const names = namesWithFilter[filterCase.requirement]
      if (names === undefined) continue
      const filter = filterOf(filterCase).text
      const request = { start_time: iso(startMs), end_time: iso(endMs), filter, export_fields: names }
      await exportWindow(context, request, { ...filterCase, destination })
    }
  },
)

const cases = filterCases.map((filterCase) =>
  scenario<ExportContext>(
    [
      filterCase.requirement,
      'export.service.one-project',
      'export.service.time-range',
      'export.run.rows',
      'export.file.rows.once',
      'export.record.outputs.column',
    ],
    `filters with ${filterCase.seeded.text}`,
    async (context) => {
      await checkFilters(context)
      const { filterOf, startMs, endMs } = await filterData(context)
      const request = { start_time: iso(startMs), end_time: iso(endMs), filter: filterOf(filterCase).text }
      await exportWindow(context, request, filterCase)
    },
  ),
)

const withoutRuns = scenario<ExportContext>(
  ['export.filter.eq.name'],
  'filters with a name that no run has',
  async (context) => {
    await checkFilters(context)
    // Without runs in the window, nothing shows that the filter has an effect.
    await testWindowRows(context)
    const { bounds } = await testWindow(context)
    await exportWindow(context, { ...bounds, filter: passedByNone.text }, { requirement: 'export.filter.eq.name' })
  },
)

const accepted = scenario<ExportContext>(['export.filter.accepted'], 'accepts a filter', async (context) => {
  await checkFilters(context)
  await context.exports.create({
    ...(await oneOff(context)),
    filter: 'and(eq(run_type, "llm"), like(name, "a%"))',
  })
})

const undocumented = exportProbe(
  Object.keys(openFilters).map((key) => `export.filter.open.${key}` as RequirementId),
  'observes undocumented filters',
  async (context) => {
    const valid = await oneOff(context)
    for (const [key, filter] of Object.entries(openFilters)) {
      const response = await postExport(context, { ...valid, filter })
      context.observe(`export.filter.open.${key}` as RequirementId, response.ok ? 'accepted' : responseShape(response))
    }
  },
)

export const filterScenarios: readonly Scenario[] = [accepted, ...cases, withoutRuns, projected, undocumented]
