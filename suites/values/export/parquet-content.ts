/** Exported row. Times are `Date` objects, UUIDs are in lower case with dashes, and integers of any size are numbers. */
export type Row = Readonly<Record<string, unknown>>

/** Content of a Parquet file. */
export interface ParquetContent {
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  /** Codecs. */
  readonly compression: readonly string[]
  /** Number of rows of each row group. */
  readonly rowGroups: readonly number[]
  /** Keys and values in the footer. */
  readonly metadata: string
}

/** Column with its physical and logical type. */
export interface Column {
  readonly name: string
  readonly type: string
}
