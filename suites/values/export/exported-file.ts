import type { FilePath } from './file-path.ts'
import type { ParquetContent, Row } from './parquet-content.ts'
import { reportsRows } from './record-fields.ts'

/** File of an export. */
export interface ExportedFile {
  readonly key: string
  /** Bytes. */
  readonly size: number
  readonly path: FilePath
  /** Undefined if the object is not a Parquet file. */
  readonly content: ParquetContent | undefined
  /** The first characters of an object that is not a Parquet file, if they are known. */
  readonly start?: string | undefined
}

/** Whether all files can be read. Others may contain what seems to be missing, and fail a requirement of their own. */
export function areReadable(files: readonly ExportedFile[]): boolean {
  return files.every(({ content }) => content !== undefined)
}

/** Rows of the files that are Parquet, in the order of their keys. */
export function rowsIn(
  files: readonly { readonly content: Pick<ParquetContent, 'rows'> | undefined }[],
): readonly Row[] {
  return files.flatMap(({ content }) => content?.rows ?? [])
}

/** Whether an export contains rows, or may contain rows that cannot be read. */
export function mayContainRows({
  files,
  runs = [],
}: {
  readonly files: readonly ExportedFile[]
  readonly runs?: readonly unknown[]
}): boolean {
  return files.some(({ content }) => content === undefined || content.rows.length > 0) || runs.some(reportsRows)
}

/** Names of the columns of files, those of the first file first. */
export function columnNames(files: readonly ExportedFile[]): readonly string[] {
  return [...new Set(files.flatMap(({ content }) => (content?.columns ?? []).map(({ name }) => name)))]
}
