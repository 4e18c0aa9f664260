import { createdTable, oneOffFields, refusedHours } from '../catalog/export/bulk-export.ts'
import { fieldIds } from '../catalog/fields.ts'
import { answerShape } from '../harness/answer-shape.ts'
import { type Check, scenario } from '../harness/check.ts'
import { Blocked, NotApplicable } from '../harness/errors.ts'
import { base } from '../harness/export/base.ts'
import { type ExportContext, exportCheck } from '../harness/export/export-context.ts'
import { lackOf } from '../harness/export/features.ts'
import { leavesOf, outlined } from '../harness/export/found.ts'
import { untilListed } from '../harness/export/listed.ts'
import { isRefusal, told } from '../harness/export/outcome.ts'
import { serviceNow } from '../harness/export/service-clock.ts'
import { hasEnded } from '../harness/export/statuses.ts'
import type { Answer, ApiRequest } from '../harness/http.ts'
import { show, textAt } from '../harness/json.ts'

/** A window long before anybody traced anything: exports of it end at once. */
export const emptyWindow = { start_time: '1999-12-31T00:00:00Z', end_time: '1999-12-31T06:00:00Z' } as const

/** A destination that checks share which write nothing. */
export function sharedDestination({ session, exports }: Pick<ExportContext, 'session' | 'exports'>): Promise<string> {
  return session.once('shared destination', async () => (await exports.destination()).id)
}

/** A valid one-off export of an empty window. */
export async function oneOff(context: ExportContext): Promise<Record<string, unknown>> {
  const id = await sharedDestination(context)
  return context.exports.exportBody({ bulk_export_destination_id: id, ...emptyWindow })
}

/** A valid scheduled export that spawns nothing for years. */
export async function scheduled(context: ExportContext, hours = 24): Promise<Record<string, unknown>> {
  const lack = lackOf(context.declared.selfHosted, 'interval_hours')
  if (lack !== undefined) throw new NotApplicable(lack)
  const start = new Date((await serviceNow(context)) + 24 * 3_600_000).toISOString()
  const { end_time: _, ...body } = await oneOff(context)
  return { ...body, start_time: start, interval_hours: hours }
}

/** Sends a creation; what it makes although it may not be wanted is cancelled at the end. */
export async function send(
  { exports, session }: ExportContext,
  body: unknown,
  about: Pick<ApiRequest, 'row'> = {},
): Promise<Answer> {
  const answer = await exports.http.send({ method: 'POST', path: base, body, ...about })
  const id = textAt(answer.json, 'id')
  if (answer.ok && id !== undefined) session.onClose(async () => void (await exports.cancel(id)))
  return answer
}

const accepted = exportCheck(
  ['export.create.accepted', 'export.create.fresh-id', 'export.status.created'],
  'creates one-off exports',
  async (context) => {
    const { exports, observe, decide, verify } = context
    const destination = await sharedDestination(context)
    const order = { bulk_export_destination_id: destination, ...emptyWindow }
    const ids = [await exports.create(order), await exports.create(order)]
    await decide('export.create.accepted', () => undefined)
    await decide('export.create.fresh-id', () => verify(ids[0] !== ids[1], 'ids of two exports', 'different', ids))
    const answer = await send(context, exports.exportBody(order))
    observe('export.status.created', show(textAt(answer.json, 'status')))
  },
)

const fields = scenario<ExportContext>(fieldIds(createdTable), 'creates an export', async (context) => {
  await send(context, await oneOff(context), { row: 'export.create.accepted' })
})

const required = exportCheck(
  [...oneOffFields.map((field) => `export.create.${field}.required` as const), 'export.create.refused.client-error'],
  'refuses one-off exports without a required field',
  async (context) => {
    const { decide, verify } = context
    const valid = await oneOff(context)
    const statuses: number[] = []
    for (const field of oneOffFields) {
      const answer = await context.negative(
        { method: 'POST', path: base, body: valid },
        { body: { ...valid, [field]: undefined } },
      )
      if (isRefusal(answer)) statuses.push(answer.status)
      await decide(`export.create.${field}.required`, () =>
        verify(isRefusal(answer), `an export without ${field}`, 'a refusal', told(answer)),
      )
    }
    await decide('export.create.refused.client-error', () =>
      verify(
        statuses.every((status) => status >= 400 && status < 500),
        'statuses of refusals',
        '4xx',
        show(statuses),
      ),
    )
  },
)

const nothingCreated = exportCheck(
  'export.create.refused.nothing-created',
  'creates nothing after a refusal',
  async (context) => {
    const { exports, verify } = context
    // Exports of other checks come and go meanwhile; these are known by their filter.
    const [kept, refused] = ['kept', 'refused'].map((word) => `eq(name, "${word} ${crypto.randomUUID()}")`)
    const valid = { ...(await oneOff(context)), filter: kept }
    const id = await exports.create(valid as never)
    const answer = await send(context, { ...valid, start_time: undefined, filter: refused })
    if (!isRefusal(answer)) throw new Blocked('export.create.start_time.required', told(answer))
    const list = await untilListed(context, [id])
    const shown = (filter: string | undefined) =>
      list.filter((one) => leavesOf(one).some(({ value }) => value === filter))
    if (shown(kept).length === 0) throw new NotApplicable('the list of exports does not show filters')
    const made = shown(refused).map(outlined).join('; ')
    const page = { read: base, holding: textAt(shown(refused)[0], 'id') ?? '' }
    verify(made === '', 'exports with the filter of a refused creation', 'none', made, page)
  },
)

const schedules = exportCheck(
  [
    'export.create.scheduled.accepted',
    'export.create.scheduled.end-time-refused',
    'export.create.interval.makes-scheduled',
    'export.status.scheduled',
    'export.limits.hours.least',
    'export.limits.hours.most',
    ...(Object.keys(refusedHours) as (keyof typeof refusedHours)[]).map((key) => `export.limits.hours.${key}` as const),
  ],
  'creates scheduled exports',
  async (context) => {
    const { exports, decide, verify, observe } = context
    const body = await scheduled(context)
    const id = await exports.create(body as never)
    await decide('export.create.scheduled.accepted', () => undefined)
    const found = await exports.get(id)
    observe('export.status.scheduled', show(textAt(found, 'status')))
    await decide('export.create.interval.makes-scheduled', () =>
      verify(
        !hasEnded(found),
        'a scheduled export whose first window is in the future',
        'one that has not ended',
        outlined(found),
      ),
    )
    const both = await send(context, { ...body, end_time: '2999-01-01T00:00:00Z' })
    await decide('export.create.scheduled.end-time-refused', () =>
      verify(isRefusal(both), 'interval_hours with end_time', 'a refusal', told(both)),
    )
    for (const [row, hours] of [['least', 1] as const, ['most', 168] as const]) {
      const answer = await send(context, { ...body, interval_hours: hours })
      await decide(`export.limits.hours.${row}`, () =>
        verify(answer.ok, `interval_hours ${hours}`, 'a 2xx response', told(answer)),
      )
    }
    for (const [key, hours] of Object.entries(refusedHours)) {
      const answer = await send(context, { ...body, interval_hours: hours })
      await decide(`export.limits.hours.${key as keyof typeof refusedHours}`, () =>
        verify(isRefusal(answer), `interval_hours ${hours}`, 'a refusal', told(answer)),
      )
    }
  },
)

/** What becomes of creations about which the document says nothing, by row: changes of a valid body. */
const oddities = {
  'export.create.source-given': { source_bulk_export_id: '11111111-1111-4111-8111-111111111111' },
  'export.create.unknown-destination': { bulk_export_destination_id: '11111111-1111-4111-8111-111111111111' },
  'export.create.unknown-session': { session_id: '11111111-1111-4111-8111-111111111111' },
  'export.create.empty-window': { end_time: emptyWindow.start_time },
  'export.create.reversed-window': { end_time: '1999-12-30T00:00:00Z' },
  'export.create.future': { start_time: '2999-01-01T00:00:00Z', end_time: '2999-01-02T00:00:00Z' },
  'export.create.time-without-zone': { start_time: '1999-12-31T00:00:00' },
  'export.create.time-with-offset': { start_time: '1999-12-31T01:00:00+02:00' },
  'export.create.hours-text': { interval_hours: '24', end_time: undefined },
  'export.create.null-end-time': { interval_hours: 168, end_time: null, start_time: '2999-01-01T00:00:00Z' },
  'export.schedule.future': { interval_hours: 1, end_time: undefined, start_time: '2999-01-01T00:00:00Z' },
  'export.fields.unknown': { export_fields: ['id', 'touchstone_no_such_field'] },
  'export.fields.empty': { export_fields: [] },
} as const

const open = exportCheck(
  [...(Object.keys(oddities) as (keyof typeof oddities)[]), 'export.create.fields.others'],
  'observes undocumented creations',
  async (context) => {
    const valid = await oneOff(context)
    for (const [row, change] of Object.entries(oddities)) {
      const answer = await send(context, { ...valid, ...change })
      const source = textAt(answer.json, 'source_bulk_export_id')
      const kept = row === 'export.create.source-given' ? `, source_bulk_export_id ${source ?? 'none'}` : ''
      context.observe(row as keyof typeof oddities, `${answerShape(answer)}${kept}`)
    }
    const { json } = await send(context, valid)
    context.observe('export.create.fields.others', Object.keys(Object(json)).join(', '))
  },
)

export const createChecks: readonly Check[] = [accepted, fields, required, nothingCreated, schedules, open]
