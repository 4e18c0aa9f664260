import { answerShape } from '../harness/answer-shape.ts'
import type { Check } from '../harness/check.ts'
import { Blocked, Inconclusive } from '../harness/errors.ts'
import { base } from '../harness/export/base.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
import { tellsExport } from '../harness/export/file-path.ts'
import { leavesOf } from '../harness/export/found.ts'
import { material } from '../harness/export/material.ts'
import { told } from '../harness/export/outcome.ts'
import { succeeded } from '../harness/export/play.ts'
import { hasEnded, hasSucceeded } from '../harness/export/statuses.ts'
import type { Answer } from '../harness/http.ts'
import { at, show, textAt } from '../harness/json.ts'
import { poll } from '../harness/waiting.ts'
import { oneOff, scheduled, send } from './create.ts'

const unknown = '11111111-1111-4111-8111-111111111111'

function isCancelled(found: unknown): boolean {
  return textAt(found, 'status') === 'Cancelled'
}

/** The status of an export once it is `Cancelled`, or at the end of the wait. */
async function cancelledStatus({ exports, session }: ExportContext, id: string): Promise<string> {
  let last: unknown
  await poll(session, async () => {
    last = await exports.get(id)
    return isCancelled(last) ? true : undefined
  })
  return show(at(last, 'status'))
}

const scheduledOne = exportCheck(
  [
    'export.cancel.accepted',
    'export.cancel.answers-export',
    'export.cancel.scheduled',
    'export.cancel.stays',
    'export.cancel.no-restart',
    'export.cancel.new-export',
    'export.cancel.twice',
    'export.cancel.other-status',
    'export.cancel.empty',
    'export.cancel.unknown',
  ],
  'cancels a scheduled export',
  async (context) => {
    const { exports, decide, verify, observe } = context
    const body = await scheduled(context).catch(() => oneOff(context))
    const id = await exports.create(body as never)
    const patch = (of: string, status?: string) =>
      exports.http.send({ method: 'PATCH', path: `${base}/${of}`, body: status === undefined ? {} : { status } })
    observe('export.cancel.other-status', answerShape(await patch(id, 'Running')))
    const answer = await exports.cancel(id)
    await decide('export.cancel.accepted', () => undefined)
    await decide('export.cancel.answers-export', () =>
      verify(textAt(answer.json, 'id') === id, 'the response to the cancellation', `the export ${id}`, told(answer)),
    )
    const status = await cancelledStatus(context, id)
    await decide('export.cancel.scheduled', () =>
      verify(status === '"Cancelled"', 'the status of a cancelled export', '"Cancelled"', status),
    )
    const needed = () => {
      if (status !== '"Cancelled"') throw new Blocked('export.cancel.scheduled', `its status is ${status}`)
    }
    observe('export.cancel.twice', answerShape(await patch(id, 'Cancelled')))
    const again = textAt(await exports.get(id), 'status')
    await decide('export.cancel.stays', () => {
      needed()
      verify(again === 'Cancelled', 'its status afterwards', 'Cancelled', again)
    })
    const attempts: Answer[] = []
    for (const wanted of ['Running', 'Created', 'IntervalScheduled']) attempts.push(await patch(id, wanted))
    const after = textAt(await exports.get(id), 'status')
    await decide('export.cancel.no-restart', () => {
      needed()
      if (again !== 'Cancelled') throw new Blocked('export.cancel.stays', `its status is ${again}`)
      const tried = attempts.map(({ status: answered }) => answered).join(', ')
      verify(after === 'Cancelled', `its status after PATCHes with other statuses (${tried})`, 'Cancelled', after)
    })
    const next = await send(context, body)
    await decide('export.cancel.new-export', () => {
      needed()
      verify(next.ok, 'a new export like the cancelled one', 'a 2xx response', told(next))
    })
    observe('export.cancel.unknown', answerShape(await patch(unknown, 'Cancelled')))
    const other = await exports.create((await oneOff(context)) as never)
    observe('export.cancel.empty', answerShape(await patch(other)))
  },
)

const running = exportCheck(
  ['export.cancel.one-off', 'export.cancel.stops-writing', 'export.cancel.runs'],
  'cancels a one-off export',
  async (context) => {
    const { exports, bucket, session, decide, verify, observe } = context
    const { start, end } = await material(context)
    const place = await exports.destination()
    const body = { bulk_export_destination_id: place.id, start_time: start, end_time: end }
    const id = await exports.create(body)
    const early = hasEnded(await exports.get(id))
    const tooLate = () => {
      const setting = `extend endpoints.${session.endpointName}.export.window, so that the export takes longer`
      return new Inconclusive('the export ended before the cancellation arrived', setting)
    }
    const answer = await exports.cancel(id).catch(async (refusal: unknown) => {
      // An export that has ended may refuse to be cancelled.
      throw hasSucceeded(await exports.get(id)) ? tooLate() : refusal
    })
    const status = await cancelledStatus(context, id)
    // It may also be accepted, and change nothing.
    if (status !== '"Cancelled"' && (early || hasSucceeded(answer.json))) throw tooLate()
    const files = async () => (await bucket.list(place.bucket, place.prefix)).filter(({ key }) => tellsExport(key, id))
    const before = await files()
    // Whatever still went on would be through by the time at which an export like it has ended.
    await succeeded(context, await exports.create(body))
    const [after, then] = [await files(), show(at(await exports.get(id), 'status'))]
    await decide('export.cancel.one-off', () => {
      verify(
        early || (status === '"Cancelled"' && then === status),
        'its status',
        '"Cancelled" to stay',
        `${status}, then ${then}`,
      )
    })
    await decide('export.cancel.stops-writing', () => {
      if (status !== '"Cancelled"') throw new Blocked('export.cancel.one-off', `its status is ${status}`)
      const more = after.filter(({ key }) => !before.some((one) => one.key === key))
      verify(more.length === 0, 'files written after the cancellation', 'none', show(more))
    })
    const statuses = (await exports.runs(id)).flatMap((run) =>
      leavesOf(run).flatMap(({ path, value }) => (path === 'status' ? [show(value)] : [])),
    )
    // A run that was through before the cancellation tells nothing of it.
    const cut = statuses.filter((status) => status !== '"Completed"')
    observe('export.cancel.runs', [...new Set(cut.length > 0 ? cut : statuses)].join(', ') || 'none is told')
  },
)

const completed = exportCheck(
  ['export.execute.ends', 'export.cancel.completed', 'export.status.ended'],
  'cancels a finished export',
  async (context) => {
    const { exports, decide, verify, observe } = context
    const id = await exports.create((await oneOff(context)) as never)
    const ended = await succeeded(context, id)
    await decide('export.execute.ends', () => undefined)
    observe('export.status.ended', show(at(ended, 'status')))
    const body = { status: 'Cancelled' }
    const { ok } = await exports.http.send({ method: 'PATCH', path: `${base}/${id}`, body })
    const after = ok ? await cancelledStatus(context, id) : show(at(await exports.get(id), 'status'))
    await decide('export.cancel.completed', () =>
      verify(after === '"Cancelled"', 'the status of a completed export that is cancelled', 'Cancelled', after),
    )
  },
)

export const cancelChecks: readonly Check[] = [scheduledOne, running, completed]
