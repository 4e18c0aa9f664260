import { setTimeout } from 'node:timers/promises'
import { Inconclusive } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { succeeded } from '../../harness/export/export-window.ts'
import type { ExportRequest } from '../../harness/export/exports.ts'
import { cancellation, exportsPath } from '../../harness/export/paths.ts'
import { testWindow } from '../../harness/export/test-window.ts'
import { responseShape } from '../../harness/response-shape.ts'
import { poll } from '../../harness/waiting.ts'
import { hasBegun, hasEnded, hasSucceeded } from '../../values/export/statuses.ts'
import { iso } from '../../values/export/times.ts'
import { at, show, textAt } from '../../values/json.ts'
import { exportProbe, type Scenario, scenario } from '../scenario.ts'
import { oneOff, postSchedule, scheduled, scheduledIfSupported, unknownId } from './create.ts'

const patch = (id: string, body: object) => ({ method: 'PATCH', path: `${exportsPath}/${id}`, body }) as const

/** Requests other statuses of a cancelled export, and reads it. */
export async function tryToRestart({ exports }: ExportContext, id: string): Promise<void> {
  for (const status of ['Running', 'Created', 'IntervalScheduled'])
    await exports.http.send({ ...patch(id, { status }), intent: 'probe' })
  await exports.get(id)
}

const scheduledExport = scenario<ExportContext>(
  [
    'export.cancel.accepted',
    'export.cancel.answers-export',
    'export.cancel.scheduled',
    'export.cancel.stays',
    'export.cancel.no-restart',
    'export.cancel.new-export',
    'export.cancel.unknown',
    'export.list.complete',
    'export.list.current-status',
  ],
  'cancels a scheduled export',
  async (context) => {
    const { exports, session } = context
    const body = await scheduledIfSupported(context)
    const id = await exports.create(body)
    session.readLater(() => exports.get(id))
    const control = { ...cancellation(id), requirement: 'export.cancel.accepted' } as const
    await context.faults(control, { 'export.cancel.unknown': { path: `${exportsPath}/${unknownId}` } })
    const status = await exports.untilCancelled(id)
    await exports.get(id)
    // The specification does not show a second cancellation, so the service may refuse it.
    await exports.http.send({ ...cancellation(id), intent: 'probe' })
    await exports.get(id)
    await tryToRestart(context, id)
    await exports.untilListed([id], (record) => textAt(record, 'status') === status)
    // A service may refuse an export that equals one which ended before the cancellation arrived.
    if (status === 'Cancelled') await postSchedule(context, body, { requirement: 'export.cancel.new-export' })
    // Throws the reason if scheduled exports are not supported.
    await scheduled(context)
  },
)

const oneOfTwo = scenario<ExportContext>(
  ['export.cancel.only-named', 'export.cancel.scheduled'],
  'cancels one of two exports',
  async (context) => {
    const { exports } = context
    const id = await exports.create(await scheduledIfSupported(context))
    const other = await exports.create(await scheduledIfSupported(context))
    await exports.get(other)
    await exports.cancel(id)
    await exports.untilCancelled(id)
    await exports.get(other)
    await exports.cancel(other)
    // One-off exports to one destination.
    const { bounds } = await testWindow(context)
    const { id: destination } = await exports.destination()
    const kept = await exports.create({ bulk_export_destination_id: destination, ...bounds })
    // A service may refuse an export that equals another one, or respond with that one.
    const start_time = iso(Date.parse(bounds.start_time) + 1)
    const cancelled = await exports.create({ bulk_export_destination_id: destination, ...bounds, start_time })
    await exports.get(kept)
    await exports.http.send(cancellation(cancelled))
    await exports.waitForEnd(kept)
    await exports.get(kept)
  },
)

const undocumented = exportProbe(
  ['export.cancel.other-status', 'export.cancel.empty', 'export.cancel.twice'],
  'observes undocumented changes',
  async (context) => {
    const { exports, observe } = context
    const id = await exports.create(await scheduledIfSupported(context))
    observe('export.cancel.other-status', responseShape(await exports.http.send(patch(id, { status: 'Running' }))))
    observe('export.cancel.empty', responseShape(await exports.http.send(patch(id, {}))))
    await exports.cancel(id)
    await exports.untilCancelled(id)
    observe('export.cancel.twice', responseShape(await exports.http.send(cancellation(id))))
  },
)

/** Creates an export, and cancels it as soon as it executes. Returns its id if it became `Cancelled`. */
async function cancelRunning({ exports, session }: ExportContext, body: ExportRequest): Promise<string | undefined> {
  const id = await exports.create(body)
  const { statusWords } = session
  const record = await poll(session, async () => {
    const latest = await exports.get(id)
    return hasBegun(latest, statusWords) ? latest : undefined
  })
  if (hasEnded(record, statusWords)) return undefined
  // The export may end before the cancellation takes effect: this does not decide whether it must become `Cancelled`.
  const { ok } = await exports.http.send({ ...cancellation(id), intent: 'probe' })
  return ok && (await exports.untilCancelled(id)) === 'Cancelled' ? id : undefined
}

const oneOffExport = scenario<ExportContext>(
  [
    'export.cancel.one-off',
    'export.cancel.stops-writing',
    'export.cancel.stays',
    'export.cancel.no-restart',
    'export.cancel.runs',
    'export.list.complete',
    'export.list.current-status',
  ],
  'cancels a one-off export',
  async (context) => {
    const { exports, bucket, session } = context
    const { bounds } = await testWindow(context)
    const destination = await exports.destination()
    const body = { bulk_export_destination_id: destination.id, ...bounds }
    const id = await exports.create(body)
    const createdAt = performance.now()
    session.readLater(() => exports.get(id))
    const response = await exports.http.send(cancellation(id))
    const status = response.ok ? await exports.untilCancelled(id) : textAt(await exports.get(id), 'status')
    if (hasSucceeded({ status }, session.statusWords)) {
      const setting = `extend endpoints.${session.endpointName}.export.window, so that the export takes longer`
      throw new Inconclusive('the export ended before the cancellation arrived', setting)
    }
    await exports.untilListed([id], (record) => textAt(record, 'status') === status)
    // A service may finish files that it was writing when the cancellation arrived. If it is slow, this takes longer.
    await setTimeout(Math.max(session.budgets.slowMs, performance.now() - createdAt))
    await bucket.list(destination.bucket)
    const { id: other } = await exports.destination()
    const running = await cancelRunning(context, { ...body, bulk_export_destination_id: other })
    // An equal export takes as long as the cancelled ones would have taken.
    await succeeded(exports, await exports.create(body))
    if (running !== undefined) await exports.get(running)
    await bucket.list(destination.bucket)
    await exports.get(id)
    const statuses = (await exports.runs(id)).map((run) => show(at(run, 'status')))
    // Runs that completed before the cancellation do not show its effect.
    const incomplete = statuses.filter((each) => each !== '"Completed"')
    context.observe(
      'export.cancel.runs',
      [...new Set(incomplete.length > 0 ? incomplete : statuses)].join(', ') || 'none',
    )
    if (status === 'Cancelled') await tryToRestart(context, id)
  },
)

const finishedExport = scenario<ExportContext>(
  ['export.execute.ends', 'export.cancel.completed', 'export.status.ended'],
  'cancels a finished export',
  async (context) => {
    const { exports } = context
    const id = await exports.create(await oneOff(context))
    const ended = await succeeded(exports, id)
    context.observe('export.status.ended', show(at(ended, 'status')))
    const { ok } = await exports.http.send(cancellation(id))
    if (ok) await exports.untilCancelled(id)
  },
)

export const cancelScenarios: readonly Scenario[] = [
  scheduledExport,
  oneOffExport,
  finishedExport,
  oneOfTwo,
  undocumented,
]
