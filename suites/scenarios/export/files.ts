import { exportRunTable } from '../../catalog/export/export-run.ts'
import { fieldIds } from '../../catalog/fields.ts'
import { Inconclusive } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { checkClockReadable } from '../../harness/export/service-clock.ts'
import { seedRemedy, testWindow, testWindowExport, testWindowRows } from '../../harness/export/test-window.ts'
import { exportRunRules } from '../../rules/export/export-runs.ts'
import { fileRules, valueRules } from '../../rules/export/files.ts'
import { requirementsOf } from '../../rules/rule.ts'
import { nestedFields } from '../../values/export/record-fields.ts'
import { timeOf } from '../../values/export/times.ts'
import { at, show } from '../../values/json.ts'
import { exportProbe, type Scenario, scenario } from '../scenario.ts'
import { emptyWindow } from './create.ts'

const whole = scenario<ExportContext>(
  [...requirementsOf([...fileRules, ...exportRunRules]), ...fieldIds(exportRunTable), 'export.run.creation-time'],
  'exports a window',
  async (context) => {
    await testWindowRows(context)
    const { id } = await testWindowExport(context)
    await context.exports.runs(id)
    await checkClockReadable(context)
  },
)

const values = scenario<ExportContext>(
  requirementsOf(valueRules),
  'exports runs whose contents are known',
  async (context) => {
    await testWindowRows(context)
    if ((await testWindow(context)).seeded !== undefined) return
    throw new Inconclusive('the contents of the runs in the project are unknown', seedRemedy(context.session))
  },
)

const undocumented = exportProbe(
  [
    'export.record.columns',
    'export.record.types',
    'export.file.names',
    'export.file.padding',
    'export.file.compression',
    'export.file.order',
    'export.file.row-groups',
    'export.run.names',
    'export.run.statuses',
    'export.run.order',
  ],
  'observes file names, compression and order',
  async (context) => {
    await testWindowRows(context)
    const { files, runs } = await testWindowExport(context)
    const { observe } = context
    const [first] = files
    const columns = first?.content?.columns ?? []
    observe('export.record.columns', columns.map(({ name }) => name).join(', '))
    observe('export.record.types', columns.map(({ name, type }) => `${name}: ${type}`).join(', '))
    const name = first?.path.file ?? ''
    const hasRunId = runs.some((run) => name.includes(String(Object(run)['id'] ?? 'no id')))
    const form = name.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<uuid>').replaceAll(/\d+/g, '<n>')
    observe('export.file.names', `${form}${hasRunId ? ', with the id of the export run' : ''}`)
    const padded = files.some(({ path: { values } }) => values.month?.startsWith('0') || values.day?.startsWith('0'))
    observe('export.file.padding', padded ? 'with a leading zero' : 'without a leading zero')
    observe(
      'export.file.compression',
      [...new Set(files.flatMap(({ content }) => content?.compression ?? []))].join(', '),
    )
    const times = files.map(({ content }) => (content?.rows ?? []).map((row) => timeOf(row['start_time']) ?? 0))
    const ascending = times.every((ofFile) =>
      ofFile.every((time, index) => index === 0 || time >= (ofFile[index - 1] ?? 0)),
    )
    observe('export.file.order', ascending ? 'by start time' : 'not by start time')
    const largest = Math.max(...files.flatMap(({ content }) => content?.rowGroups ?? [0]))
    observe('export.file.row-groups', `${largest} rows in the largest`)
    const names = nestedFields(runs[0]).map(({ path }) => path)
    observe('export.run.names', names.join(', '))
    observe('export.run.statuses', [...new Set(runs.map((run) => show(at(run, 'status'))))].join(', '))
    const starts = runs.map((run) => Date.parse(String(at(run, 'start_time') ?? at(run, 'metadata', 'start_time'))))
    const byDate = starts.every((time, index) => index === 0 || time > (starts[index - 1] ?? 0))
    observe('export.run.order', byDate ? 'by date' : starts.some(Number.isNaN) ? 'not shown' : 'not by date')
  },
)

const empty = exportProbe('export.run.empty-date', 'observes an export of a window without runs', async (context) => {
  const { exports, bucket } = context
  const destination = await exports.destination()
  const id = await exports.create({ bulk_export_destination_id: destination.id, ...emptyWindow() })
  await exports.waitForEnd(id)
  const [runs, files] = [await exports.runs(id), await bucket.list(destination.bucket, destination.prefix)]
  context.observe('export.run.empty-date', `${runs.length} export runs, ${files.length} files`)
})

export const fileScenarios: readonly Scenario[] = [whole, values, undocumented, empty]
