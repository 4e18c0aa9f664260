import type { ExportContext } from '../../harness/export/export-context.ts'
import { rowsIn } from '../../harness/export/exported-files.ts'
import { splitExport, wholeRuns } from '../../harness/export/whole-export.ts'
import { type Scenario, scenario } from '../scenario.ts'

const touching = scenario<ExportContext>(
  ['export.file.border-kept', 'export.file.border', 'export.file.border-side'],
  'exports two windows that touch',
  async (context) => {
    const { cutMs, first, second } = await splitExport(context)
    const run = (await wholeRuns(context)).find(({ start_time }) => Date.parse(start_time) === cutMs)
    const sides = Object.entries({ earlier: first, later: second }).flatMap(([side, { files }]) =>
      rowsIn(files).some((requirement) => requirement['id'] === run?.id) ? [`the ${side} window`] : [],
    )
    context.observe('export.file.border-side', sides.join(' and ') || 'neither')
  },
)

export const borderScenarios: readonly Scenario[] = [touching]
