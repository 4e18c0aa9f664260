import type { Wrap } from '../../wrappers/fetch.ts'
import { lastSegment, rejectRequest } from '../../wrappers/requests.ts'
import { combine } from '../../wrappers/responses.ts'
import { changeResponse, respondInstead } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { cancelExport, changeObjects, createExport, getExport, listExports, tenantOf } from './routes.ts'
import { type BulkExport, changeRecords } from './trace-records.ts'
import { workspaces } from './workspaces.ts'

const isSpawned = ({ source_bulk_export_id }: BulkExport): boolean => source_bulk_export_id !== null

/** Returns a function that returns the first export that was passed to it with the same destination. */
function firstOfDestination(): (bulkExport: BulkExport) => BulkExport {
  const first = new Map<string, BulkExport>()
  return (bulkExport) => {
    const { bulk_export_destination_id: id } = bulkExport
    if (!first.has(id)) first.set(id, bulkExport)
    return first.get(id) ?? bulkExport
  }
}

/** Exports the runs of the project in all workspaces, if an export has an option. */
function leak(option: 'filter' | 'export_fields'): Mutant {
  return {
    id: `export.auth.workspace.records-with-${option}`,
    defect: `an export with ${option} exports the project of another workspace`,
    requirements: ['export.auth.workspace.records'],
    exportPolicies: ({ recordsOf }) => ({
      recordsOf: async function* (traces, bulkExport, partition) {
        for (const tenant_id of bulkExport[option] === null ? [bulkExport.tenant_id] : workspaces)
          yield* recordsOf(traces, { ...bulkExport, tenant_id }, partition)
      },
    }),
  }
}

/** Cancels the schedule of a spawned export that is cancelled, and shows it as before. */
const stopWithExport: Wrap = (fetch) => {
  const stopped = new Set<unknown>()
  const show = (shown: Record<string, unknown>) =>
    stopped.has(shown['id']) ? { ...shown, status: 'IntervalScheduled' } : shown
  return combine(
    respondInstead(cancelExport, async (request, inner) => {
      stopped.delete(lastSegment(request))
      const { headers, method, url } = request
      const body = await request.clone().text()
      const response = await inner(request)
      const { source_bulk_export_id: source, id } = (await response.clone().json()) as Partial<BulkExport>
      if (!response.ok || !source || stopped.has(source)) return response
      const { ok } = await inner(new Request(url.replace(id ?? '', source), { method, headers, body }))
      if (ok) stopped.add(source)
      return response
    }),
    changeObjects(getExport, show),
    changeObjects(listExports, show),
  )(fetch)
}

/** Defects that show only if an export has options, a predecessor or another workspace. */
export const combinationMutants: readonly Mutant[] = [
  leak('filter'),
  leak('export_fields'),
  ...mutantsOf({
    'export.service.own-bucket.folder-of-first': {
      defect: 'the files of later one-off exports to a destination are in the folder of the first one',
      requirements: ['export.service.own-bucket'],
      alsoFails: { 'export.cancel.stops-writing': 'the folder of a cancelled export gets files of a later one' },
      exportPolicies: ({ objectKey }) => {
        const firstOf = firstOfDestination()
        return {
          objectKey: (config, bulkExport, run) =>
            objectKey(config, isSpawned(bulkExport) ? bulkExport : { ...bulkExport, id: firstOf(bulkExport).id }, run),
        }
      },
    },
    'export.fields.of-first-export': {
      defect: 'an export has the columns of the first export to its destination',
      requirements: ['export.fields.limit-columns'],
      exportPolicies: ({ columnsOf }) => {
        const firstOf = firstOfDestination()
        return {
          columnsOf: (bulkExport) => columnsOf({ ...bulkExport, export_fields: firstOf(bulkExport).export_fields }),
        }
      },
    },
    'export.fields.many-refused': {
      defect: 'more than nine names in export_fields are refused',
      requirements: ['export.fields.accepted'],
      wrap: rejectRequest(createExport, ({ export_fields: names }) => Array.isArray(names) && names.length > 9),
    },
    'export.schedule.workspace-lost': {
      defect: 'scheduled exports also contain the runs that other workspaces have of their project',
      requirements: ['export.auth.workspace.records'],
      exportPolicies: ({ recordsOf }) => ({
        recordsOf: async function* (traces, bulkExport, partition) {
          for (const tenant_id of isSpawned(bulkExport) ? workspaces : [bulkExport.tenant_id])
            yield* recordsOf(traces, { ...bulkExport, tenant_id }, partition)
        },
      }),
    },
    'export.schedule.filter-refused': {
      defect: 'a schedule with a filter is refused',
      requirements: ['export.schedule.filter'],
      wrap: rejectRequest(createExport, (body) => body['interval_hours'] !== undefined && 'filter' in body),
    },
    'export.schedule.filter-with-fields-refused': {
      defect: 'a schedule with a filter and export_fields is refused',
      requirements: ['export.schedule.fields'],
      wrap: rejectRequest(
        createExport,
        (body) => body['interval_hours'] !== undefined && 'filter' in body && 'export_fields' in body,
      ),
    },
    'export.schedule.fields-need-filter': {
      defect: 'a schedule without a filter ignores export_fields',
      requirements: ['export.schedule.fields'],
      exportPolicies: ({ columnsOf }) => ({
        columnsOf: (bulkExport) =>
          columnsOf(
            isSpawned(bulkExport) && bulkExport.filter === null ? { ...bulkExport, export_fields: null } : bulkExport,
          ),
      }),
    },
    'export.schedule.stopped-with-its-export': {
      defect: 'a schedule, one of whose exports is cancelled, exports no further window',
      requirements: ['export.schedule.every-window'],
      wrap: stopWithExport,
    },
    'export.create.whole-seconds-refused': {
      defect: 'times without a fraction of a second are refused',
      requirements: ['export.create.accepted'],
      wrap: rejectRequest(createExport, ({ start_time, end_time }) =>
        [start_time, end_time].every((time) => /T\d\d:\d\d:\d\dZ$/.test(String(time))),
      ),
    },
    'export.create.end-in-the-past': {
      defect: 'a schedule with an end_time in the past is accepted',
      requirements: ['export.create.scheduled.end-time-refused'],
      wrap: (fetch) => async (request) => {
        const body = request.method === 'POST' ? ((await request.clone().json()) as Record<string, unknown>) : {}
        const isPast = Number(body['interval_hours']) > 0 && Date.parse(String(body['end_time'])) < Date.now()
        return isPast ? Response.json({ id: crypto.randomUUID(), status: 'Created' }) : fetch(request)
      },
    },
    'export.cancel.with-destination': {
      defect: 'cancelling a one-off export cancels the others of its destination',
      requirements: ['export.cancel.only-named'],
      exportPolicies: () => ({
        cancelledWith: (named, { exports }) =>
          [...exports.values()].filter(
            (each) =>
              each === named ||
              (each.bulk_export_destination_id === named.bulk_export_destination_id &&
                each.interval_hours === null &&
                each.finished_at === null),
          ),
      }),
    },
    'export.list.status-of-second-workspace': {
      defect: 'the list of the second workspace shows the status of completed exports as Created',
      requirements: ['export.list.current-status'],
      wrap: changeResponse(listExports, (body, request) =>
        tenantOf(request) === workspaces[1] && Array.isArray(body)
          ? body.map((each) => (each.status === 'Completed' ? { ...each, status: 'Created' } : each))
          : body,
      ),
    },
    'export.record.total_cost.capped': {
      defect: 'costs above one dollar are exported as one dollar',
      requirements: ['export.record.total_cost.value'],
      exportPolicies: changeRecords((record) => [
        { ...record, total_cost: record.total_cost === null ? null : Math.min(1, record.total_cost) },
      ]),
    },
    'export.record.end_time.of-the-hour': {
      defect: 'a run that takes more than an hour is exported as unfinished',
      requirements: ['export.record.end_time.value'],
      exportPolicies: changeRecords((record) => {
        const tookMs = Date.parse(record.end_time ?? '') - Date.parse(record.start_time)
        return [tookMs > 3_600_000 ? { ...record, end_time: null } : record]
      }),
    },
  }),
]
