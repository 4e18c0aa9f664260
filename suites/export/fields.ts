import { exportFields } from '../catalog/export/files.ts'
import { requirementsOf } from '../evaluate/rule.ts'
import { type Check, scenario } from '../harness/check.ts'
import { Blocked, NotApplicable, Refused } from '../harness/errors.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
import { rowsIn } from '../harness/export/exported-files.ts'
import { lackOf } from '../harness/export/features.ts'
import { identifier } from '../harness/export/identify.ts'
import { runOf } from '../harness/export/known-run.ts'
import { baseRuns } from '../harness/export/known-runs.ts'
import { material } from '../harness/export/material.ts'
import { isRefusal, told } from '../harness/export/outcome.ts'
import { type PlayedExport, play } from '../harness/export/play.ts'
import { wholeExport, wholeRows } from '../harness/export/played.ts'
import { type ExportField, isSameValue } from '../harness/export/same-value.ts'
import { isInside } from '../harness/export/seeded.ts'
import { verifyUnchanged } from '../harness/export/unchanged.ts'
import type { Answer } from '../harness/http.ts'
import { show } from '../harness/json.ts'
import { projectionRules } from '../rules/export/files.ts'
import { oneOff, send } from './create.ts'

const large = new Set<string>(['inputs', 'outputs'])
const small = exportFields.filter((name) => !large.has(name))

/** What the creation of an export with each of the names alone is answered, made once. */
function trials(context: ExportContext): Promise<readonly { name: ExportField; answer: Answer }[]> {
  return context.session.once('each name in export_fields', async () => {
    const lack = lackOf(context.declared.selfHosted, 'export_fields')
    if (lack !== undefined) throw new NotApplicable(lack)
    const valid = await oneOff(context)
    await context.exports.create(valid as never)
    const found = []
    const row = 'export.fields.accepted'
    for (const name of exportFields) {
      const body = { ...valid, export_fields: [name] }
      found.push({ name, answer: await send(context, body, { row: `export.fields.${name}.usable` }) })
    }
    const [first] = found
    if (first === undefined || found.some(({ answer }) => !isRefusal(answer))) return found
    throw new Refused(row, 'a 2xx response', told(first.answer), first.answer)
  })
}

/** The export of the whole window with those of some fields that may be named, made once. */
async function projected(context: ExportContext, key: string, fields: readonly ExportField[]): Promise<Projected> {
  const found = await context.session.once(`export of ${key}`, async () => {
    const usable = (await trials(context)).filter(({ answer }) => !isRefusal(answer)).map(({ name }) => name)
    const asked = fields.filter((name) => usable.includes(name))
    const { start, end } = await material(context)
    return { ...(await play(context, { start_time: start, end_time: end, export_fields: asked })), asked }
  })
  context.lookAt({ made: [found.id] })
  return found
}

type Projected = PlayedExport & { readonly asked: readonly ExportField[] }

const columns = scenario<ExportContext>(
  ['export.fields.accepted', ...requirementsOf(projectionRules)],
  'limits columns to export_fields',
  async (context) => {
    await projected(context, 'small fields', small)
    await projected(context, 'all fields', exportFields)
    await wholeRows(context)
  },
)

const same = exportCheck(
  ['export.fields.same-runs', 'export.fields.same-values'],
  'exports the same rows with export_fields',
  async (context) => {
    const { decide } = context
    const { startMs, endMs, seeded } = (await wholeExport(context)).material
    // Others may add runs to the project at any time.
    const own = seeded && new Set(seeded.records.map(({ id }) => id))
    const runs = (await baseRuns(context)).filter(
      (run) => isInside(run, { startMs, endMs, slackMs: 1000 }) && (own?.has(run.id) ?? true),
    )
    const whole = new Map((await wholeRows(context)).map((row) => [runOf(row)?.id, row]))
    const missing: string[] = []
    const changed: object[] = []
    for (const [key, fields] of Object.entries({ 'small fields': small, 'all fields': exportFields })) {
      const { files, asked } = await projected(context, key, fields)
      if (!asked.includes('id')) throw new Blocked('export.fields.id.usable', 'rows without id cannot be compared')
      const rows = rowsIn(files)
      const known = identifier(runs, rows)
      const found = new Map(rows.map((row) => [known(row)?.id, row]))
      missing.push(...runs.filter(({ id }) => !found.has(id)).map(({ id }) => `${id} with ${asked.join(', ')}`))
      for (const { id } of runs) {
        const [row, other] = [found.get(id), whole.get(id)]
        for (const field of asked) {
          if (row === undefined || other === undefined || !(field in row) || !(field in other)) continue
          if (isSameValue(field, row[field], other)) continue
          changed.push({ id, field, with: row[field], without: other[field] })
        }
      }
    }
    const tell = (some: readonly unknown[]) =>
      `${some.length}: ${some
        .slice(0, 3)
        .map((one) => show(one, 300))
        .join(', ')}`
    await decide('export.fields.same-runs', () =>
      verifyUnchanged(context, missing.length === 0, 'runs that are missing with export_fields', 'none', tell(missing)),
    )
    await decide('export.fields.same-values', () =>
      verifyUnchanged(context, changed.length === 0, 'values that differ with export_fields', 'none', tell(changed)),
    )
  },
)

const usable = scenario<ExportContext>(
  exportFields.map((name) => `export.fields.${name}.usable` as const),
  'accepts each documented name in export_fields',
  async (context) => void (await trials(context)),
)

export const fieldChecks: readonly Check[] = [columns, same, usable]
