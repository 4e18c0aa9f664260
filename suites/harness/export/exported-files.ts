import { Inconclusive } from '../errors.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import type { BucketClient } from './bucket-client.ts'
import type { BucketPrefix } from './destination.ts'
import { type FilePath, namesExport, parsePath } from './file-path.ts'
import type { ParquetContent, Row } from './parquet.ts'
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

/** Maximum size of the files of an export, which are kept in memory, in bytes: far more than scenarios need. */
const maxBytes = 64 * 2 ** 20

/**
 * Reads the files of an export and of those that it spawned: all objects under the prefix of their destination, which no
 * other export has, and all objects elsewhere in the bucket whose key contains one of their ids. Empty objects and remains
 * of the test file are ignored.
 *
 * @throws Inconclusive if the files are too large, or one of them cannot be read
 */
export async function filesOf(
  bucket: BucketClient,
  place: BucketPrefix,
  ids: readonly string[],
): Promise<readonly ExportedFile[]> {
  const isNamed = (key: string) => ids.some((id) => namesExport(key, id))
  const objects = await bucket.list(place.bucket)
  const own = objects.filter(({ key, size }) => size > 0 && (key.includes(place.prefix) || isNamed(key)))
  const bytes = own.reduce((sum, { size }) => sum + size, 0)
  if (bytes > maxBytes) {
    const why = `expected at most ${Math.round(maxBytes / 2 ** 20)} MiB of files to compare, received ${Math.round(bytes / 2 ** 20)} MiB in the export ${ids[0]}`
    throw new Inconclusive(why, 'shorten export.window of the endpoint (or --window START/END)')
  }
  const read = async (object: (typeof own)[number]): Promise<readonly ExportedFile[]> => {
    try {
      const content = await bucket.read(place.bucket, object)
      return [{ ...object, path: parsePath(object.key, place), content }]
    } catch (error) {
      // The test file of a destination may be deleted at any time.
      const rest = await bucket.list(place.bucket, object.key)
      if (rest.some(({ key }) => key === object.key)) throw error
      return []
    }
  }
  const files = (await mapConcurrently(own, 8, read)).flat()
  return files.filter(({ key, content }) => content !== undefined || isNamed(key))
}

/** Rows of the files that are Parquet, in the order of their keys. */
export function rowsIn(files: readonly ExportedFile[]): readonly Row[] {
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
