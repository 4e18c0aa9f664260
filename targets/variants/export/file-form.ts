import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import type { TraceRecord } from '../../../fixtures/traces/record.ts'
import type { Column } from '../../../mock-server/export/files/columns.ts'
import type { ExportPolicies } from '../../../mock-server/export/policies.ts'
import { fileEncoderPolicies } from './file-encoder.ts'
import { type Cell, cells, encodeParquet } from './parquet-encoder.ts'

/** The form of the files of a partition. */
export interface FileForm {
  /** The type of a column and the form of its values. */
  readonly cellOf: (column: Column) => Cell
  readonly codec: 'UNCOMPRESSED' | 'SNAPPY' | 'GZIP' | 'BROTLI' | 'ZSTD' | 'LZ4_RAW'
  /** The most rows of a row group. */
  readonly rowGroupSize: number
  /** The most bytes of a dictionary; 0: none. */
  readonly dictionarySize: number
  /** The number of files. */
  readonly files: number
  readonly keyOf: (usual: string, n: number) => string
  /** Keys of objects next to the files: an object in JSON if the key ends with `.json`, otherwise an empty one. */
  readonly markers: (usual: string) => readonly string[]
  /** Keys of Parquet files without rows next to the files. */
  readonly metadata: (usual: string) => readonly string[]
  readonly order: (rows: readonly TraceRecord[]) => readonly TraceRecord[]
  readonly orderColumns: (columns: readonly Column[]) => readonly Column[]
}

const compressors = {
  BROTLI: (bytes: Uint8Array) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  GZIP: (bytes: Uint8Array) => gzipSync(bytes, { level: 1 }),
  ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes),
  LZ4_RAW: toLiterals,
}

/** Returns the policies of an export API that writes files of a form; by default with the usual types. */
export function filePolicies(form: Partial<FileForm>): Partial<ExportPolicies> {
  const { cellOf = usual, codec = 'SNAPPY', rowGroupSize, dictionarySize, files = 1, keyOf } = form
  const { markers = () => [], metadata = () => [], order = (rows) => rows, orderColumns = (columns) => columns } = form
  const options = {
    codec,
    compressors,
    ...(rowGroupSize !== undefined && { rowGroupSize }),
    ...(dictionarySize !== undefined && { dictionarySize }),
  }
  return fileEncoderPolicies({
    encode: async (columns, rows) =>
      inParts(order(rows), files).map((part) => encodeParquet(orderColumns(columns), part, cellOf, options)),
    ...(keyOf !== undefined && { keyOf }),
    further: (key) => ({
      ...Object.fromEntries(markers(key).map((each) => [each, Buffer.from(each.endsWith('.json') ? '{}' : '')])),
      ...Object.fromEntries(metadata(key).map((each) => [each, withoutRows])),
    }),
  })
}

/** A file with another column than the files of exports. */
const withoutRows = encodeParquet([{ name: 'id', kind: 'text' }], [], () => cells.string)

const usualCells = {
  text: 'string',
  word: 'string',
  json: 'json',
  time: 'millis',
  int: 'double',
  double: 'double',
  boolean: 'flag',
} as const

function usual({ kind }: Column): Cell {
  return cells[usualCells[kind]]
}

function inParts(rows: readonly TraceRecord[], count: number): readonly (readonly TraceRecord[])[] {
  const size = Math.ceil(rows.length / count)
  return Array.from({ length: count }, (_, n) => rows.slice(n * size, (n + 1) * size)).filter(
    ({ length }) => length > 0,
  )
}

/** Returns an LZ4 block with one sequence of literals. */
function toLiterals(bytes: Uint8Array): Uint8Array {
  const more = bytes.length - 15
  const lengths = more < 0 ? [] : [...Array.from({ length: Math.floor(more / 255) }, () => 255), more % 255]
  return Uint8Array.from([Math.min(bytes.length, 15) << 4, ...lengths, ...bytes])
}
