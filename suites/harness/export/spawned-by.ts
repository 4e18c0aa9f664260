import { textAt } from '../json.ts'
import type { RegisteredDestination } from './destination.ts'
import type { ExportContext } from './export-context.ts'
import { namesExport } from './file-path.ts'
import { exportsPath } from './paths.ts'
import { nestedFields } from './record-fields.ts'

/** An export that a schedule spawned, as a read of it shows it. */
interface SpawnedExport {
  readonly id: string
  readonly record: unknown
}

/** Reads the exports that show the id of a schedule or its destination, which no other export has, or whose files are there. */
export async function spawnedBy(
  { exports, bucket }: Pick<ExportContext, 'exports' | 'bucket'>,
  id: string,
  place: RegisteredDestination,
): Promise<readonly SpawnedExport[]> {
  const [list, objects] = [await exports.list(), await bucket.list(place.bucket, place.prefix)]
  const found: SpawnedExport[] = []
  for (const listed of list) {
    const own = textAt(listed, 'id')
    if (own === undefined || own === id) continue
    const isSource = textAt(listed, 'source_bulk_export_id') === id
    const isThere = nestedFields(listed).some(({ path, value }) => /dest/i.test(path) && value === place.id)
    if (isSource || isThere || objects.some(({ key }) => namesExport(key, own)))
      found.push({ id: own, record: await exports.get(own) })
  }
  return found
}

/** Cancels the first of some spawned exports alone, then their schedule, and reads all of them after each. */
export async function cancelSeparately(
  { exports }: Pick<ExportContext, 'exports'>,
  id: string,
  spawned: readonly SpawnedExport[],
): Promise<void> {
  const readAll = async () => {
    for (const each of [id, ...spawned.map((one) => one.id)]) await exports.get(each)
  }
  const [first] = spawned
  if (first !== undefined) {
    const path = `${exportsPath}/${first.id}`
    await exports.http.send({ method: 'PATCH', path, body: { status: 'Cancelled' } })
    await readAll()
  }
  await exports.cancel(id)
  // A cancellation may take effect a moment after its response.
  await exports.untilCancelled(id)
  await readAll()
}
