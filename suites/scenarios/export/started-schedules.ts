import { Inconclusive } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { filesOf } from '../../harness/export/exported-files.ts'
import { checkSupported } from '../../harness/export/features.ts'
import { exportsPath } from '../../harness/export/paths.ts'
import { serviceNow } from '../../harness/export/service-clock.ts'
import { cancelSeparately, spawnedBy } from '../../harness/export/spawned-by.ts'
import { type StartedSchedule, type StartedSchedules, verifiableMs } from '../../harness/export/started-schedules.ts'
import { mayContainRows } from '../../values/export/exported-file.ts'
import { hasEnded } from '../../values/export/statuses.ts'
import { iso } from '../../values/export/times.ts'
import { lastDue } from '../../values/export/windows.ts'
import { at, show } from '../../values/json.ts'
import { exportProbe } from '../scenario.ts'
import { cancelUnneeded } from './create.ts'

const hour = 3_600_000

/** Number of windows of `past` that were due at its creation: whether these are exported is unspecified. */
function pastWindows({ createdAt, past: { start, intervalHours } }: StartedSchedules): number {
  return lastDue({ startMs: Date.parse(start), intervalMs: intervalHours * hour }, Date.parse(createdAt))
}

/**
 * Reads the exports that the scheduled exports of `--phase start` have spawned, then cancels the scheduled exports.
 *
 * @throws Inconclusive always: the reason of requirements that no rule decides
 */
export async function readStarted(context: ExportContext, started: StartedSchedules): Promise<void> {
  const { exports, session } = context
  const { past, upcoming, cancelled } = started
  const now = await serviceNow(context)
  for (const each of [past, upcoming]) await checkActive(context, each)
  const results = []
  for (const each of [past, upcoming, cancelled]) results.push(await read(context, each, started))
  const fromMs = verifiableMs(started, session.budgets.lateMs)
  if (now < fromMs)
    throw new Inconclusive(
      `at ${iso(now)}, exports of some windows may still be running`,
      `run the same command again at ${iso(fromMs)} or later, or reduce budgets.lateMs`,
    )
  for (const { id, spawned } of results.slice(0, 2)) await cancelSeparately(context, id, spawned)
  await exports.get(cancelled.id)
  const count = results.flatMap(({ spawned }) => spawned).length
  if (!results.some(({ files }) => mayContainRows({ files })))
    throw new Inconclusive(
      `the files of ${count} spawned exports contain no runs`,
      `add runs to the project between --phase start and --phase verify, or set endpoints.${session.endpointName}.export.driver`,
    )
  throw new Inconclusive(
    'spawned exports do not show when they ended',
    'set export.driver of the endpoint to a driver that moves the clock',
  )
}

/** Records a scheduled export in the trace, and reads the exports that it has spawned. */
async function read(
  context: ExportContext,
  { id, destination, start, intervalHours, runType, fields, spawnedAtStart }: StartedSchedule,
  { createdAt, cancelled }: StartedSchedules,
) {
  const { exports, bucket } = context
  const request = exports.exportBody({
    bulk_export_destination_id: destination.id,
    start_time: start,
    interval_hours: intervalHours,
    ...(runType !== undefined && { filter: `eq(run_type, "${runType}")` }),
    ...(fields !== undefined && { export_fields: fields }),
  })
  const { bucket: name, prefix } = destination
  await bucket.observe(
    async () => undefined,
    () => ({
      ...({ type: 'started', export: id, request, bucket: name, prefix, spawned: [...spawnedAtStart] } as const),
      createdMs: Date.parse(createdAt),
      isCancelled: id === cancelled.id,
    }),
  )
  const spawned = await spawnedBy(context, id, destination)
  for (const each of spawned) await exports.runs(each.id)
  return { id, spawned, files: await filesOf(bucket, destination, [id, ...spawned.map((each) => each.id)]) }
}

/**
 * Checks that a scheduled export is active.
 *
 * @throws Inconclusive if another client has cancelled it
 */
async function checkActive({ exports, session }: ExportContext, { id }: StartedSchedule): Promise<void> {
  const { status, ok, json } = await exports.http.send({ method: 'GET', path: `${exportsPath}/${id}` })
  if (ok && !hasEnded(json, session.statusWords)) return
  throw new Inconclusive(
    `expected the scheduled export ${id} from --phase start to be active, received ${ok ? `the status ${show(at(json, 'status'))}` : `the response ${status}`}`,
    'run --phase start again and keep its scheduled exports until --phase verify',
  )
}

/** What a service does with the windows of a schedule that have ended before its creation. */
export const catchUp = exportProbe(
  'export.schedule.catch-up',
  'observes a scheduled export that starts in the past',
  async (context) => {
    const { exports, session } = context
    checkSupported(context, 'interval_hours')
    const now = await serviceNow(context)
    const countSpawned = async (id: string) =>
      (await exports.list()).filter((each) => at(each, 'source_bulk_export_id') === id).length
    if (session.started !== undefined) {
      const { past } = session.started
      const dueBefore = pastWindows(session.started)
      const dueSince = pastWindows({ ...session.started, createdAt: iso(now) }) - dueBefore
      const count = Math.max(0, Math.min(dueBefore, (await countSpawned(past.id)) - dueSince))
      return context.observe('export.schedule.catch-up', `${count} of ${dueBefore} past windows are exported later`)
    }
    const destination = await exports.destination()
    // Two windows have ended and are due; the next one ends in hours.
    const start_time = iso(now - 49 * hour)
    const id = await exports.create({ bulk_export_destination_id: destination.id, start_time, interval_hours: 24 })
    const count = await countSpawned(id)
    await cancelUnneeded(context, id)
    context.observe('export.schedule.catch-up', `${count} of 2 past windows are exported at once`)
  },
)
