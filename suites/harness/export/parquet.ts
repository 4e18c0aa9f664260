import { brotliDecompressSync } from 'node:zlib'
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet'
import { compressors as all, decompressLz4Raw } from 'hyparquet-compressors'
import { isObject } from '../../catalog/facts.ts'
import { Inconclusive } from '../errors.ts'

/** One exported row: times are Date objects, ids that are UUIDs in the usual spelling, whole numbers of any size numbers. */
export type Row = Readonly<Record<string, unknown>>

/** What a Parquet file holds. */
export interface ParquetContent {
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly compression: readonly string[]
  /** Rows of each row group. */
  readonly rowGroups: readonly number[]
}

/** A column and the words for its type. */
export interface Column {
  readonly name: string
  readonly type: string
}

// The library takes a millisecond or more for each page of brotli, zlib almost none.
const compressors = {
  ...all,
  BROTLI: (bytes: Uint8Array) => brotliDecompressSync(bytes),
  // The library rejects the block of an empty page, which a column without values has.
  LZ4_RAW: (bytes: Uint8Array, length: number) =>
    length === 0 ? bytes.subarray(0, 0) : decompressLz4Raw(bytes, length),
}

/**
 * Reads a file row group by row group; undefined where it is no Parquet.
 *
 * @throws Inconclusive where its bytes cannot be had, or where it has a footer and pages that cannot be read: these may be
 * damaged, or written in a way that is not known here
 */
export async function readParquet(file: AsyncBuffer): Promise<ParquetContent | undefined> {
  const metadata = await parquetMetadataAsync(file).catch((error: unknown) => {
    if (error instanceof Inconclusive) throw error
  })
  if (metadata === undefined) return undefined
  return { ...describe(metadata), rows: await rowsOf(file, metadata) }
}

async function rowsOf(file: AsyncBuffer, metadata: FileMetaData): Promise<readonly Row[]> {
  const rows: Row[] = []
  let rowStart = 0
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows)
    const group = await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors }).catch(
      (error: unknown) => {
        if (error instanceof Inconclusive) throw error
        const why = error instanceof Error ? error.message : String(error)
        throw new Inconclusive(
          `hyparquet can read its footer but not its rows: ${why}`,
          'write files that hyparquet can read',
        )
      },
    )
    for (const row of group) rows.push(plain(row))
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
  }
}

function columnsOf(metadata: FileMetaData): readonly Column[] {
  return parquetSchema(metadata).children.map(({ element }) => {
    const { name, type, converted_type, logical_type } = element
    const words = [type, logical_type?.type ?? converted_type].filter((word) => word !== undefined)
    return { name, type: words.join(' ') || 'group' }
  })
}

function plain(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const told = plainIn(value)
      return [name, isIdName.test(name) && typeof told === 'string' && isUuid.test(told) ? told.toLowerCase() : told]
    }),
  )
}

const isIdName = /(^|_)id$/
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Bytes of a fixed length: those of a UUID, else of a text. */
function textOf(bytes: Uint8Array): string {
  if (bytes.length !== 16) return new TextDecoder().decode(bytes)
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** JSON knows no bigint, and what is compared here is small. */
function plainIn(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint8Array) return textOf(value)
  if (Array.isArray(value)) return value.map(plainIn)
  if (!isObject(value) || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainIn(inner)]))
}
