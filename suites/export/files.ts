import { pathSegments } from '../catalog/export/files.ts'
import type { Check } from '../harness/check.ts'
import { Blocked, Inconclusive } from '../harness/errors.ts'
import { partitionDate } from '../harness/export/dates.ts'
import { exportCheck } from '../harness/export/export-context.ts'
import { tellsRows } from '../harness/export/found.ts'
import { timeOf } from '../harness/export/identify.ts'
import { unlockedBy } from '../harness/export/material.ts'
import { iso } from '../harness/export/moments.ts'
import { datedRows, wholeExport, wholeRows } from '../harness/export/played.ts'
import { tenantOf } from '../harness/export/tenant.ts'
import { show } from '../harness/json.ts'

const written = exportCheck(
  ['export.service.own-bucket', 'export.file.parquet'],
  'writes Parquet files to the bucket',
  async (context) => {
    const { files, runs, material, id } = await wholeExport(context)
    const { decide, verify } = context
    if (files.length === 0 && material.seeded === undefined && !runs.some(tellsRows)) {
      throw new Inconclusive(
        `the export of the project from ${material.start} to ${material.end} has no files`,
        unlockedBy(context.session, 'a time with runs'),
      )
    }
    const odd = files.filter(({ content }) => content === undefined)
    await decide('export.service.own-bucket', () =>
      verify(files.length > 0, `objects of the export ${id} in the bucket`, 'a file at least', 'none'),
    )
    await decide('export.file.parquet', () => {
      if (files.length === 0) throw new Blocked('export.service.own-bucket', 'the export has no files')
      verify(odd.length === 0, 'files that are not Parquet', 'none', show(odd.map(({ key }) => key)))
    })
  },
)

const path = exportCheck(
  ['export.file.prefix', ...pathSegments.map((segment) => `export.file.path.${segment}` as const)],
  'writes files to the documented path',
  async (context) => {
    await wholeRows(context)
    const { files, id, destination } = await wholeExport(context)
    const keys = show(files.map(({ key }) => key))
    const outside = files.filter((file) => !file.path.underPrefix)
    await context.decide('export.file.prefix', () =>
      context.verify(outside.length === 0, 'keys of files', `all under ${destination.prefix}/`, keys),
    )
    const expected: Readonly<Record<string, string>> = {
      export_id: id,
      tenant_id: tenantOf(context),
      session_id: context.declared.session,
    }
    for (const segment of pathSegments) {
      const wrong = files.filter(({ path: { values } }) => {
        const value = values[segment]
        if (value === undefined) return true
        if (segment === 'runs') return false
        if (segment in expected) return value.toLowerCase() !== expected[segment]?.toLowerCase()
        return !/^\d+$/.test(value)
      })
      await context.decide(`export.file.path.${segment}`, () =>
        context.verify(wrong.length === 0, 'keys of files', `the segment ${segment} in its place, right`, keys),
      )
    }
  },
)

const partition = exportCheck(
  'export.file.partition',
  'writes runs to the partition of their date',
  async (context) => {
    await wholeRows(context)
    for (const { key, path } of (await wholeExport(context)).files) {
      const lacking = (['year', 'month', 'day'] as const).find((segment) => path.values[segment] === undefined)
      if (lacking !== undefined) throw new Blocked(`export.file.path.${lacking}`, `${key} has no ${lacking}`)
    }
    const wrong = (await datedRows(context))
      .filter(({ file, date }) => date !== partitionDate(file.path))
      .map(({ file, row }) => `${iso(timeOf(row['start_time']) ?? 0)} in ${file.key}`)
    const what = 'rows in the partition of another date'
    context.verify(wrong.length === 0, what, 'none', `${wrong.length}: ${wrong.slice(0, 3).join('; ')}`)
  },
)

const schema = exportCheck(
  ['export.file.columns-equal', 'export.file.types-equal'],
  'writes all files with the same columns',
  async (context) => {
    await wholeRows(context)
    const { files } = await wholeExport(context)
    const schemas = files.map(({ content }) => content?.columns ?? [])
    const names = new Set(schemas.map((columns) => show(columns.map(({ name }) => name).sort(), 5000)))
    const types = Map.groupBy(schemas.flat(), ({ name }) => name)
    const drifting = [...types].filter(([, same]) => new Set(same.map(({ type }) => type)).size > 1)
    await context.decide('export.file.columns-equal', () =>
      context.verify(names.size === 1, 'sets of columns over all files', 'one', [...names].join(' | ')),
    )
    await context.decide('export.file.types-equal', () =>
      context.verify(drifting.length === 0, 'columns of several types', 'none', show(Object.fromEntries(drifting))),
    )
  },
)

const seen = exportCheck(
  [
    'export.record.columns',
    'export.record.types',
    'export.file.names',
    'export.file.padding',
    'export.file.compression',
    'export.file.order',
    'export.file.row-groups',
  ],
  'observes file names, compression and order',
  async (context) => {
    await wholeRows(context)
    const { files, runs } = await wholeExport(context)
    const { observe } = context
    const [first] = files
    const columns = first?.content?.columns ?? []
    observe('export.record.columns', columns.map(({ name }) => name).join(', '))
    observe('export.record.types', columns.map(({ name, type }) => `${name}: ${type}`).join(', '))
    const name = first?.path.file ?? ''
    const ofRun = runs.some((run) => name.includes(String(Object(run)['id'] ?? 'no id')))
    const form = name.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<uuid>').replaceAll(/\d+/g, '<n>')
    observe('export.file.names', `${form}${ofRun ? ', with the id of the export run' : ''}`)
    const padded = files.some(({ path: { values } }) => values.month?.startsWith('0') || values.day?.startsWith('0'))
    observe('export.file.padding', padded ? 'with a leading zero' : 'without a leading zero')
    observe(
      'export.file.compression',
      [...new Set(files.flatMap(({ content }) => content?.compression ?? []))].join(', '),
    )
    const times = files.map(({ content }) => (content?.rows ?? []).map((row) => timeOf(row['start_time']) ?? 0))
    const ascending = times.every((of) => of.every((time, index) => index === 0 || time >= (of[index - 1] ?? 0)))
    observe('export.file.order', ascending ? 'by start time' : 'not by start time')
    const largest = Math.max(...files.flatMap(({ content }) => content?.rowGroups ?? [0]))
    observe('export.file.row-groups', `${largest} rows in the largest`)
  },
)

export const fileChecks: readonly Check[] = [written, path, partition, schema, seen]
