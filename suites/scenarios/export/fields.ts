import { exportFields } from '../../catalog/export/files.ts'
import { requirementsOf } from '../../evaluate/rule.ts'
import { Stopped } from '../../harness/errors.ts'
import type { ExportField } from '../../harness/export/compare-values.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { exportWindow, type FinishedExport } from '../../harness/export/export-window.ts'
import { checkSupported } from '../../harness/export/features.ts'
import { testWindow } from '../../harness/export/test-window.ts'
import { wholeExport, wholeRows, wholeRuns } from '../../harness/export/whole-export.ts'
import type { ApiResponse } from '../../harness/http.ts'
import { projectionRules } from '../../rules/export/files.ts'
import { type Scenario, scenario } from '../scenario.ts'
import { oneOff, send } from './create.ts'

const large = new Set<string>(['inputs', 'outputs'])
const small = exportFields.filter((name) => !large.has(name))

/** The response to the creation of an export with each of the names alone; sent once. */
function trials(context: ExportContext): Promise<readonly { name: ExportField; response: ApiResponse }[]> {
  return context.session.memoize('each name in export_fields', async () => {
    checkSupported(context, 'export_fields')
    const valid = await oneOff(context)
    await context.exports.create(valid)
    const found = []
    for (const name of exportFields) {
      const body = { ...valid, export_fields: [name] }
      found.push({ name, response: await send(context, body, { requirement: `export.fields.${name}.usable` }) })
    }
    if (found.some(({ response }) => response.ok)) return found
    throw new Stopped('the service refuses each name in export_fields', { requirement: 'export.fields.accepted' })
  })
}

/** The export of the whole window with those of some fields that may be named, made once. */
async function projected(context: ExportContext, key: string, fields: readonly ExportField[]): Promise<Projected> {
  return context.session.memoize(`export of ${key}`, async () => {
    const usable = (await trials(context)).filter(({ response }) => response.ok).map(({ name }) => name)
    const asked = fields.filter((name) => usable.includes(name))
    await wholeExport(context)
    const { bounds } = await testWindow(context)
    return { ...(await exportWindow(context, { ...bounds, export_fields: asked })), asked }
  })
}

type Projected = FinishedExport & { readonly asked: readonly ExportField[] }

const columns = scenario<ExportContext>(
  ['export.fields.accepted', ...requirementsOf(projectionRules)],
  'limits columns to export_fields',
  async (context) => {
    await projected(context, 'small fields', small)
    await projected(context, 'all fields', exportFields)
    await wholeRows(context)
  },
)

const same = scenario<ExportContext>(
  ['export.fields.same-runs', 'export.fields.same-values'],
  'exports the same rows with export_fields',
  async (context) => {
    await wholeRuns(context)
    for (const [key, fields] of Object.entries({ 'small fields': small, 'all fields': exportFields })) {
      const { asked } = await projected(context, key, fields)
      if (!asked.includes('id'))
        throw new Stopped('rows without id cannot be compared', { requirement: 'export.fields.id.usable' })
    }
    const { bounds, seeded } = await testWindow(context)
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
