import { columnsOf } from '../../../mock-server/export/files/columns.ts'
import type { ExportPolicies } from '../../../mock-server/export/policies.ts'
import type { TraceRecord } from '../../../mock-server/export/traces/record.ts'
import { exportFields, pathSegments } from '../../../suites/catalog/export/files.ts'
import { type ChangeExports, type Mutant, mutantsOf } from '../mutant.ts'
import { changeRange, changeRecords, isPicked, isPlain } from './trace-records.ts'

const always = ['tenant_id', 'is_root'] as const
const day = 86_400_000

/** A wrong value for each field. */
const wrongValues: Readonly<Record<(typeof exportFields)[number], (record: TraceRecord) => Partial<TraceRecord>>> = {
  id: () => ({ id: crypto.randomUUID() }),
  name: ({ name }) => ({ name: `${name} ` }),
  run_type: ({ run_type }) => ({ run_type: run_type === 'prompt' ? 'parser' : 'prompt' }),
  start_time: ({ start_time }) => ({ start_time: addSecond(start_time) }),
  end_time: ({ end_time, start_time }) => ({ end_time: addSecond(end_time ?? start_time) }),
  status: () => ({ status: 'unknown' }),
  total_tokens: ({ total_tokens }) => ({ total_tokens: total_tokens + 1 }),
  total_cost: ({ total_cost }) => ({ total_cost: (total_cost ?? 0) + 1 }),
  inputs: ({ inputs }) => ({ inputs: { ...inputs, further: true } }),
  outputs: ({ outputs }) => ({ outputs: outputs === null ? {} : null }),
}

/** Adds a second without changing the date. */
function addSecond(time: string): string {
  return /T23:59:59/.test(time) ? time : time.replace(/T(\d\d):(\d\d):\d\d/, 'T$1:$2:59').replace(/\.\d+/, '.999999')
}

/** Whether an export is one-off and has export_fields. */
function isProjected({ export_fields, source_bulk_export_id }: Parameters<ExportPolicies['columnsOf']>[0]): boolean {
  return export_fields !== null && source_bulk_export_id === null
}

/** Changes the files of exports with all columns. `even` is true for every second file. */
function changeFiles(
  change: (
    format: Parameters<ExportPolicies['writeFile']>[0],
    even: boolean,
  ) => Parameters<ExportPolicies['writeFile']>[0],
): ChangeExports {
  return ({ writeFile }) => {
    let files = 0
    return {
      writeFile: (format, ...args) =>
        writeFile(format.columns.length === columnsOf().length ? change(format, files++ % 2 === 0) : format, ...args),
    }
  }
}

/** Changes the columns of one-off exports. */
function changeColumns(
  change: (
    usual: ReturnType<ExportPolicies['columnsOf']>,
    bulkExport: Parameters<ExportPolicies['columnsOf']>[0],
  ) => typeof usual,
): ChangeExports {
  return ({ columnsOf: usual }) => ({
    columnsOf: (bulkExport) =>
      bulkExport.source_bulk_export_id === null ? change(usual(bulkExport), bulkExport) : usual(bulkExport),
  })
}

/** Moves the start of partitions to this many milliseconds after midnight. */
function changeMidnight(laterMs: number): ChangeExports {
  return ({ partitionsOf }) => ({
    partitionsOf: (startMs, endMs) =>
      partitionsOf(startMs - laterMs, endMs - laterMs).map((each) => ({
        ...each,
        startMs: each.startMs + laterMs,
        endMs: each.endMs + laterMs,
      })),
  })
}

const records: readonly Mutant[] = [
  ...[...exportFields, ...always].map(
    (name): Mutant => ({
      id: `export.record.${name}.no-column`,
      defect: `files lack the column ${name}`,
      requirements: [`export.record.${name}.column`],
      exportPolicies: changeColumns((columns, bulkExport) =>
        isPlain(bulkExport) ? columns.filter((each) => each.name !== name) : columns,
      ),
    }),
  ),
  ...exportFields.map(
    (name): Mutant => ({
      id: `export.record.${name}.wrong`,
      defect: `${name} is wrong in one of 32 rows`,
      requirements: [`export.record.${name}.value`],
      exportPolicies: changeRecords((record) => [
        isPicked(record) ? { ...record, ...wrongValues[name](record) } : record,
      ]),
    }),
  ),
  ...mutantsOf({
    'export.record.tenant_id.wrong': {
      defect: 'tenant_id is that of another workspace in one of 32 rows',
      requirements: ['export.record.tenant_id.value'],
      exportPolicies: changeRecords((record) => [
        isPicked(record) ? { ...record, tenant_id: '00000000-0000-4000-8000-00000000000b' } : record,
      ]),
    },
    'export.record.is_root.wrong': {
      defect: 'is_root is wrong in one of 32 rows',
      requirements: ['export.record.is_root.value'],
      exportPolicies: changeRecords((record) => [isPicked(record) ? { ...record, is_root: !record.is_root } : record]),
    },
    'export.record.is_root.always-with-fields': {
      defect: 'is_root is true in each row of an export with export_fields',
      requirements: ['export.record.is_root.value'],
      exportPolicies: changeRecords((record) => [{ ...record, is_root: true }], isProjected),
    },
    'export.file.row-twice': {
      defect: 'one of 32 rows is exported twice',
      requirements: ['export.file.rows.once'],
      exportPolicies: changeRecords((record) => (isPicked(record) ? [record, record] : [record])),
    },
    'export.file.row-twice-with-filter': {
      defect: 'each row of an export with a filter is exported twice',
      requirements: ['export.file.rows.once'],
      exportPolicies: changeRecords(
        (record) => [record, record],
        ({ filter }) => filter !== null,
      ),
    },
    'export.filter.default': {
      defect: 'exports without a filter omit runs of type tool',
      requirements: ['export.filter.omitted'],
      exportPolicies: changeRecords((record) => (record.run_type === 'tool' ? [] : [record])),
    },
  }),
]

/** Exports with `export_fields` those of the previous export that had some. */
const exportPreviousFields: ChangeExports = ({ columnsOf: usual }) => {
  const [ids, all] = [new Set<string>(), [] as (readonly string[])[]]
  return {
    columnsOf: (bulkExport) => {
      const { id, export_fields } = bulkExport
      if (export_fields === null) return usual(bulkExport)
      if (!ids.has(id)) all.push(export_fields)
      ids.add(id)
      return usual({ ...bulkExport, export_fields: all.at(-2) ?? export_fields })
    },
  }
}

const columns: readonly Mutant[] = mutantsOf({
  'export.fields.extra-column': {
    defect: 'export_fields adds the column trace_id',
    requirements: ['export.fields.limit-columns'],
    exportPolicies: changeColumns((usual, { export_fields }) =>
      export_fields === null ? usual : [...usual, ...columnsOf(['trace_id']).filter(({ name }) => name === 'trace_id')],
    ),
  },
  'export.fields.of-previous': {
    defect: 'an export with export_fields has the columns of the previous one with export_fields',
    requirements: ['export.fields.limit-columns'],
    exportPolicies: exportPreviousFields,
  },
  'export.fields.of-previous-without-column': {
    defect: 'an export has the export_fields of the previous one, and without export_fields no column total_cost',
    requirements: ['export.fields.limit-columns', 'export.record.total_cost.column'],
    exportPolicies: (policies) =>
      exportPreviousFields({
        ...policies,
        columnsOf: (bulkExport) => {
          const usual = policies.columnsOf(bulkExport)
          return bulkExport.export_fields === null ? usual.filter(({ name }) => name !== 'total_cost') : usual
        },
      }),
  },
  'export.fields.outputs-with-inputs': {
    defect: 'export_fields with inputs also exports outputs',
    requirements: ['export.fields.limit-columns'],
    exportPolicies: changeColumns((usual, { export_fields }) => {
      const hasMore = export_fields?.includes('inputs') === true && !export_fields.includes('outputs')
      return hasMore ? [...usual, ...columnsOf(['outputs']).filter(({ name }) => name === 'outputs')] : usual
    }),
  },
  'export.fields.column-lost': {
    defect: 'the column status is missing although export_fields names it',
    requirements: ['export.fields.complete'],
    exportPolicies: changeColumns((usual, { export_fields }) =>
      export_fields === null ? usual : usual.filter(({ name }) => name !== 'status'),
    ),
  },
  'export.fields.column-without-values': {
    defect: 'exports with a filter and export_fields lack the column total_cost',
    requirements: ['export.fields.complete'],
    exportPolicies: changeColumns((usual, { export_fields, filter }) =>
      export_fields === null || filter === null ? usual : usual.filter(({ name }) => name !== 'total_cost'),
    ),
  },
  'export.fields.row-lost': {
    defect: 'exports with export_fields omit one of 32 rows',
    requirements: ['export.fields.same-runs'],
    alsoFails: {
      'export.filter.like.middle': 'the missing row may pass the filter',
      'export.filter.like.prefix': 'the missing row may pass the filter',
    },
    exportPolicies: changeRecords((record) => (isPicked(record) ? [] : [record]), isProjected),
  },
  'export.fields.distinct-rows': {
    defect: 'exports with export_fields contain equal rows once',
    requirements: ['export.fields.same-runs'],
    exportPolicies: (defaults) => {
      const seen = new Set<string>()
      return changeRecords((record, { id, export_fields }) => {
        const key = JSON.stringify([id, ...(export_fields ?? []).map((field) => Object(record)[field])])
        if (seen.has(key)) return []
        seen.add(key)
        return [record]
      }, isProjected)(defaults)
    },
  },
  'export.fields.window-ignored': {
    defect: 'exports with export_fields contain runs of later days',
    requirements: ['export.fields.same-runs'],
    alsoFails: {
      'export.run.per-date': 'the later days have no export run',
      'export.file.partition': 'the runs of later days are in the last partition of the window',
      'export.filter.eq.input_value': 'an export with this filter has export_fields',
      'export.filter.like.prefix': 'an export with this filter has export_fields',
      'export.filter.like.middle': 'an export with this filter has export_fields',
    },
    exportPolicies: changeRange(({ startMs, endMs }, bulkExport) => ({
      startMs,
      endMs: endMs + (isProjected(bulkExport) && endMs === bulkExport.end_time ? 86_400_000 : 0),
    })),
  },
  'export.fields.value-changed': {
    defect: 'exports with export_fields have a wrong status in one of 32 rows',
    requirements: ['export.fields.same-values', 'export.record.status.value'],
    exportPolicies: changeRecords(
      (record) => [isPicked(record) ? { ...record, status: 'unknown' } : record],
      isProjected,
    ),
  },
  'export.fields.larger': {
    defect: 'text values are padded in files without inputs',
    requirements: ['export.fields.smaller'],
    alsoFails: {
      'export.filter.like.middle': 'no padded name ends as the pattern does',
      'export.fields.same-values': 'names are padded',
      'export.record.name.value': 'names are padded',
    },
    exportPolicies: changeRecords(
      (record) => {
        const padding = Buffer.from(crypto.getRandomValues(new Uint8Array(3000))).toString('base64')
        return [{ ...record, name: `${record.name}${padding}` }]
      },
      ({ export_fields, source_bulk_export_id }) =>
        source_bulk_export_id === null && export_fields !== null && !export_fields.includes('inputs'),
    ),
  },
  'export.file.columns-drift': {
    defect: 'every second file lacks the column tags',
    requirements: ['export.file.columns-equal'],
    exportPolicies: changeFiles((format, even) =>
      even ? format : { ...format, columns: format.columns.filter(({ name }) => name !== 'tags') },
    ),
  },
  'export.file.types-drift': {
    defect: 'total_tokens is a floating-point number in every second file',
    requirements: ['export.file.types-equal'],
    exportPolicies: changeFiles((format, even) => ({
      ...format,
      columns: format.columns.map((column) =>
        column.name === 'total_tokens' && even ? { ...column, kind: 'double' } : column,
      ),
    })),
  },
  'export.file.csv': {
    defect: 'files are CSV instead of Parquet',
    requirements: ['export.file.parquet'],
    exportPolicies: ({ writeFile }) => ({
      writeFile: async (format, rows, sink) => {
        if (format.columns.length < columnsOf().length) return writeFile(format, rows, sink)
        let count = 0
        for await (const batch of rows) count += batch.length
        await sink.write(new TextEncoder().encode('id,name\n'))
        return { rows: count }
      },
    }),
  },
  'export.file.truncated': {
    defect: 'the last 20 bytes of every third file are missing',
    requirements: ['export.file.parquet'],
    exportPolicies: ({ writeFile }) => {
      let files = 0
      return {
        writeFile: async (format, rows, sink) => {
          if (++files % 3 > 0) return writeFile(format, rows, sink)
          const chunks: Uint8Array[] = []
          const result = await writeFile(format, rows, { write: async (bytes) => void chunks.push(bytes.slice()) })
          await sink.write(Buffer.concat(chunks).subarray(0, -20))
          return result
        },
      }
    },
  },
})

const places: readonly Mutant[] = [
  ...pathSegments.map(
    (segment): Mutant => ({
      id: `export.file.path.no-${segment}`,
      defect:
        segment === 'runs'
          ? 'the path has resource=runs instead of runs'
          : `the path has x-${segment}= instead of ${segment}=`,
      requirements: [`export.file.path.${segment}`],
      exportPolicies: ({ objectKey }) => ({
        objectKey: (...args) =>
          segment === 'runs'
            ? objectKey(...args).replace('/runs/', '/resource=runs/')
            : objectKey(...args).replace(`/${segment}=`, `/x-${segment}=`),
      }),
    }),
  ),
  ...mutantsOf({
    'export.file.path.further-segment': {
      defect: 'the path has bulk/ before export_id=',
      requirements: ['export.file.path.export_id'],
      exportPolicies: ({ objectKey }) => ({
        objectKey: (...args) => objectKey(...args).replace('/export_id=', '/bulk/export_id='),
      }),
    },
    'export.file.path.encoded': {
      defect: 'keys are encoded as in a URL',
      requirements: ['export.file.path.export_id'],
      alsoFails: {
        'export.file.prefix': 'a prefix contains a space',
        'export.destination.prefix.confines': 'a prefix contains a space',
      },
      exportPolicies: ({ objectKey }) => ({
        objectKey: (...args) => encodeURIComponent(objectKey(...args)).replaceAll('%2F', '/'),
      }),
    },
    'export.file.local-date': {
      defect: 'partitions use the date in a time zone two hours east of UTC',
      requirements: ['export.file.partition'],
      alsoFails: {
        'export.run.per-date': 'export runs have the other dates, too',
        'export.run.rows': 'a run contains rows of another date',
      },
      exportPolicies: changeMidnight(-2 * 3_600_000),
    },
    'export.file.midnight-before': {
      defect: 'a run that starts exactly at midnight is in the partition of the previous date',
      requirements: ['export.file.partition'],
      alsoFails: { 'export.run.rows': 'a run contains rows of another date' },
      exportPolicies: changeMidnight(1),
    },
    'export.file.border-twice': {
      defect: 'the end of the window of a scheduled export is inclusive',
      requirements: ['export.file.border'],
      exportPolicies: changeRange(({ startMs, endMs }, bulkExport) => ({
        startMs,
        endMs: bulkExport.source_bulk_export_id !== null && endMs === bulkExport.end_time ? endMs + 1 : endMs,
      })),
    },
    'export.file.border-lost': {
      defect: 'the start of the window of a scheduled export is exclusive',
      requirements: ['export.file.border-kept'],
      exportPolicies: changeRange(({ startMs, endMs }, bulkExport) => ({
        startMs:
          bulkExport.source_bulk_export_id !== null && startMs === bulkExport.start_time && startMs % day !== 0
            ? startMs + 1
            : startMs,
        endMs,
      })),
    },
  }),
]

export const fileMutants: readonly Mutant[] = [...records, ...columns, ...places]
