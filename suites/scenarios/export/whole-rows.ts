import { Inconclusive } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { seedRemedy, windowRemedy } from '../../harness/export/test-window.ts'
import { everyName, splitExport, wholeExport, wholeRows } from '../../harness/export/whole-export.ts'
import { type Scenario, scenario } from '../scenario.ts'

/** Throws Inconclusive if the driver has put no runs into the project. */
export async function checkSeeded(context: ExportContext): Promise<void> {
  if ((await wholeExport(context)).window.seeded !== undefined) return
  throw new Inconclusive('the contents of the runs in the project are unknown', seedRemedy(context.session))
}

const window = scenario<ExportContext>(
  [
    'export.service.time-range',
    'export.service.nothing-outside',
    'export.service.one-project',
    'export.filter.omitted',
  ],
  'exports the runs of the window',
  async (context) => {
    await wholeRows(context)
    if ((await wholeExport(context)).window.seeded !== undefined) return
    const isWhole = await everyName(context)
    await splitExport(context)
    if (!isWhole) {
      const why = 'the export with the filter like(name, "%") does not contain all runs'
      throw new Inconclusive(why, windowRemedy(context.session, 'a time whose runs all have a name'))
    }
    throw new Inconclusive('exported rows do not show their project', seedRemedy(context.session))
  },
)

export const wholeRowScenarios: readonly Scenario[] = [window]
