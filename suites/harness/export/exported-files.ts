import { Inconclusive, Stopped } from '../errors.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import type { BucketClient } from './bucket-client.ts'
import type { BucketPrefix } from './destination.ts'
import { type FilePath, namesExport, parsePath } from './file-path.ts'
import type { Column, ParquetContent, Row } from './parquet.ts'

/** One file of an export. */
export interface ExportedFile {
  readonly key: string
  readonly size: number
  readonly path: FilePath
  /** Undefined where the object is no Parquet file. */
  readonly content: ParquetContent | undefined
}

/** Files of an export that are read and kept, in bytes: far more than the scenarios need. */
const mostBytes = 64 * 2 ** 20

/**
 * The files of an export: everything under the prefix of its destination, which is its own, and everything elsewhere in
 * the bucket whose key tells its id. Empty objects, and what is left of the test file, are none.
 *
 * @throws Inconclusive where they are too large to be compared row by row, or where one of them cannot be read
 */
export async function filesOf(
  bucket: BucketClient,
  place: BucketPrefix & { readonly id: string },
): Promise<readonly ExportedFile[]> {
  const objects = await bucket.list(place.bucket)
  const own = objects.filter(({ key, size }) => size > 0 && (key.includes(place.prefix) || namesExport(key, place.id)))
  const bytes = own.reduce((sum, { size }) => sum + size, 0)
  if (bytes > mostBytes) {
    const why = `expected at most ${Math.round(mostBytes / 2 ** 20)} MiB of files to compare, received ${Math.round(bytes / 2 ** 20)} MiB in the export ${place.id}`
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
  return files.filter(({ key, content }) => content !== undefined || namesExport(key, place.id))
}

/** All rows of files, in order of the keys; one that is no Parquet has a row of the register of its own. */
export function rowsIn(files: readonly ExportedFile[]): readonly Row[] {
  const odd = files.find(({ content }) => content === undefined)
  if (odd !== undefined) throw new Stopped(`${odd.key} is not a Parquet file`, { requirement: 'export.file.parquet' })
  return rowsReadIn(files)
}

/** Whether a file has rows, or cannot be read and may have some. */
export function mayHoldRows({ content }: ExportedFile): boolean {
  return content === undefined || content.rows.length > 0
}

/** The rows of those files that are Parquet. */
export function rowsReadIn(files: readonly ExportedFile[]): readonly Row[] {
  return files.flatMap(({ content }) => content?.rows ?? [])
}

/** The names of the columns of files, those of the first file first. */
export function columnNames(files: readonly ExportedFile[]): readonly string[] {
  return [...new Set(files.flatMap(({ content }) => columnsOf(content).map(({ name }) => name)))]
}

function columnsOf(content: ParquetContent | undefined): readonly Column[] {
  return content?.columns ?? []
}
