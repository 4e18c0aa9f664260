import { brotliDecompressSync } from 'node:zlib'
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet'
import { compressors as all, decompressLz4Raw } from 'hyparquet-compressors'
import { isObject } from '../../catalog/facts.ts'
import type { Column, ParquetContent, Row } from '../../values/export/parquet-content.ts'
import { parseJson } from '../../values/json.ts'
import { Inconclusive, messageOf } from '../errors.ts'

// The Brotli decoder of the library takes a millisecond or more per page; the one of Node is much faster.
const compressors = {
  ...all,
  BROTLI: (bytes: Uint8Array) => brotliDecompressSync(bytes),
  // The library rejects the block of an empty page, which a column without values has.
  LZ4_RAW: (bytes: Uint8Array, length: number) =>
    length === 0 ? bytes.subarray(0, 0) : decompressLz4Raw(bytes, length),
}

/**
 * Reads a file, one row group at a time; undefined if it is not a Parquet file.
 *
 * @throws Inconclusive if the bytes cannot be read, or if the file has a footer and its pages cannot be decoded: they may
 * be damaged, or use an encoding that the library lacks
 */
export async function readParquet(file: AsyncBuffer): Promise<ParquetContent | undefined> {
  const metadata = await parquetMetadataAsync(file).catch((error: unknown) => {
    if (error instanceof Inconclusive) throw error
  })
  if (metadata === undefined) return undefined
  // A `_metadata` file describes the rows of other files.
  const isIndex = metadata.row_groups.some(({ columns }) => columns.some(({ file_path }) => file_path))
  return { ...describe(metadata), rows: isIndex ? [] : await rowsOf(file, metadata) }
}

async function rowsOf(file: AsyncBuffer, metadata: FileMetaData): Promise<readonly Row[]> {
  const rows: Row[] = []
  const jsonColumns = new Set(columnsOf(metadata).flatMap(({ name, type }) => (type.endsWith(' JSON') ? [name] : [])))
  let rowStart = 0
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows)
    const group = await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors }).catch(
      (error: unknown) => {
        if (error instanceof Inconclusive) throw error
        throw new Inconclusive(
          `hyparquet can read its footer but not its rows: ${messageOf(error)}`,
          'write files that hyparquet can read',
        )
      },
    )
    for (const row of group) rows.push(toRow(row, jsonColumns))
    rowStart = rowEnd
  }
  return rows
}

function describe(metadata: FileMetaData): Omit<ParquetContent, 'rows'> {
  const chunks = metadata.row_groups.flatMap(({ columns }) => columns)
  return {
    columns: columnsOf(metadata),
    compression: [...new Set(chunks.map(({ meta_data }) => meta_data?.codec ?? 'unknown'))],
    rowGroups: metadata.row_groups.map(({ num_rows }) => Number(num_rows)),
    metadata: JSON.stringify(metadata.key_value_metadata ?? []),
  }
}

function columnsOf(metadata: FileMetaData): readonly Column[] {
  return parquetSchema(metadata).children.map(({ element }) => {
    const { name, type, converted_type, logical_type } = element
    const types = [type, logical_type?.type ?? converted_type].filter((each) => each !== undefined)
    return { name, type: types.join(' ') || 'group' }
  })
}

function toRow(row: Row, jsonColumns: ReadonlySet<string>): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const json = toJson(value)
      // The reader has decoded a JSON column. If that yields a text with an object, the service encoded the object twice.
      if (jsonColumns.has(name) && typeof json === 'string' && isObject(parseJson(json)))
        return [name, JSON.stringify(json)]
      return [name, isIdName.test(name) && typeof json === 'string' && isUuid.test(json) ? usualUuid(json) : json]
    }),
  )
}

const isIdName = /(^|_)id$/
const isUuid = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$/i

/** Text of bytes: 16 bytes are a UUID, all others UTF-8. */
function textOf(bytes: Uint8Array): string {
  if (bytes.length !== 16) return new TextDecoder().decode(bytes)
  return usualUuid(Buffer.from(bytes).toString('hex'))
}

/** Writes the 32 digits of a UUID in lower case, with dashes. */
function usualUuid(digits: string): string {
  return digits
    .replaceAll('-', '')
    .toLowerCase()
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Converts a value to JSON. Large integers lose precision, which no comparison needs. */
function toJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint8Array) return textOf(value)
  if (Array.isArray(value)) return value.map(toJson)
  if (!isObject(value) || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toJson(inner)]))
}
