import type { ExportedFile } from '../../values/export/exported-file.ts'
import type { BucketPrefix } from '../../values/export/file-path.ts'
import { isDataFile, namesExport, parsePath } from '../../values/export/file-path.ts'
import { Inconclusive } from '../errors.ts'
import { mapConcurrently } from '../map-concurrently.ts'
import type { BucketClient } from './bucket-client.ts'

/** Maximum size of the files of an export, which are kept in memory, in bytes: far more than scenarios need. */
const maxBytes = 64 * 2 ** 20

/**
 * Reads the files of an export and of those that it spawned: all objects under the prefix of their destination, which no
 * other export has, and all objects elsewhere in the bucket whose key contains one of their ids. Empty objects, those
 * that are not data files, and remains of the test file are ignored.
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
      if (!isDataFile(object.key, undefined)) return []
      // The test file of a destination may be deleted at any time.
      const rest = await bucket.list(place.bucket, object.key)
      if (rest.some(({ key }) => key === object.key)) throw error
      return []
    }
  }
  const files = (await mapConcurrently(own, 8, read)).flat()
  return files.filter(({ key, content }) => isDataFile(key, content) && (content !== undefined || isNamed(key)))
}
