import { namesExport } from '../../values/export/file-path.ts'
import { nestedFields } from '../../values/export/record-fields.ts'
import { hasEnded, isCancelled } from '../../values/export/statuses.ts'
import { textAt } from '../../values/json.ts'
import type { ExportContext } from './export-context.ts'
import type { RegisteredDestination } from './exports.ts'
import { cancellation } from './paths.ts'

/** Export that a scheduled export spawned. */
export interface SpawnedExport {
  readonly id: string
  readonly record: unknown
}

/**
 * Reads the exports that a scheduled export spawned: they show its id or its destination, or have files there. No other
 * export may have this destination.
 */
export async function spawnedBy(
  { exports, bucket }: Pick<ExportContext, 'exports' | 'bucket'>,
  id: string,
  place: RegisteredDestination,
): Promise<readonly SpawnedExport[]> {
  const list = await exports.list()
  // A key may start with the name of the bucket.
  const prefixes = [place.prefix, `${place.bucket}/${place.prefix}`]
  const objects = (await Promise.all(prefixes.map((prefix) => bucket.list(place.bucket, prefix)))).flat()
  const spawned: SpawnedExport[] = []
  for (const listed of list) {
    const spawnedId = textAt(listed, 'id')
    if (spawnedId === undefined || spawnedId === id) continue
    const isSource = textAt(listed, 'source_bulk_export_id') === id
    const showsDestination = nestedFields(listed).some(({ path, value }) => /dest/i.test(path) && value === place.id)
    if (isSource || showsDestination || objects.some(({ key }) => namesExport(key, spawnedId)))
      spawned.push({ id: spawnedId, record: await exports.get(spawnedId) })
  }
  return spawned
}

/**
 * Cancels the first of some spawned exports, then the scheduled export. Reads all of them after each cancellation. Returns the
 * id of the first one if it is cancelled.
 */
export async function cancelSeparately(
  { exports }: Pick<ExportContext, 'exports'>,
  id: string,
  spawned: readonly SpawnedExport[],
): Promise<string | undefined> {
  const readAll = async () => {
    for (const each of [id, ...spawned.map((record) => record.id)]) await exports.get(each)
  }
  const [first] = spawned
  let isAccepted = false
  if (first !== undefined) {
    isAccepted = (await exports.http.send(cancellation(first.id))).ok
    await readAll()
  }
  await exports.cancel(id)
  await exports.untilCancelled(id)
  await readAll()
  if (first === undefined || !isAccepted) return undefined
  const record = await exports.get(first.id)
  const isOver = isCancelled(record) || hasEnded(record, exports.statusWords)
  const status = isOver ? textAt(record, 'status') : await exports.untilCancelled(first.id)
  return status === 'Cancelled' ? first.id : undefined
}
