import { isAccount } from '../../fixtures/bucket/bucket.ts'
import { Inconclusive } from '../harness/errors.ts'
import { base } from '../harness/export/base.ts'
import { exportsAs } from '../harness/export/export-context.ts'
import type { Exports } from '../harness/export/exports.ts'
import { leavesOf } from '../harness/export/found.ts'
import type { Lasting, LastingBucket, LastingSchedule } from '../harness/export/lasting.ts'
import { hasEnded } from '../harness/export/statuses.ts'
import { at, show, textAt } from '../harness/json.ts'
import { mapAsync } from '../harness/map-async.ts'
import { createRecorder } from '../harness/recorder.ts'
import { openSession, type Session, type TargetManifest } from '../harness/session.ts'

/** What became of something that lived on. */
export interface EndedLasting {
  readonly lasting: Lasting
  /** `ended`: it was there and is no more; `over`: it was not there any more, or had ended before; `alive`: it could not be ended. */
  readonly outcome: 'ended' | 'over' | 'alive'
  /** Why it could not be ended. */
  readonly why?: string
}

/** Requests under way at the same time. */
const sideBySide = 4

/** Ends what checks made that lives on by itself: cancels schedules, then removes buckets. Never throws. */
export async function endLasting(
  manifest: TargetManifest,
  lasting: readonly Lasting[],
): Promise<readonly EndedLasting[]> {
  const schedules = lasting.filter((one) => one.kind === 'schedule')
  const sessions = new Map<string, Session>()
  const sessionOf = (endpoint: string): Session => {
    const open = sessions.get(endpoint) ?? openSession(manifest, endpoint, '')
    sessions.set(endpoint, open)
    return open
  }
  const cancelled = await mapAsync(schedules, sideBySide, (one) =>
    attempt(one, () => cancel(sessionOf(one.endpoint), one)),
  )
  await Promise.all([...sessions.values()].map((session) => session.close()))
  const removed: EndedLasting[] = []
  for (const one of lasting) if (one.kind === 'bucket') removed.push(await attempt(one, () => remove(manifest, one)))
  return [...cancelled, ...removed]
}

/** What could not be ended. */
export function aliveIn(ended: readonly EndedLasting[]): readonly Lasting[] {
  return ended.filter(({ outcome }) => outcome === 'alive').map(({ lasting }) => lasting)
}

async function attempt(lasting: Lasting, end: () => Promise<'ended' | 'over'>): Promise<EndedLasting> {
  try {
    return { lasting, outcome: await end() }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const unlock = error instanceof Inconclusive ? `; needed: ${error.unlock}` : ''
    return { lasting, outcome: 'alive', why: `${why}${unlock}` }
  }
}

async function cancel(session: Session, schedule: LastingSchedule): Promise<'ended' | 'over'> {
  const declared = session.endpoint.export
  if (declared === undefined) throw new Error(`the endpoint "${schedule.endpoint}" is none of the bulk export API`)
  const exports = exportsAs(session, declared, schedule.caller, createRecorder(session.secrets))
  if (schedule.id !== undefined) return cancelOne(exports, schedule.id)
  const { destination } = schedule
  const own = (await exports.list()).filter(
    (one) => destination !== undefined && leavesOf(one).some(({ value }) => value === destination),
  )
  const outcomes = await mapAsync(own, sideBySide, (one) => cancelOne(exports, textAt(one, 'id') ?? ''))
  return outcomes.includes('ended') ? 'ended' : 'over'
}

async function cancelOne({ http }: Exports, id: string): Promise<'ended' | 'over'> {
  const path = `${base}/${id}`
  const before = await http.send({ method: 'GET', path })
  if (before.status === 404 || before.status === 410 || (before.ok && hasEnded(before.json))) return 'over'
  const answer = await http.send({ method: 'PATCH', path, body: { status: 'Cancelled' } })
  if (!answer.ok) throw new Error(`its cancellation was answered ${answer.status} ${show(answer.text, 200)}`)
  const after = await http.send({ method: 'GET', path })
  if (!after.ok || hasEnded(after.json)) return 'ended'
  throw new Error(`its status is ${show(at(after.json, 'status'))} after a cancellation that was accepted`)
}

async function remove({ bucket: store }: TargetManifest, { name }: LastingBucket): Promise<'ended' | 'over'> {
  const needed = 'the settings TOUCHSTONE_S3_* of the store that it lies in'
  if (store === undefined) throw new Inconclusive('no store was opened', needed)
  if (!isAccount(store.accounts.root)) throw new Inconclusive('the store has no account "root"', needed)
  const { bucketClient } = await import('../../fixtures/bucket/client.ts')
  const { removeBucket } = await import('../../fixtures/bucket/administer.ts')
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
