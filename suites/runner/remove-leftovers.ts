import { isAccount } from '../../fixtures/bucket/bucket.ts'
import { Inconclusive, messageOf } from '../harness/errors.ts'
import { exportsOf } from '../harness/export/export-context.ts'
import type { Exports } from '../harness/export/exports.ts'
import type { Leftover, LeftoverBucket, LeftoverSchedule } from '../harness/export/leftovers.ts'
import { cancellation, exportsPath } from '../harness/export/paths.ts'
import { mapConcurrently } from '../harness/map-concurrently.ts'
import { openSession, type Session, type TargetManifest } from '../harness/session.ts'
import { nestedFields } from '../values/export/record-fields.ts'
import { hasEnded } from '../values/export/statuses.ts'
import { at, show, textAt } from '../values/json.ts'

/** Result of removing a leftover resource. */
export interface RemovedLeftover {
  readonly leftover: Leftover
  /** `ended`: removed now; `over`: removed or ended before; `alive`: could not be removed. */
  readonly outcome: 'ended' | 'over' | 'alive'
  /** Why it could not be removed. */
  readonly why?: string
}

/** Maximum number of concurrent requests. */
const concurrency = 4

/** Removes leftover resources: cancels scheduled exports, then deletes buckets. Never throws. */
export async function removeLeftovers(
  manifest: TargetManifest,
  leftovers: readonly Leftover[],
): Promise<readonly RemovedLeftover[]> {
  const schedules = leftovers.filter((leftover) => leftover.kind === 'schedule')
  const sessions = new Map<string, Session>()
  const sessionOf = (endpoint: string): Session => {
    const open = sessions.get(endpoint) ?? openSession(manifest, endpoint, '')
    sessions.set(endpoint, open)
    return open
  }
  const cancelled = await mapConcurrently(schedules, concurrency, (leftover) =>
    attempt(leftover, () => cancel(sessionOf(leftover.endpoint), leftover)),
  )
  await Promise.all([...sessions.values()].map((session) => session.close()))
  const removed: RemovedLeftover[] = []
  for (const leftover of leftovers)
    if (leftover.kind === 'bucket') removed.push(await attempt(leftover, () => remove(manifest, leftover)))
  return [...cancelled, ...removed]
}

/** Returns the resources that could not be removed. */
export function leftIn(ended: readonly RemovedLeftover[]): readonly Leftover[] {
  return ended.filter(({ outcome }) => outcome === 'alive').map(({ leftover }) => leftover)
}

async function attempt(leftover: Leftover, end: () => Promise<'ended' | 'over'>): Promise<RemovedLeftover> {
  try {
    return { leftover, outcome: await end() }
  } catch (error) {
    const remedy = error instanceof Inconclusive ? `; ${error.unlock}` : ''
    return { leftover, outcome: 'alive', why: `${messageOf(error)}${remedy}` }
  }
}

async function cancel(session: Session, schedule: LeftoverSchedule): Promise<'ended' | 'over'> {
  if (session.endpoint.export === undefined)
    throw new Error(
      `expected "${schedule.endpoint}" to be an endpoint of the bulk export API, received one of the deployment API`,
    )
  const exports = exportsOf(session, schedule.caller)
  if (schedule.id !== undefined) return cancelOne(exports, schedule.id)
  const { destination } = schedule
  const own = (await exports.list()).filter(
    (record) => destination !== undefined && nestedFields(record).some(({ value }) => value === destination),
  )
  const outcomes = await mapConcurrently(own, concurrency, (record) => cancelOne(exports, textAt(record, 'id') ?? ''))
  return outcomes.includes('ended') ? 'ended' : 'over'
}

async function cancelOne({ http, statusWords }: Exports, id: string): Promise<'ended' | 'over'> {
  const path = `${exportsPath}/${id}`
  const before = await http.send({ method: 'GET', path })
  if (before.status === 404 || before.status === 410 || (before.ok && hasEnded(before.json, statusWords))) return 'over'
  const response = await http.send(cancellation(id))
  if (!response.ok)
    throw new Error(
      `expected a 2xx response to its cancellation, received ${response.status} ${show(response.text, 200)}`,
    )
  const after = await http.send({ method: 'GET', path })
  if (!after.ok || hasEnded(after.json, statusWords)) return 'ended'
  throw new Error(
    `expected the status "Cancelled" after an accepted cancellation, received ${show(at(after.json, 'status'))}`,
  )
}

async function remove({ bucket: store }: TargetManifest, { name }: LeftoverBucket): Promise<'ended' | 'over'> {
  const unlock = 'set TOUCHSTONE_S3_* to the store that contains the bucket'
  if (store === undefined) throw new Inconclusive('no store is configured', unlock)
  if (!isAccount(store.accounts.root)) throw new Inconclusive('the store has no account "root"', unlock)
  const { bucketClient, removeBucket } = await import('../../fixtures/bucket/client.ts')
  const client = bucketClient(store, 'root')
  try {
    await removeBucket(client, name)
    return 'ended'
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchBucket') return 'over'
    throw error
  } finally {
    client.destroy()
  }
}
