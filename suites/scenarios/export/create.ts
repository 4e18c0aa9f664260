import { randomInt } from 'node:crypto'
import {
  createdTable,
  exportRequestFields,
  oneOffFields,
  refusedChanges,
  refusedHours,
  refusedKeys,
} from '../../catalog/export/bulk-export.ts'
import { fieldIds } from '../../catalog/fields.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { ignoreLoss, NotApplicable } from '../../harness/errors.ts'
import type { ExportContext } from '../../harness/export/export-context.ts'
import { filesOf } from '../../harness/export/exported-files.ts'
import type { ExportRequest, RegisteredDestination } from '../../harness/export/exports.ts'
import { checkSupported, lackOf } from '../../harness/export/features.ts'
import { cancellation, exportsPath } from '../../harness/export/paths.ts'
import { serviceNow } from '../../harness/export/service-clock.ts'
import type { ApiRequest, ApiResponse } from '../../harness/http.ts'
import { responseShape } from '../../harness/response-shape.ts'
import { nestedFields } from '../../values/export/record-fields.ts'
import { iso } from '../../values/export/times.ts'
import { show, textAt } from '../../values/json.ts'
import { exportProbe, type Scenario, scenario } from '../scenario.ts'

/** Id that no resource has. */
export const unknownId = '11111111-1111-4111-8111-111111111111'

/**
 * Returns a window without runs, in the distant past: exports of it end immediately. The windows differ, because a service
 * may refuse an export that equals an earlier one, or return the earlier one.
 */
export function emptyWindow(): { readonly start_time: string; readonly end_time: string } {
  const halfDay = 12 * 3600
  const at = (seconds: number) => iso(Date.UTC(1999, 11, 31) + seconds * 1000)
  return { start_time: at(randomInt(halfDay)), end_time: at(halfDay + randomInt(halfDay)) }
}

/** Creates the body of a one-off export of an empty window. */
export async function oneOff({ session, exports }: ExportContext): Promise<ExportRequest> {
  const id = await session.memoize('shared destination', async () => (await exports.destination()).id)
  return exports.exportBody({ bulk_export_destination_id: id, ...emptyWindow() })
}

/**
 * Creates the body of a scheduled export that spawns nothing during the test run: it starts in a day or two or, because a
 * service may refuse that, has started within the last hour and has windows of days.
 */
export async function scheduled(context: ExportContext): Promise<ExportRequest> {
  checkSupported(context, 'interval_hours')
  const { end_time: _, ...body } = await oneOff(context)
  const now = await serviceNow(context)
  // Exports differ in their starts: a service may refuse an export that equals an earlier one.
  const future = () => ({
    ...body,
    start_time: iso(now + randomInt(24, 48) * 3_600_000 + randomInt(3600) * 1000),
    interval_hours: 24,
  })
  const isAccepted = await context.session.memoize('schedules in the future', async () => {
    return (await postSchedule(context, future(), { intent: 'probe' })).ok
  })
  return isAccepted ? future() : { ...body, start_time: iso(now - randomInt(1, 3600) * 1000), interval_hours: 150 }
}

/** Creates the body of a scheduled export, or of a one-off export if scheduled exports are not supported. */
export function scheduledIfSupported(context: ExportContext): Promise<ExportRequest> {
  return scheduled(context).catch(() => oneOff(context))
}

/** Changes the destination of a body to one that no accepted export names: an export with it in a list was refused. */
async function toUnusedDestination({ session, exports }: ExportContext, body: ExportRequest): Promise<ExportRequest> {
  const id = await session.memoize('destination of refused exports', async () => (await exports.destination()).id)
  return { ...body, bulk_export_destination_id: id }
}

/** Requirement that the target accepts a request; with the intent `fault`, that it refuses the request. */
export type Purpose = Pick<ApiRequest, 'requirement' | 'intent'>

/** Sends the creation of an export, which is cancelled at the end of the session if it is accepted. */
export async function postExport(
  { exports, session }: ExportContext,
  body: unknown,
  purpose: Purpose = {},
): Promise<ApiResponse> {
  const response = await exports.http.send({ method: 'POST', path: exportsPath, body, ...purpose })
  const id = textAt(response.json, 'id')
  if (response.ok && id !== undefined) session.onClose(async () => void (await exports.cancel(id)))
  return response
}

/** Cancels a scheduled export that is no longer needed: a service may limit how many are active. */
export async function cancelUnneeded({ exports }: ExportContext, id: string): Promise<void> {
  await exports.http.send({ ...cancellation(id), intent: 'probe' }).catch(ignoreLoss)
}

/** Creates a scheduled export and cancels it if it is accepted. */
export async function postSchedule(context: ExportContext, body: unknown, purpose?: Purpose): Promise<ApiResponse> {
  const response = await context.exports.http.send({ method: 'POST', path: exportsPath, body, ...purpose })
  const id = textAt(response.json, 'id')
  if (response.ok && id !== undefined) await cancelUnneeded(context, id)
  return response
}

/** A filter with a value in double quotes, which a service may refuse. */
const plainFilter = 'eq(run_type, "llm")'

/** Whether the service accepts a filter with a value in double quotes; asked once in each session. */
export function acceptsFilters(context: ExportContext): Promise<boolean> {
  return context.session.memoize('a filter is accepted', async () => {
    const body = { ...(await oneOff(context)), filter: plainFilter }
    return (await postExport(context, body, { requirement: 'export.filter.accepted' })).ok
  })
}

/** Whether the service accepts a filter of a scheduled export; asked once in each session. */
export function acceptsScheduledFilters(context: ExportContext): Promise<boolean> {
  return context.session.memoize('a filter of a schedule is accepted', async () => {
    if (!(await acceptsFilters(context))) return false
    const body = { ...(await scheduled(context)), filter: plainFilter }
    return (await postSchedule(context, body, { requirement: 'export.schedule.filter' })).ok
  })
}

/** Requests an export that must be refused or write no files. Reads its files if it is accepted. */
export async function tryExport(
  context: ExportContext,
  { id: destination, ...place }: RegisteredDestination,
  request: Omit<ExportRequest, 'bulk_export_destination_id'>,
  requirement: RequirementId,
): Promise<void> {
  const { exports, bucket } = context
  const body = exports.exportBody({ bulk_export_destination_id: destination, ...request })
  const { ok, json } = await postExport(context, body, { intent: 'fault', requirement })
  const id = textAt(json, 'id')
  if (!ok || id === undefined) return
  await exports.waitForEnd(id)
  await filesOf(bucket, place, [id])
}

const wholeSeconds = (time: string) => time.replace(/\.000Z$/, 'Z')

/** Returns the bodies that lack a required field, by requirement. */
function withoutEach(body: ExportRequest, fields: readonly string[]) {
  const entries = fields.map((field) => [`export.create.${field}.required`, { body: { ...body, [field]: undefined } }])
  return Object.fromEntries(entries)
}

/** Fields with invalid values that one-off and scheduled exports have. */
const refusedOfAny = refusedKeys.filter((key) => key !== 'end_time.form')

/** Returns the bodies with invalid values that the service must refuse, by requirement. */
function refusedForms(body: ExportRequest, keys: typeof refusedKeys) {
  const entries = keys.map((key) => [
    `export.create.${key}`,
    refusedChanges(key).map((change) => ({ body: { ...body, ...change } })),
  ])
  return Object.fromEntries(entries)
}

const creations: readonly Scenario[] = [
  scenario<ExportContext>(
    [...fieldIds(createdTable), 'export.create.accepted', 'export.create.fresh-id'],
    'creates one-off exports',
    async (context) => {
      const [first, second] = [await oneOff(context), await oneOff(context)]
      // Times with and without a fraction.
      const whole = { start_time: wholeSeconds(second.start_time), end_time: wholeSeconds(second.end_time ?? '') }
      for (const body of [first, { ...second, ...whole }])
        await postExport(context, body, { requirement: 'export.create.accepted' })
    },
  ),

  scenario<ExportContext>(
    [
      ...oneOffFields.map((field) => `export.create.${field}.required` as const),
      ...refusedKeys.map((key) => `export.create.${key}` as const),
      'export.create.refused.client-error',
      'export.create.refused.nothing-created',
    ],
    'refuses one-off exports with a missing or invalid field',
    async (context) => {
      const body = await oneOff(context)
      const refused = await toUnusedDestination(context, body)
      // Optional fields do not replace the end.
      const optional = [{}, { filter: 'eq(run_type, "llm")' }, { export_fields: ['id', 'name'] }]
      const endless = optional.map((fields) => ({ body: { ...refused, ...fields, end_time: undefined } }))
      const requirement = 'export.create.accepted'
      const { json } = await context.faults(
        { method: 'POST', path: exportsPath, body, requirement },
        {
          ...withoutEach(refused, oneOffFields),
          ...refusedForms(refused, refusedKeys),
          'export.create.end_time.required': endless,
        },
      )
      await context.exports.untilListed([textAt(json, 'id') ?? ''])
    },
  ),

  scenario<ExportContext>(
    ['export.create.refused.nothing-created'],
    'creates nothing after a refusal',
    async (context) => {
      if (!(await acceptsFilters(context))) throw new NotApplicable('the service refuses filters')
      // The list also contains exports of other scenarios: the filters and destinations identify these exports.
      const filterFor = (word: string) => `eq(name, "${word} ${crypto.randomUUID()}")`
      const filter = filterFor('kept')
      const body = { ...(await oneOff(context)), filter }
      const control = { method: 'POST', path: exportsPath, body, requirement: 'export.filter.accepted' } as const
      const { json } = await context.faults(control, {
        'export.create.start_time.required': { body: { ...body, filter: filterFor('endless'), start_time: undefined } },
        'export.create.bulk_export_destination_id.known': {
          body: { ...body, filter: filterFor('unknown'), bulk_export_destination_id: crypto.randomUUID() },
        },
        ...(lackOf(context.declared.selfHosted, 'interval_hours') === undefined && {
          'export.limits.hours.above': {
            body: {
              ...(await scheduled(context)),
              filter: filterFor('long'),
              bulk_export_destination_id: (await context.exports.destination()).id,
              interval_hours: 169,
            },
          },
        }),
      })
      const list = await context.exports.untilListed([textAt(json, 'id') ?? ''])
      if (!list.some((each) => nestedFields(each).some(({ value }) => value === filter)))
        throw new NotApplicable('the list of exports does not show filters')
    },
  ),

  scenario<ExportContext>(
    [
      'export.create.scheduled.accepted',
      'export.create.scheduled.end-time-refused',
      'export.create.interval.makes-scheduled',
      ...exportRequestFields.map((field) => `export.create.${field}.required` as const),
      ...refusedOfAny.map((key) => `export.create.${key}` as const),
      'export.limits.hours.least',
      'export.limits.hours.most',
      'export.create.refused.nothing-created',
      'export.schedule.filter',
      'export.schedule.fields',
      ...Object.keys(refusedHours).map((key) => `export.limits.hours.${key}` as RequirementId),
    ],
    'creates scheduled exports',
    async (context) => {
      const body = await scheduled(context)
      const hasFields = lackOf(context.declared.selfHosted, 'export_fields') === undefined
      const refused = await toUnusedDestination(context, body)
      const windowed = await toUnusedDestination(context, await oneOff(context))
      const hours = Object.entries(refusedHours).map(([key, interval_hours]) => [
        `export.limits.hours.${key}`,
        // With an end, a service that takes zero for an absent value would create a one-off export.
        [refused, ...(key === 'zero' ? [windowed] : [])].flatMap((valid) =>
          interval_hours.map((value) => ({ body: { ...valid, interval_hours: value } })),
        ),
      ])
      for (const [requirement, change] of [
        ['export.limits.hours.least', { interval_hours: 1 }],
        ['export.limits.hours.most', { interval_hours: 168 }],
        // Does not divide a day.
        ['export.create.scheduled.accepted', { interval_hours: 26 }],
        ...(hasFields ? ([['export.schedule.fields', { export_fields: ['id', 'name'] }]] as const) : []),
      ] as const)
        await postSchedule(context, { ...body, ...change }, { requirement })
      const requirement = 'export.create.scheduled.accepted'
      const control = { method: 'POST', path: exportsPath, body, requirement } as const
      const { json } = await context.faults(control, {
        'export.create.scheduled.end-time-refused': [
          { end_time: '2999-01-01T00:00:00Z' },
          { end_time: windowed.end_time },
          { end_time: '2999-01-01T00:00:00Z', filter: 'eq(run_type, "llm")', export_fields: ['id', 'name'] },
        ].map((change) => ({ body: { ...refused, ...change } })),
        ...Object.fromEntries(hours),
        ...withoutEach(refused, exportRequestFields),
        ...refusedForms(refused, refusedOfAny),
      })
      const id = textAt(json, 'id') ?? ''
      await context.exports.get(id)
      await context.exports.untilListed([id])
      await cancelUnneeded(context, id)
      // Last: the target may allow only some exports.
      if ((await acceptsScheduledFilters(context)) && hasFields) {
        const both = { ...body, filter: plainFilter, export_fields: ['id', 'name'] }
        await postSchedule(context, both, { requirement: 'export.schedule.fields' })
      }
    },
  ),
]

/** Changes of a valid body whose effect is unspecified, by requirement. */
const undocumentedChanges = {
  'export.create.source-given': { source_bulk_export_id: unknownId },
  'export.create.unknown-session': { session_id: unknownId },
  'export.create.empty-window': { start_time: '1999-12-31T00:00:00Z', end_time: '1999-12-31T00:00:00Z' },
  'export.create.reversed-window': { end_time: '1999-12-30T00:00:00Z' },
  'export.create.future': { start_time: '2999-01-01T00:00:00Z', end_time: '2999-01-02T00:00:00Z' },
  'export.create.time-without-zone': { start_time: '1999-12-31T00:00:00' },
  'export.create.time-with-offset': { start_time: '1999-12-31T01:00:00+02:00' },
  'export.create.hours-text': { interval_hours: '24', end_time: undefined, start_time: '2999-01-01T00:00:00Z' },
  'export.create.null-end-time': { interval_hours: 168, end_time: null, start_time: '2999-01-01T00:00:00Z' },
  'export.schedule.future': { interval_hours: 1, end_time: undefined, start_time: '2999-01-01T00:00:00Z' },
  'export.fields.unknown': { export_fields: ['id', 'touchstone_no_such_field'] },
  'export.fields.empty': { export_fields: [] },
} as const

const undocumented = exportProbe(
  [
    ...(Object.keys(undocumentedChanges) as (keyof typeof undocumentedChanges)[]),
    'export.create.fields.others',
    'export.status.created',
    'export.status.scheduled',
  ],
  'observes undocumented creations',
  async (context) => {
    const valid = await oneOff(context)
    for (const [requirement, change] of Object.entries(undocumentedChanges)) {
      const post = 'interval_hours' in change ? postSchedule : postExport
      const response = await post(context, { ...valid, ...change })
      const source = textAt(response.json, 'source_bulk_export_id')
      const suffix = requirement === 'export.create.source-given' ? `, source_bulk_export_id ${source ?? 'none'}` : ''
      context.observe(requirement as keyof typeof undocumentedChanges, `${responseShape(response)}${suffix}`)
    }
    const { json } = await postExport(context, valid)
    context.observe('export.create.fields.others', Object.keys(Object(json)).join(', '))
    context.observe('export.status.created', show(textAt(json, 'status')))
    const schedule = await scheduled(context).then((body) => postSchedule(context, body))
    context.observe('export.status.scheduled', show(textAt(schedule.json, 'status')))
  },
)

export const createScenarios: readonly Scenario[] = [...creations, undocumented]
