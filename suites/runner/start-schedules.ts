import { Inconclusive, NoResponse, Stopped } from '../harness/errors.ts'
import { bucketClient } from '../harness/export/bucket-client.ts'
import { driverOf } from '../harness/export/driver.ts'
import { exportsOf } from '../harness/export/export-context.ts'
import { lackOf } from '../harness/export/features.ts'
import type { Leftover } from '../harness/export/leftovers.ts'
import { createResourceTracker } from '../harness/export/resource-tracker.ts'
import { serviceNow } from '../harness/export/service-clock.ts'
import { spawnedBy } from '../harness/export/spawned-by.ts'
import type { StartedSchedule, StartedSchedules } from '../harness/export/started-schedules.ts'
import { iso } from '../harness/export/times.ts'
import type { ExportDeclaration, TargetEndpoint } from '../harness/manifest.ts'
import { createSharedState, openSession, type Session, type TargetManifest } from '../harness/session.ts'
import { preflightExports } from './preflight-exports.ts'
import { leftIn, removeLeftovers } from './remove-leftovers.ts'
import type { WaitingListener } from './until-ready.ts'
import { UsageError } from './usage-error.ts'

/** Scheduled exports of --phase start, by endpoint. */
export type StartedByEndpoint = Readonly<Record<string, StartedSchedules>>

/** Called with the leftover resources each time they change. */
type LivingListener = (leftovers: readonly Leftover[]) => void

const minute = 60_000
const hour = 60 * minute
/** How long before its launch the first window of the schedule ahead began: it is due in twenty minutes. */
const aheadMs = 50 * minute
/** The same of the schedule with a past: two of its windows are over and due. */
const pastMs = 2 * hour + aheadMs

/**
 * Creates on every endpoint of the bulk export API the schedules that are verified hours later. Where that does not
 * succeed, what was made is ended.
 *
 * @throws UsageError that says what stood in the way
 */
export async function startSchedules(
  manifest: TargetManifest,
  onLiving: LivingListener,
  onWaiting: WaitingListener,
): Promise<StartedByEndpoint> {
  const tracker = createResourceTracker({ limits: manifest.limits, onChange: onLiving })
  const started: Record<string, StartedSchedules> = {}
  try {
    for (const [name, { export: declared }] of schedulingEndpoints(manifest)) {
      const session = openSession(manifest, name, '', createSharedState(tracker))
      try {
        await preflightExports(session, onWaiting)
        started[name] = await startOn(session, declared)
      } finally {
        // Not closed: that would cancel what is to live on.
        await session.dispatcher.destroy()
      }
    }
    return started
  } catch (error) {
    onLiving(leftIn(await removeLeftovers(manifest, tracker.leftovers())))
    throw asUsageError(error)
  }
}

/** The endpoints whose service knows scheduled exports. */
function schedulingEndpoints(
  manifest: TargetManifest,
): readonly (readonly [string, TargetEndpoint & { readonly export: ExportDeclaration }])[] {
  const found = Object.entries(manifest.endpoints).flatMap(([name, endpoint]) =>
    endpoint.export === undefined || lackOf(endpoint.export.selfHosted, 'interval_hours') !== undefined
      ? []
      : [[name, { ...endpoint, export: endpoint.export }] as const],
  )
  if (found.length > 0) return found
  throw new UsageError(
    'expected an endpoint of the bulk export API with scheduled exports, received none. Add one to the configuration.',
  )
}

async function startOn(session: Session, declared: ExportDeclaration): Promise<StartedSchedules> {
  const stage = {
    exports: exportsOf(session, declared, 'usual'),
    bucket: bucketClient(session),
  }
  const now = await serviceNow({ ...stage, driver: driverOf(session) })
  const bucket = await stage.bucket.create().catch(noBucket)
  const selects = lackOf(declared.selfHosted, 'export_fields') === undefined
  const create = async (startMs: number, order: Pick<StartedSchedule, 'runType'> = {}): Promise<StartedSchedule> => {
    const destination = await stage.exports.destination({ bucket })
    // Some services tell times to the minute.
    const start = iso(Math.floor(startMs / minute) * minute)
    const fields = ['id', 'name', 'start_time', ...(order.runType === undefined ? [] : ['run_type'])]
    const id = await stage.exports.create({
      bulk_export_destination_id: destination.id,
      start_time: start,
      interval_hours: 1,
      ...(order.runType !== undefined && { filter: `eq(run_type, "${order.runType}")` }),
      ...(selects && { export_fields: fields }),
    })
    return { id, start, hours: 1, destination, ...order, ...(selects && { fields }), spawnedThen: [] }
  }
  const past = await create(now - pastMs)
  const ahead = await create(now - aheadMs, { runType: 'llm' })
  const idle = await create(now - aheadMs)
  await stage.exports.cancel(idle.id)
  const spawnedThen = (await spawnedBy(stage, idle.id, idle.destination)).map(({ id }) => id)
  return { at: iso(now), past, ahead, cancelled: { ...idle, spawnedThen } }
}

/** Reports a store that cannot create a bucket as a usage error: the target is not at fault. */
function noBucket(error: unknown): never {
  if (error instanceof Inconclusive) throw error
  const why = error instanceof Error ? error.message : String(error)
  throw new UsageError(
    `no scheduled exports were created: the store cannot create a bucket: ${why.replace(/\.$/, '')}. Check TOUCHSTONE_S3_* and the account "root".`,
  )
}

/** Reports what stops the start of schedules; an ordinary run tests what the target does wrong. */
function asUsageError(error: unknown): unknown {
  if (error instanceof Inconclusive)
    return new UsageError(`no scheduled exports were created: ${error.message}. To fix it, ${error.unlock}.`)
  if (error instanceof Stopped || error instanceof NoResponse) {
    return new UsageError(
      `no scheduled exports were created: ${error.message}. Run "touchstone test" without --phase to test this.`,
    )
  }
  return error
}
