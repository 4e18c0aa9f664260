import { at, textAt } from '../json.ts'
import { poll } from '../waiting.ts'
import type { Registered } from './destination.ts'
import type { ExportContext } from './export-context.ts'
import { tellsExport } from './file-path.ts'
import { leavesOf } from './found.ts'
import { hasEnded } from './statuses.ts'
import type { Cancelled } from './watched.ts'

type Stage = Pick<ExportContext, 'exports' | 'bucket'>

/** An export that a schedule spawned, as the service tells it. */
export interface ToldExport {
  readonly id: string
  readonly listed: unknown
  readonly alone: unknown
}

/**
 * The exports that carry the id of a schedule, tell its destination, which no other export has, or whose files lie there.
 */
export async function spawnedBy(
  { exports, bucket }: Stage,
  id: string,
  place: Registered,
): Promise<readonly ToldExport[]> {
  const [list, objects] = [await exports.list(), await bucket.list(place.bucket, place.prefix)]
  const found: ToldExport[] = []
  for (const listed of list) {
    const own = textAt(listed, 'id')
    if (own === undefined || own === id) continue
    const source = textAt(listed, 'source_bulk_export_id') === id
    const there = leavesOf(listed).some(({ path, value }) => /dest/i.test(path) && value === place.id)
    if (source || there || objects.some(({ key }) => tellsExport(key, own))) {
      found.push({ id: own, listed, alone: await exports.get(own) })
    }
  }
  return found
}

/** Cancels the first of some spawned exports alone, then their schedule. */
export async function cancelApart(
  { exports, session }: Pick<ExportContext, 'exports' | 'session'>,
  id: string,
  [first, ...others]: readonly ToldExport[],
): Promise<Pick<Cancelled, 'alone' | 'statuses' | 'answers'>> {
  const status = async (of: string) => at(await exports.get(of), 'status')
  const statuses = () => Promise.all(others.map((one) => status(one.id)))
  // That an export that has ended can be cancelled is advised only.
  const ended = first === undefined || hasEnded(await exports.get(first.id))
  const path = `/api/v1/bulk-exports/${first?.id}`
  const answer = await exports.http.send({ method: 'PATCH', path, body: { status: 'Cancelled' } })
  const alone = { refused: !answer.ok && !ended, others: await statuses(), schedule: await status(id) }
  const schedule = await exports.cancel(id)
  // A cancellation may take effect a moment after its answer; what becomes of it is told by the status.
  await poll(session, async () => ((await status(id)) === 'Cancelled' ? true : undefined))
  return { alone, statuses: await statuses(), answers: { alone: answer, schedule } }
}
