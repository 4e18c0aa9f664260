import { Inconclusive, messageOf, NoResponse, Stopped } from '../harness/errors.ts'
import { bucketClient } from '../harness/export/bucket-client.ts'
import { driverOf } from '../harness/export/driver.ts'
import { exportsOf } from '../harness/export/export-context.ts'
import { lackOf } from '../harness/export/features.ts'
import type { Leftover } from '../harness/export/leftovers.ts'
import { createResourceTracker } from '../harness/export/resource-tracker.ts'
import { serviceNow } from '../harness/export/service-clock.ts'
import { spawnedBy } from '../harness/export/spawned-by.ts'
import type { StartedSchedule, StartedSchedules } from '../harness/export/started-schedules.ts'
import type { ExportDeclaration, TargetEndpoint } from '../harness/manifest.ts'
import { createSharedState, openSession, type Session, type TargetManifest } from '../harness/session.ts'
import { iso } from '../values/export/times.ts'
import { UsageError } from '../values/usage-error.ts'
import { preflightExports } from './preflight-exports.ts'
import { leftIn, removeLeftovers } from './remove-leftovers.ts'
import type { WaitingListener } from './until-ready.ts'

/** Scheduled exports of --phase start, by endpoint. */
export type StartedByEndpoint = Readonly<Record<string, StartedSchedules>>

/** Called with the leftover resources each time they change. */
type LeftoversListener = (leftovers: readonly Leftover[]) => void

const minute = 60_000
const hour = 60 * minute
/** Time from the start of the first window of `upcoming` to its creation: the window is due twenty minutes after that. */
const upcomingMs = 50 * minute
/** The same for `past`, of which two windows have ended and are due. */
const pastMs = 2 * hour + upcomingMs

/**
 * Creates, on every endpoint of the bulk export API, the scheduled exports that are verified hours later. If that fails,
 * removes those that were created.
 *
 * @throws UsageError with the reason and the remedy
 */
export async function startSchedules(
  manifest: TargetManifest,
  onLeftovers: LeftoversListener,
  onWaiting: WaitingListener,
): Promise<StartedByEndpoint> {
  const tracker = createResourceTracker({ limits: manifest.limits, onChange: onLeftovers })
  const started: Record<string, StartedSchedules> = {}
  try {
    for (const [name, { export: declared }] of schedulingEndpoints(manifest)) {
      const session = openSession(manifest, name, '', createSharedState(tracker))
      try {
        await preflightExports(session, onWaiting)
        started[name] = await startOn(session, declared)
      } finally {
        // Do not close the session: that would cancel the scheduled exports.
        await session.dispatcher.destroy()
      }
    }
    return started
  } catch (error) {
    onLeftovers(leftIn(await removeLeftovers(manifest, tracker.leftovers())))
    throw asUsageError(error)
  }
}

/** Returns the endpoints whose service supports scheduled exports. */
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
  const clients = { exports: exportsOf(session, 'usual'), bucket: bucketClient(session) }
  const now = await serviceNow({ ...clients, driver: driverOf(session) })
  const bucket = await clients.bucket.create().catch(noBucket)
  const selects = lackOf(declared.selfHosted, 'export_fields') === undefined
  const create = async (startMs: number, options: Pick<StartedSchedule, 'runType'> = {}): Promise<StartedSchedule> => {
    const destination = await clients.exports.destination({ bucket })
    // Some services round times to the minute.
    const start = iso(Math.floor(startMs / minute) * minute)
    const fields = ['id', 'name', 'start_time', ...(options.runType === undefined ? [] : ['run_type'])]
    const id = await clients.exports.create({
      bulk_export_destination_id: destination.id,
      start_time: start,
      interval_hours: 1,
      ...(options.runType !== undefined && { filter: `eq(run_type, "${options.runType}")` }),
      ...(selects && { export_fields: fields }),
    })
    return { id, start, intervalHours: 1, destination, ...options, ...(selects && { fields }), spawnedAtStart: [] }
  }
  // First: a service may limit how many are active.
  const cancelled = await create(now - upcomingMs)
  await clients.exports.cancel(cancelled.id)
  const spawnedAtStart = (await spawnedBy(clients, cancelled.id, cancelled.destination)).map(({ id }) => id)
  const past = await create(now - pastMs)
  const upcoming = await create(now - upcomingMs, { runType: 'llm' }).catch((error: unknown) => {
    // The service may refuse filters whose values are in double quotes.
    if (error instanceof Stopped) return create(now - upcomingMs)
    throw error
  })
  return { createdAt: iso(now), past, upcoming, cancelled: { ...cancelled, spawnedAtStart } }
}

/** Reports a store that cannot create a bucket as a usage error, because the target is not the cause. */
function noBucket(error: unknown): never {
  if (error instanceof Inconclusive) throw error
  throw new UsageError(
    `no scheduled exports were created: the store cannot create a bucket: ${messageOf(error).replace(/\.$/, '')}. Check TOUCHSTONE_S3_* and the account "root".`,
  )
}

/** Reports an error of the target as a usage error: only a run without `--phase` tests it. */
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
