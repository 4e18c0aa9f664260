import { oneOffFields, refusedChanges, refusedHours, refusedKeys } from '../../../suites/catalog/export/bulk-export.ts'
import { exportFields } from '../../../suites/catalog/export/files.ts'
import { isObject } from '../../../suites/catalog/facts.ts'
import { errorResponse, jsonBody, rejectRequest, withBody } from '../../wrappers/requests.ts'
import { combine, replace } from '../../wrappers/responses.ts'
import { changeResponse, matchesRoute, respondInstead } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import {
  acceptInvalid,
  changeObjects,
  createExport,
  getExport,
  keepRefused,
  listExports,
  listRuns,
  tenantOf,
} from './routes.ts'

const isScheduled = (body: Readonly<Record<string, unknown>>) => (body['interval_hours'] ?? null) !== null
const isIncomplete = (body: Readonly<Record<string, unknown>>) => oneOffFields.some((field) => !(field in body))

function completedAsFailed(record: Readonly<Record<string, unknown>>): object {
  return record['status'] === 'Completed' ? { ...record, status: 'Failed' } : record
}

function has(body: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(fields).every(([field, value]) => body[field] === value)
}

/** Adds one to the row count of an export run. */
function addRow(run: Readonly<Record<string, unknown>>): object {
  const { metadata } = run
  if (!isObject(metadata) || !isObject(metadata['result'])) return run
  const rows_written = Number(metadata['result']['rows_written']) + 1
  return { ...run, metadata: { ...metadata, result: { ...metadata['result'], rows_written } } }
}

const creation: readonly Mutant[] = [
  {
    id: 'export.create.refused',
    defect: 'every one-off export is rejected',
    requirements: ['export.create.accepted'],
    wrap: rejectRequest(createExport, (body) => !isScheduled(body)),
  },
  ...oneOffFields.map(
    (field): Mutant => ({
      id: `export.create.${field}.optional`,
      defect: `a one-off export without ${field} is accepted`,
      requirements: [`export.create.${field}.required`],
      wrap: acceptInvalid(createExport, (body) => !isScheduled(body) && !(field in body)),
    }),
  ),
  ...refusedKeys.flatMap((key) =>
    refusedChanges(key).map(
      (change, index): Mutant => ({
        id: `export.create.${key}-${['unchecked', 'lenient', 'empty'][index]}`,
        defect: `an export with ${JSON.stringify(change)} is accepted`,
        requirements: [`export.create.${key}`],
        wrap: acceptInvalid(createExport, (body) => has(body, change)),
      }),
    ),
  ),
  ...refusedKeys.flatMap((key): readonly Mutant[] => {
    const [change] = refusedChanges(key)
    if (key === 'end_time.form' || change === undefined) return []
    return [
      {
        id: `export.create.scheduled.${key}-unchecked`,
        defect: `a scheduled export with ${JSON.stringify(change)} is accepted`,
        requirements: [`export.create.${key}`],
        wrap: acceptInvalid(createExport, (body) => isScheduled(body) && has(body, change)),
      },
    ]
  }),
  ...['filter', 'export_fields'].map(
    (field): Mutant => ({
      id: `export.create.end_time.optional-with-${field.replace('export_', '')}`,
      defect: `a one-off export with ${field} and without end_time is accepted`,
      requirements: ['export.create.end_time.required'],
      wrap: acceptInvalid(createExport, (body) => !isScheduled(body) && !('end_time' in body) && field in body),
    }),
  ),
  ...mutantsOf({
    'export.create.scheduled.refused': {
      defect: 'every scheduled export is rejected',
      requirements: ['export.create.scheduled.accepted'],
      wrap: rejectRequest(createExport, isScheduled),
    },
    'export.create.scheduled.start-defaulted': {
      defect: 'a scheduled export without start_time is accepted',
      requirements: ['export.create.start_time.required'],
      wrap: acceptInvalid(createExport, (body) => isScheduled(body) && !('start_time' in body)),
    },
    'export.create.scheduled.end-time-accepted': {
      defect: 'a scheduled export with an end_time is accepted',
      requirements: ['export.create.scheduled.end-time-refused'],
      wrap: acceptInvalid(
        createExport,
        (body) => Number(body['interval_hours'] ?? 0) > 0 && (body['end_time'] ?? null) !== null,
      ),
    },
    'export.create.refused-and-created': {
      defect: 'a rejected export is created',
      requirements: ['export.create.refused.nothing-created'],
      wrap: respondInstead(createExport, async (request, fetch) => {
        const body = await jsonBody(request)
        if ('start_time' in body || isScheduled(body)) return fetch(request)
        await fetch(withBody(request, { ...body, start_time: '1999-12-31T00:00:00Z' }))
        return errorResponse(422)
      }),
    },
    'export.create.refused.destination-kept': {
      defect: 'an export that is rejected because its destination is unknown is listed as failed',
      requirements: ['export.create.refused.nothing-created'],
      wrap: keepRefused((body) => 'end_time' in body && 'start_time' in body && 'session_id' in body),
    },
    'export.create.refused.hours-kept': {
      defect: 'an export that is rejected because of its interval_hours is listed as failed',
      requirements: ['export.create.refused.nothing-created'],
      wrap: keepRefused((body) => body['interval_hours'] === 169),
    },
    'export.create.refused.end-time-kept': {
      defect: 'a scheduled export that is rejected because of its end_time is listed as failed',
      requirements: ['export.create.refused.nothing-created'],
      wrap: keepRefused((body) => isScheduled(body) && String(body['end_time']).startsWith('2999')),
    },
    'export.create.refused.with-500': {
      defect: 'an export with a missing field gets status 500',
      requirements: ['export.create.refused.client-error'],
      wrap: rejectRequest(createExport, (body) => !isScheduled(body) && isIncomplete(body), 500),
    },
    'export.create.id-reused': {
      defect: 'every export has the id of the first one',
      requirements: ['export.create.fresh-id'],
      alsoFails: { 'export.list.creation-time-kept': 'records of several exports have the same id' },
      nondeterministic: 'checks read the export of another check',
      wrap: (fetch) => {
        let first: unknown
        return changeResponse(createExport, (body) => {
          first ??= Object(body)['id']
          return { ...Object(body), id: first }
        })(fetch)
      },
    },
    'export.create.scheduled.ends-at-once': {
      defect: 'a scheduled export has the status Completed',
      requirements: ['export.create.interval.makes-scheduled'],
      alsoFails: { 'export.list.current-status': 'a read shows another status than the list' },
      wrap: changeObjects(getExport, (record) =>
        record['status'] === 'IntervalScheduled' ? { ...record, status: 'Completed' } : record,
      ),
    },
    'export.limits.hours.least-refused': {
      defect: 'interval_hours 1 is rejected',
      requirements: ['export.limits.hours.least'],
      wrap: rejectRequest(createExport, (body) => body['interval_hours'] === 1),
    },
    'export.limits.hours.zero-is-absent': {
      defect: 'an export with an end_time and interval_hours 0 is accepted',
      requirements: ['export.limits.hours.zero'],
      wrap: acceptInvalid(createExport, (body) => body['interval_hours'] === 0 && 'end_time' in body),
    },
    'export.create.scheduled.day-and-more-refused': {
      defect: 'interval_hours 26 is refused',
      requirements: ['export.create.scheduled.accepted'],
      wrap: rejectRequest(createExport, (body) => body['interval_hours'] === 26),
    },
    'export.limits.hours.most-refused': {
      defect: 'interval_hours 168 is rejected',
      requirements: ['export.limits.hours.most'],
      wrap: rejectRequest(createExport, (body) => body['interval_hours'] === 168),
    },
  }),
  ...Object.entries(refusedHours).flatMap(([key, values]) =>
    values.map(
      (hours): Mutant => ({
        id: `export.limits.hours.${key}-accepted-${Math.abs(hours)}`,
        defect: `interval_hours ${hours} is accepted`,
        requirements: [`export.limits.hours.${key as keyof typeof refusedHours}`],
        wrap: acceptInvalid(createExport, (body) => body['interval_hours'] === hours),
      }),
    ),
  ),
  {
    id: 'export.filter.refused',
    defect: 'filters with `and` are rejected',
    requirements: ['export.filter.accepted'],
    wrap: rejectRequest(createExport, ({ filter }) => String(filter).startsWith('and(')),
  },
  {
    id: 'export.fields.refused',
    defect: 'export_fields is rejected',
    requirements: ['export.fields.accepted'],
    wrap: rejectRequest(createExport, (body) => 'export_fields' in body),
  },
  ...exportFields.map(
    (name): Mutant => ({
      id: `export.fields.${name}-refused`,
      defect: `export_fields with only ${name} is rejected`,
      requirements: [`export.fields.${name}.usable`],
      wrap: rejectRequest(
        createExport,
        ({ export_fields }) => JSON.stringify(export_fields) === JSON.stringify([name]),
      ),
    }),
  ),
]

const reading: readonly Mutant[] = mutantsOf({
  'export.get.refused': {
    defect: 'GET of an export fails',
    requirements: ['export.get.answers-export'],
    wrap: rejectRequest(getExport, () => true),
  },
  'export.get.enveloped': {
    defect: 'GET of an export returns an object that contains the export',
    requirements: ['export.get.answers-export'],
    wrap: changeResponse(getExport, (bulkExport) => ({ export: bulkExport })),
  },
  'export.list.refused': {
    defect: 'the list of exports fails',
    requirements: ['export.list.answers-list'],
    wrap: rejectRequest(listExports, () => true),
  },
  'export.list.without-scheduled': {
    defect: 'the list of exports omits scheduled exports',
    requirements: ['export.list.complete'],
    wrap: changeResponse(listExports, (body) =>
      Array.isArray(body) ? body.filter((record) => !isScheduled(record)) : body,
    ),
  },
  'export.list.other-workspace-empty': {
    defect: 'the list of the second workspace is empty',
    requirements: ['export.list.complete'],
    wrap: changeResponse(listExports, (list, request) => (tenantOf(request)?.endsWith('b') ? [] : list)),
  },
  'export.list.first-of-page-lost': {
    defect: 'each page of the list of exports but the first one starts one export too late',
    requirements: ['export.list.complete'],
    wrap: respondInstead(listExports, async (request, fetch) => {
      const response = await fetch(request)
      const list = response.ok ? await response.json() : undefined
      if (!Array.isArray(list)) return response
      const offset = Number(new URL(request.url).searchParams.get('offset') ?? 0)
      // Small pages, so that exports of several scenarios are lost.
      return Response.json(list.slice(offset + Math.sign(offset), offset + 4))
    }),
  },
  'export.list.without-cancelled': {
    defect: 'the list of exports omits cancelled exports',
    requirements: ['export.list.complete'],
    wrap: changeResponse(listExports, (body) =>
      Array.isArray(body) ? body.filter((record) => Object(record).status !== 'Cancelled') : body,
    ),
  },
  'export.list.without-failed': {
    defect: 'the list of exports omits failed exports',
    requirements: ['export.list.complete'],
    wrap: changeResponse(listExports, (body) =>
      Array.isArray(body) ? body.filter((record) => Object(record).status !== 'Failed') : body,
    ),
  },
  'export.list.without-cancelled-spawned': {
    defect: 'the list of exports omits cancelled exports that a schedule spawned',
    requirements: ['export.list.complete'],
    wrap: changeResponse(listExports, (body) =>
      Array.isArray(body)
        ? body.filter(({ status, source_bulk_export_id: source }) => status !== 'Cancelled' || source === null)
        : body,
    ),
  },
  'export.list.no-creation-time': {
    defect: 'the list of exports lacks created_at',
    requirements: ['export.list.creation-time'],
    wrap: changeObjects(listExports, ({ created_at: _, ...record }) => record),
  },
  'export.list.no-creation-time-spawned': {
    defect: 'the list of exports lacks all times of exports that a schedule spawned',
    requirements: ['export.list.creation-time'],
    wrap: changeObjects(listExports, (record) => {
      const { id, status, source_bulk_export_id } = record
      return source_bulk_export_id === null ? record : { id, status, source_bulk_export_id }
    }),
  },
  'export.runs.refused': {
    defect: 'the list of export runs fails',
    requirements: ['export.runs.answers-list'],
    wrap: rejectRequest(listRuns, () => true),
  },
  'export.runs.of-others-too': {
    defect: 'the list of export runs contains runs of other exports',
    requirements: ['export.runs.own'],
    wrap: (fetch) => {
      const others: unknown[] = []
      return changeResponse(listRuns, (body) => {
        const runs = body as unknown[]
        if (runs.length === 1) return [...runs, ...others]
        others.push(...runs)
        return runs
      })(fetch)
    },
  },
  'export.runs.spawned-empty': {
    defect: 'the list of export runs of an export that a schedule spawned is empty',
    requirements: ['export.run.per-date'],
    wrap: (fetch) => async (request) => {
      const response = await fetch(request)
      if (!matchesRoute(request, listRuns) || !response.ok) return response
      const bulkExport = await fetch(new Request(request.url.replace(/\/runs$/, ''), { headers: request.headers }))
      const { source_bulk_export_id: source } = Object(await bulkExport.json())
      return (source ?? null) === null ? response : replace(response, { body: '[]' })
    },
  },
  'export.run.date-lost': {
    defect: 'the first date of an export has no run',
    requirements: ['export.run.per-date'],
    alsoFails: {
      'export.run.rows': 'dates without rows may have a run, so that the list can be long enough without one',
    },
    wrap: changeResponse(listRuns, (body) => ((body as unknown[]).length > 1 ? (body as unknown[]).slice(1) : body)),
  },
  'export.run.one-id': {
    defect: 'all runs of an export have the same id, and only rows and times differ',
    requirements: ['export.run.id'],
    alsoFails: { 'export.runs.once': 'the list has the same id several times' },
    wrap: changeResponse(listRuns, (body) => {
      const runs = body as Record<string, unknown>[]
      return runs.map(({ metadata, ...run }) => ({
        ...run,
        id: runs[0]?.['id'],
        metadata: { result: { rows_written: Object(Object(metadata).result).rows_written } },
      }))
    }),
  },
  'export.run.new-id': {
    defect: 'every list of export runs has new ids',
    requirements: ['export.run.id'],
    wrap: changeObjects(listRuns, ({ metadata, ...run }) => ({
      ...run,
      id: crypto.randomUUID(),
      metadata: { result: { rows_written: Object(Object(metadata).result).rows_written } },
    })),
  },
  'export.run.no-status': {
    defect: 'export runs have no status',
    requirements: ['export.run.status'],
    wrap: changeObjects(listRuns, ({ status: _, ...run }) => run),
  },
  'export.run.no-creation-time': {
    defect: 'export runs have no created_at',
    requirements: ['export.run.creation-time'],
    wrap: changeObjects(listRuns, ({ created_at: _, ...run }) => run),
  },
  'export.run.rows-wrong': {
    defect: 'export runs have a row count that is too high by one',
    requirements: ['export.run.rows'],
    alsoFails: { 'export.service.own-bucket': 'an export without runs shows a row but has no file' },
    wrap: changeObjects(listRuns, addRow),
  },
  'export.run.rows-before-filter': {
    defect: 'export runs of an export with a filter count the rows before the filter',
    requirements: ['export.run.rows'],
    alsoFails: { 'export.service.own-bucket': 'an export whose filter no run passes reports rows and writes no file' },
    wrap: (fetch) => {
      const filtered = new Set<unknown>()
      return combine(
        respondInstead(createExport, async (request, inner) => {
          const { filter } = await jsonBody(request)
          const response = await inner(request)
          if (response.ok && filter !== undefined) filtered.add(Object(await response.clone().json()).id)
          return response
        }),
        changeResponse(listRuns, (body, request) =>
          Array.isArray(body) && filtered.has(new URL(request.url).pathname.split('/').at(-2))
            ? body.map((run) => addRow(run))
            : body,
        ),
      )(fetch)
    },
  },
  'export.execute.fails': {
    defect: 'every export fails',
    requirements: ['export.execute.ends'],
    wrap: combine(changeObjects(getExport, completedAsFailed), changeObjects(listExports, completedAsFailed)),
  },
})

export const exportApiMutants: readonly Mutant[] = [...creation, ...reading]
