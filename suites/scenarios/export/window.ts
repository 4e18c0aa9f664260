import { Inconclusive } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { seedRemedy, testWindow } from '../../harness/export/test-window.ts'
import { splitExport, wholeRows, wholeRuns } from '../../harness/export/whole-export.ts'
import { rowsIn } from '../../values/export/exported-file.ts'
import { runOf } from '../../values/export/known-run.ts'
import { type Scenario, scenario } from '../scenario.ts'

const whole = scenario<ExportContext>(
  [
    'export.service.time-range',
    'export.service.nothing-outside',
    'export.service.one-project',
    'export.filter.omitted',
  ],
  'exports the runs of the window',
  async (context) => {
    await wholeRows(context)
    if ((await testWindow(context)).seeded !== undefined) return
    await splitExport(context)
    throw new Inconclusive('exports do not show all runs of the project', seedRemedy(context.session))
  },
)

const touching = scenario<ExportContext>(
  ['export.file.border-kept', 'export.file.border', 'export.file.border-side'],
  'exports two windows that touch',
  async (context) => {
    const { cutMs, first, second } = await splitExport(context)
    const run = (await wholeRuns(context)).find(({ start_time }) => Date.parse(start_time) === cutMs)
    // Without this run, `export.service.time-range` fails.
    if (run === undefined) return
    const sides = Object.entries({ earlier: first, later: second }).flatMap(([side, { files }]) =>
      rowsIn(files).some((row) => runOf(row)?.id === run.id) ? [`the ${side} window`] : [],
    )
    context.observe('export.file.border-side', sides.join(' and ') || 'neither')
  },
)

export const windowScenarios: readonly Scenario[] = [touching, whole]
