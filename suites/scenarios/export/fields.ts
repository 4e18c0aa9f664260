import { exportFields } from '../../catalog/export/files.ts'
import { Stopped } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { exportWindow, type FinishedExport } from '../../harness/export/export-window.ts'
import { checkSupported } from '../../harness/export/features.ts'
import { testWindow, testWindowExport, testWindowRows, testWindowRuns } from '../../harness/export/test-window.ts'
import type { ApiResponse } from '../../harness/http.ts'
import { projectionRules } from '../../rules/export/files.ts'
import { requirementsOf } from '../../rules/rule.ts'
import type { ExportField } from '../../values/export/compare-values.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { oneOff, postExport } from './create.ts'

const large = new Set<string>(['inputs', 'outputs'])
const small = exportFields.filter((name) => !large.has(name))

/** Creates an export with each documented name in `export_fields`, once in each session. Returns the responses. */
function trials(context: ExportContext): Promise<readonly { name: ExportField; response: ApiResponse }[]> {
  return context.session.memoize('each name in export_fields', async () => {
    checkSupported(context, 'export_fields')
    const valid = await oneOff(context)
    await context.exports.create(valid)
    const results = []
    for (const name of exportFields) {
      const body = { ...valid, export_fields: [name] }
      results.push({ name, response: await postExport(context, body, { requirement: `export.fields.${name}.usable` }) })
    }
    if (results.some(({ response }) => response.ok)) return results
    throw new Stopped('the service refuses each name in export_fields', { requirement: 'export.fields.accepted' })
  })
}

/** Exports the test window with the fields that the target accepts, once in each session. */
async function projected(context: ExportContext, key: string, fields: readonly ExportField[]): Promise<Projected> {
  return context.session.memoize(`export of ${key}`, async () => {
    const usable = (await trials(context)).filter(({ response }) => response.ok).map(({ name }) => name)
    const requested = fields.filter((name) => usable.includes(name))
    await testWindowExport(context)
    const { bounds } = await testWindow(context)
    return { ...(await exportWindow(context, { ...bounds, export_fields: requested })), requested }
  })
}

type Projected = FinishedExport & { readonly requested: readonly ExportField[] }

const columns = scenario<ExportContext>(
  ['export.fields.accepted', 'export.record.is_root.value', ...requirementsOf(projectionRules)],
  'limits columns to export_fields',
  async (context) => {
    await projected(context, 'small fields', small)
    await projected(context, 'all fields', exportFields)
    await testWindowRows(context)
  },
)

const same = scenario<ExportContext>(
  ['export.fields.same-runs', 'export.fields.same-values'],
  'exports the same rows with export_fields',
  async (context) => {
    await testWindowRuns(context)
    for (const [key, fields] of Object.entries({ 'small fields': small, 'all fields': exportFields })) {
      const { requested } = await projected(context, key, fields)
      if (!requested.includes('id'))
        throw new Stopped('rows without id cannot be compared', { requirement: 'export.fields.id.usable' })
    }
    const { bounds, seeded } = await testWindow(context)
    const isUsable = (await trials(context)).some(({ name, response }) => name === 'run_type' && response.ok)
    // Many runs have the same type.
    if (seeded !== undefined && isUsable) await projected(context, 'run_type', ['run_type'])
    // Other clients may change runs at any time: values that are equal before and afterwards did not change.
    if (seeded === undefined) await exportWindow(context, bounds)
  },
)

const usable = scenario<ExportContext>(
  exportFields.map((name) => `export.fields.${name}.usable` as const),
  'accepts each documented name in export_fields',
  async (context) => void (await trials(context)),
)

export const fieldScenarios: readonly Scenario[] = [columns, same, usable]
