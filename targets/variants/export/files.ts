import { COLUMNS, type Column } from '../../../mock-server/export/files/columns.ts'
import { type Choice, choicesOf } from '../choice.ts'
import { type Cell, cells } from './parquet-encoder.ts'

const legal = 'export.record.types, export.file.*: the specification names the format Parquet, the fields and the path'

/** Exported files. */
export const fileChoices: readonly Choice[] = choicesOf('export', {
  'export.file.types': {
    description: 'The Parquet types of columns.',
    legal,
    values: {
      narrow: { files: { cellOf: typed('uuid', 'json', 'millis', 'int32', 'float', 'flag') } },
      exact: { files: { cellOf: typed('rawUuid', 'jsonText', 'nanos', 'unsigned', 'decimal', 'flag') } },
      text: { files: { cellOf: typed('upper', 'jsonBytes', 'shortOffset', 'bytes', 'bytes', 'bytes') } },
      numbers: { files: { cellOf: numbers } },
      digits: { files: { cellOf: typed('digits', 'json', 'millis', 'int32', 'double', 'flag') } },
    },
  },
  'export.file.codec': {
    description: 'The compression of pages.',
    legal,
    values: {
      uncompressed: { files: { codec: 'UNCOMPRESSED' } },
      brotli: { files: { codec: 'BROTLI' } },
      zstd: { files: { codec: 'ZSTD' } },
      lz4: { files: { codec: 'LZ4_RAW' } },
    },
  },
  'export.file.pages': {
    description: 'Row groups and dictionaries.',
    legal,
    values: {
      'small-row-groups': { files: { rowGroupSize: 7 } },
      'no-dictionaries': { files: { dictionarySize: 0 } },
    },
  },
  'export.file.rows': {
    description: 'The order of rows and columns.',
    legal,
    values: {
      reversed: { files: { order: (rows) => rows.toReversed(), orderColumns: (columns) => columns.toReversed() } },
      'by-name': {
        files: {
          order: (rows) => rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
          orderColumns: (columns) => columns.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
        },
      },
    },
  },
  'export.file.names': {
    description: 'The number and the names of the files of a date.',
    legal: 'Ruling 22: file names are free',
    values: {
      several: { files: { files: 3, keyOf: (usual, n) => usual.replace('.parquet', `-part-${n}.snappy.parquet`) } },
      folders: { files: { files: 2, keyOf: (usual, n) => usual.replace(/[^/]*$/, `part=${n}/$&`) } },
      'no-extension': { files: { keyOf: (usual) => usual.replace('.parquet', '') } },
      'hidden-names': { files: { keyOf: (usual) => usual.replace(/[^/]*$/, '_$&') } },
      markers: {
        files: { markers: (usual) => ['', '_SUCCESS', '.hidden.crc'].map((name) => usual.replace(/[^/]*$/, name)) },
      },
      manifest: {
        files: { markers: (usual) => [usual.replace(/tenant_id=.*/, 'manifest.json')] },
      },
      metadata: {
        files: { metadata: (usual) => ['_metadata', '_common_metadata'].map((name) => usual.replace(/[^/]*$/, name)) },
      },
    },
  },
  'export.file.padding': {
    description: 'The form of months and days in the path.',
    legal: 'export.file.padding: not shown (ruling 22)',
    values: {
      none: {
        exportPolicies: ({ objectKey }) => ({
          objectKey: (...args) => objectKey(...args).replace(/(?<=\/(month|day)=)0/g, ''),
        }),
      },
    },
  },
  'export.file.bucket-name': {
    description: 'Whether keys start with the name of the bucket.',
    legal: 'Ruling 22: a key that repeats the name of the bucket first is tolerated',
    values: {
      repeated: {
        exportPolicies: ({ objectKey }) => ({
          objectKey: (config, ...of) => `${config.bucket_name}/${objectKey(config, ...of)}`,
        }),
      },
    },
  },
  'export.file.columns': {
    description: 'Which columns an export with `export_fields` has.',
    legal: 'Ruling 21: `tenant_id`, `is_root` and the partition columns are tolerated',
    values: {
      'requested-only': {
        exportPolicies: ({ columnsOf }) => ({
          // An old version that ignores the field exports all columns.
          columnsOf: (bulkExport) => {
            const columns = columnsOf(bulkExport)
            if (columns.length === COLUMNS.length) return columns
            return columns.filter(({ name }) => bulkExport.export_fields?.includes(name) ?? true)
          },
        }),
      },
    },
  },
})

type CellName = keyof typeof cells

/** Numbers without a type that says what they are: the form of times is not the same in all columns. */
function numbers(column: Column): Cell {
  if (column.name === 'end_time') return cells.seconds
  return typed('fixedText', 'variant', 'bareNanos', 'double', 'double', 'bit')(column)
}

function typed(id: CellName, json: CellName, time: CellName, int: CellName, double: CellName, boolean: CellName) {
  const text = ['text', 'bytes'].includes(int) ? 'bytes' : 'string'
  const names = { text, word: text, json, time, int, double, boolean } as const
  return ({ name, kind }: Column): Cell => cells[isId(name) ? id : names[kind]]
}

function isId(name: Column['name']): boolean {
  return ['id', 'tenant_id', 'session_id', 'trace_id', 'parent_run_id', 'reference_example_id'].includes(name)
}
