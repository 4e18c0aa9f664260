import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import { Inconclusive } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { exportWindow } from '../../harness/export/export-window.ts'
import { exportSeededRuns, monthsLater, reservedDays } from '../../harness/export/reserved-days.ts'
import { createRecords } from '../../harness/export/seeds.ts'
import {
  seedRemedy,
  splitExport,
  testWindow,
  testWindowRows,
  testWindowRuns,
} from '../../harness/export/test-window.ts'
import { rowsIn } from '../../values/export/exported-file.ts'
import { runOf } from '../../values/export/known-run.ts'
import { iso } from '../../values/export/times.ts'
import { type Scenario, scenario } from '../scenario.ts'

const day = 86_400_000

const whole = scenario<ExportContext>(
  [
    'export.service.time-range',
    'export.service.nothing-outside',
    'export.service.one-project',
    'export.filter.omitted',
  ],
  'exports the runs of the window',
  async (context) => {
    await testWindowRows(context)
    if ((await testWindow(context)).seeded !== undefined) return
    await splitExport(context)
    throw new Inconclusive('exports do not show all runs of the project', seedRemedy(context.session))
  },
)

const touching = scenario<ExportContext>(
  [
    'export.file.border-kept',
    'export.file.border',
    'export.file.border-side',
    'export.file.prefix',
    'export.destination.prefix.confines',
  ],
  'exports two windows that touch',
  async (context) => {
    const { cutMs, first, second } = await splitExport(context)
    const run = (await testWindowRuns(context)).find(({ start_time }) => Date.parse(start_time) === cutMs)
    // Without this run, `export.service.time-range` fails.
    if (run === undefined) return
    const sides = Object.entries({ earlier: first, later: second }).flatMap(([side, { files }]) =>
      rowsIn(files).some((row) => runOf(row)?.id === run.id) ? [`the ${side} window`] : [],
    )
    context.observe('export.file.border-side', sides.join(' and ') || 'neither')
  },
)

const again = scenario<ExportContext>(
  ['export.service.time-range', 'export.service.own-bucket'],
  'exports runs again to the same destination',
  async (context) => {
    if ((await testWindow(context)).seeded === undefined) return
    const { monthMs, destination } = await reservedDays(context)
    // Contains some runs of the first export to this destination, and later ones.
    const window = { start_time: iso(monthMs + 2.2 * day), end_time: iso(monthMs + 4 * day) }
    await exportWindow(context, window, { destination })
  },
)

const long = scenario<ExportContext>(['export.service.time-range'], 'exports more than a month', async (context) => {
  if (!(await context.driver.offers('seedRuns'))) return
  const { monthMs, seed } = await reservedDays(context)
  // Both days are no reserved days of another session that has chosen one of the months beside this one.
  const window = { startMs: monthMs + 3 * day, endMs: monthMs + 43 * day }
  const create = (startMs: number) =>
    createRecords(context, { startMs, endMs: startMs + 0.25 * day, seed: `${seed} long ${startMs}`, traces: 2 })
  const records = [...(await create(window.startMs + day)), ...(await create(window.endMs - 0.5 * day))]
  await context.driver.seedRuns(records)
  await exportSeededRuns(context, records, window)
})

/** More than the pages of many databases and APIs hold. */
const manyRuns = 1001

const many = scenario<ExportContext>(
  ['export.service.time-range'],
  'exports more than a thousand runs',
  async (context) => {
    if (!(await context.driver.offers('seedRuns'))) return
    const { monthMs, seed } = await reservedDays(context)
    // The last day of a February, in most sessions its 29th, and the day before.
    const endMs = monthsLater(monthMs, 2)
    const window = { startMs: endMs - 1.5 * day, endMs }
    const create = (startMs: number) =>
      createRecords(context, { startMs, endMs: startMs + 0.4 * day, seed: `${seed} many ${startMs}`, traces: 1 })
    const copies = (await create(endMs - 0.5 * day))
      .slice(0, 1)
      .flatMap((run) => Array.from({ length: manyRuns }, (_, index) => smallCopy(run, index)))
    const records = [...(await create(window.startMs)), ...copies]
    await context.driver.seedRuns(records)
    await exportSeededRuns(context, records, window)
  },
)

/** Returns a run like the root of a trace, in a trace of its own and without messages. */
function smallCopy(root: TraceRecord, index: number): TraceRecord {
  const id = crypto.randomUUID()
  const dotted_order = root.dotted_order.replace(root.id, id)
  return { ...root, id, trace_id: id, dotted_order, name: `small ${index}`, inputs: {}, outputs: {} }
}

export const windowScenarios: readonly Scenario[] = [touching, again, long, many, whole]
