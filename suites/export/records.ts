import { exportFields } from '../catalog/export/files.ts'
import type { Check } from '../harness/check.ts'
import { Blocked, Inconclusive } from '../harness/errors.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
import { columnNames } from '../harness/export/exported-files.ts'
import { identifier } from '../harness/export/identify.ts'
import { type KnownRun, runOf } from '../harness/export/known-run.ts'
import { unlockedBySeeds } from '../harness/export/material.ts'
import type { Row } from '../harness/export/parquet.ts'
import { wholeExport, wholeRows } from '../harness/export/played.ts'
import { flagOf, isSameValue } from '../harness/export/same-value.ts'
import { tenantOf } from '../harness/export/tenant.ts'
import { show } from '../harness/json.ts'
import { seededOf } from './whole-rows.ts'

const always = ['tenant_id', 'is_root'] as const

/** Tells in which file a row stands. */
async function keys(context: ExportContext): Promise<(row: Row) => string> {
  const { files } = await wholeExport(context)
  const byRow = new Map(files.flatMap(({ key, content }) => (content?.rows ?? []).map((row) => [row, key] as const)))
  return (row) => byRow.get(row) ?? 'no file'
}

/** The rows, once it is sure that they have a column. */
async function rowsWith(context: ExportContext, column: (typeof exportFields | typeof always)[number]) {
  const rows = await wholeRows(context)
  const { files } = await wholeExport(context)
  if (columnNames(files).includes(column)) return rows
  throw new Blocked(`export.record.${column}.column`, `no file has the column ${column}`)
}

const columns = exportCheck(
  [...exportFields, ...always].map((name) => `export.record.${name}.column` as const),
  'exports all documented columns',
  async (context) => {
    await wholeRows(context)
    const names = columnNames((await wholeExport(context)).files)
    for (const name of [...exportFields, ...always]) {
      await context.decide(`export.record.${name}.column`, () =>
        context.verify(names.includes(name), 'the columns', `${name} among them`, show(names)),
      )
    }
  },
)

const values = exportFields.map((field) =>
  exportCheck(`export.record.${field}.value`, `exports the values of ${field}`, async (context) => {
    const { records } = await seededOf(context)
    const rows = await rowsWith(context, field)
    const known = identifier(records, rows)
    const keyOf = await keys(context)
    const wrong = rows.flatMap((row) => {
      const record = known(row)
      return record === undefined || isSameValue(field, row[field], record)
        ? []
        : [{ id: record.id, exported: row[field], recorded: record[field], key: keyOf(row) }]
    })
    context.verify(wrong.length === 0, `rows whose ${field} differs from their run`, 'none', shown(wrong))
  }),
)

const tenant = exportCheck('export.record.tenant_id.value', 'the values of tenant_id', async (context) => {
  const expected = tenantOf(context).toLowerCase()
  const rows = await rowsWith(context, 'tenant_id')
  const wrong = rows.filter((row) => String(row['tenant_id']).toLowerCase() !== expected)
  const told = shown(wrong.map(brief(await keys(context))))
  context.verify(wrong.length === 0, 'rows with another tenant_id', `only ${expected}`, told)
})

const root = exportCheck('export.record.is_root.value', 'the values of is_root', async (context) => {
  const rows = await rowsWith(context, 'is_root')
  const { seeded } = (await wholeExport(context)).material
  const known: (row: Row) => KnownRun | undefined = seeded ? identifier(seeded.records, rows) : runOf
  const told = rows.flatMap((row) => {
    const parent = known(row)?.parent_run_id
    return parent === undefined ? [] : [{ row, isRoot: parent === null }]
  })
  if (told.length === 0) {
    throw new Inconclusive('exported rows contain no parent_run_id or dotted_order', unlockedBySeeds(context.session))
  }
  const wrong = told.filter(({ row, isRoot }) => flagOf(row['is_root']) !== isRoot).map(({ row }) => row)
  context.verify(
    wrong.length === 0,
    'rows whose is_root is wrong',
    'none',
    shown(wrong.map(brief(await keys(context)))),
  )
})

function brief(keyOf: (row: Row) => string) {
  return (row: Row) => {
    const { id, tenant_id, is_root, parent_run_id } = row
    return { id, tenant_id, is_root, parent_run_id, key: keyOf(row) }
  }
}

/** How many rows are wrong, and the first of them with the files in which they stand. */
function shown(wrong: readonly { readonly key: string }[]): string {
  const some = wrong.slice(0, 3).map(({ key, ...row }) => `${show(row, 400)} in ${key}`)
  return `${wrong.length}: ${some.join('; ')}`
}

export const recordChecks: readonly Check[] = [columns, ...values, tenant, root]
