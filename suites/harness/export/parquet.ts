import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

/** One exported row; times are Date objects. */
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

/** Reads a file row group by row group; undefined where it is no Parquet. */
export async function readParquet(file: AsyncBuffer): Promise<ParquetContent | undefined> {
  const metadata = await parquetMetadataAsync(file).catch(() => undefined)
  if (metadata === undefined) return undefined
  const rows: Row[] = []
  let rowStart = 0
  for (const { num_rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows)
    for (const row of await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors })) rows.push(plain(row))
    rowStart = rowEnd
  }
  const chunks = metadata.row_groups.flatMap(({ columns }) => columns)
  return {
    columns: columnsOf(metadata),
    rows,
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

/** JSON knows no bigint, and what is compared here is small. */
function plain(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  )
}
