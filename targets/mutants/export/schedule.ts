import type { ExportPolicies } from '../../../mock-server/export/policies.ts'
import { rejectRequest } from '../../wrappers/requests.ts'
import { combine } from '../../wrappers/responses.ts'
import { changeResponse } from '../../wrappers/routes.ts'
import { type ChangeExports, type Mutant, mutantsOf } from '../mutant.ts'
import { cancelExport, changeObjects, createExport, getExport, listExports, tenantOf } from './routes.ts'
import { type BulkExport, changeRecords } from './trace-records.ts'

const minute = 60_000
const day = 1440 * minute

/** Changes the time windows of schedules. */
function changeWindow(
  change: (
    window: ReturnType<ExportPolicies['windowOf']>,
    n: number,
  ) => Partial<ReturnType<ExportPolicies['windowOf']>>,
): ChangeExports {
  return ({ windowOf }) => ({
    windowOf: (startMs, hours, n) => {
      const window = windowOf(startMs, hours, n)
      return { ...window, ...change(window, n) }
    },
  })
}

/** Whether a schedule spawned an export. */
const isSpawned = ({ source_bulk_export_id }: BulkExport) => source_bulk_export_id !== null

/** Changes the keys of the files of spawned exports. */
function changeKeys(change: (key: string) => string): ChangeExports {
  return ({ objectKey }) => ({
    objectKey: (config, bulkExport, run) => {
      const key = objectKey(config, bulkExport, run)
      return isSpawned(bulkExport) ? change(key) : key
    },
  })
}

/** Defects of files that only spawned exports have. */
const filesOfSpawned: readonly Mutant[] = mutantsOf({
  'export.schedule.row-twice': {
    defect: 'scheduled exports contain each run twice',
    requirements: ['export.file.rows.once'],
    exportPolicies: changeRecords((record) => [record, record], isSpawned),
  },
  'export.schedule.other-name': {
    defect: 'scheduled exports contain another name of each run',
    requirements: ['export.record.name.value'],
    exportPolicies: changeRecords((record) => [{ ...record, name: `${record.name} ` }], isSpawned),
  },
  'export.schedule.failed-lost': {
    defect: 'scheduled exports omit failed runs',
    requirements: ['export.schedule.window.start'],
    alsoFails: {
      'export.schedule.window.end': 'such runs are also missing near the end of a window',
      'export.file.border-kept': 'by chance, the run on a border has failed',
    },
    exportPolicies: changeRecords((record) => (record.status === 'error' ? [] : [record]), isSpawned),
  },
  'export.schedule.unfinished-lost': {
    defect: 'scheduled exports omit runs that have not ended',
    requirements: ['export.schedule.window.start'],
    alsoFails: {
      'export.schedule.window.end': 'such runs are also missing near the end of a window',
      'export.file.border-kept': 'by chance, the run on a border has not ended',
    },
    exportPolicies: changeRecords((record) => (record.end_time === null ? [] : [record]), isSpawned),
  },
  'export.schedule.fields-refused': {
    defect: 'a schedule with export_fields is refused',
    requirements: ['export.schedule.fields'],
    wrap: rejectRequest(createExport, (body) => body['interval_hours'] !== undefined && 'export_fields' in body),
  },
  'export.schedule.column-lost': {
    defect: 'the files of scheduled exports lack the column name although export_fields names it',
    requirements: ['export.fields.complete'],
    exportPolicies: ({ columnsOf }) => ({
      columnsOf: (bulkExport) =>
        columnsOf(bulkExport).filter(
          ({ name }) => name !== 'name' || !isSpawned(bulkExport) || bulkExport.export_fields === null,
        ),
    }),
  },
  'export.schedule.inputs-lost': {
    defect: 'the files of scheduled exports lack the column inputs',
    requirements: ['export.record.inputs.column'],
    alsoFails: { 'export.fields.limit-columns': 'the schedule with the longest interval requests inputs' },
    exportPolicies: ({ columnsOf }) => ({
      columnsOf: (bulkExport) =>
        columnsOf(bulkExport).filter(({ name }) => name !== 'inputs' || !isSpawned(bulkExport)),
    }),
  },
  'export.schedule.first-of-and': {
    defect: 'a scheduled export uses only the first argument of `and` in its filter',
    requirements: ['export.schedule.filter'],
    exportPolicies: ({ compileFilter }) => ({
      compileFilter: (text) => compileFilter(text.replace(/^and\((like\(name, "%"\)), .*/, '$1')),
    }),
  },
  'export.schedule.nothing-without-filter': {
    defect: 'the exports of a schedule without filter contain no runs',
    requirements: ['export.schedule.own-path'],
    exportPolicies: changeRecords(
      () => [],
      (bulkExport) => isSpawned(bulkExport) && bulkExport.filter === null,
    ),
  },
  'export.schedule.hours-of-a-day': {
    defect: 'an interval of 168 hours is one of 2 hours',
    requirements: ['export.schedule.window.start'],
    alsoFails: {
      'export.schedule.every-window': 'there are many windows',
      'export.schedule.window.end': 'the windows end days early',
      'export.schedule.delay': 'the windows of two hours are due before the end of the first one of 168 hours',
    },
    exportPolicies: ({ windowOf }) => ({
      windowOf: (startMs, hours, n) => windowOf(startMs, hours === 168 ? 2 : hours, n),
    }),
  },
  'export.schedule.other-tenant': {
    defect: 'the paths of the files of scheduled exports contain the id of another workspace',
    requirements: ['export.file.path.tenant_id'],
    exportPolicies: changeKeys((key) =>
      key.replace(/tenant_id=[^/]+/, 'tenant_id=00000000-0000-4000-8000-00000000000b'),
    ),
  },
  'export.schedule.other-year': {
    defect: 'the files of scheduled exports are in the partition of the year before',
    requirements: ['export.file.partition'],
    exportPolicies: changeKeys((key) => key.replace(/year=(\d+)/, (_, year) => `year=${Number(year) - 1}`)),
  },
  'export.schedule.source-lost': {
    defect: 'a cancelled export no longer shows which schedule spawned it',
    requirements: ['export.schedule.source'],
    wrap: changeObjects(getExport, (record) =>
      record['status'] === 'Cancelled' ? { ...record, source_bulk_export_id: null } : record,
    ),
  },
  'export.schedule.outside-prefix': {
    defect: 'the files of scheduled exports are outside the prefix of the destination',
    requirements: ['export.file.prefix', 'export.destination.prefix.confines'],
    exportPolicies: changeKeys((key) => key.replace(/^.*?(?=export_id=)/, '')),
  },
})

export const scheduleMutants: readonly Mutant[] = [
  ...mutantsOf({
    'export.schedule.never': {
      defect: 'a schedule creates no exports',
      requirements: ['export.schedule.spawns'],
      exportPolicies: changeWindow(() => ({ dueMs: Number.POSITIVE_INFINITY })),
    },
    'export.schedule.no-delay': {
      defect: 'a schedule creates an export without the specified delay',
      requirements: ['export.schedule.delay'],
      exportPolicies: changeWindow(({ endMs }) => ({ dueMs: endMs })),
    },
    'export.schedule.no-delay-later': {
      defect: 'all exports of a schedule but the first one begin four minutes early',
      requirements: ['export.schedule.delay'],
      // Not five: the scenario cancels the schedule five minutes before an export is due.
      exportPolicies: changeWindow(({ endMs, dueMs }, n) => ({ dueMs: n > 1 ? endMs + 6 * minute : dueMs })),
    },
    'export.schedule.no-delay-further': {
      defect: 'when a schedule catches up, it also exports the next window, before that is due',
      requirements: ['export.schedule.delay'],
      // Windows 4 and 5 are due at once.
      exportPolicies: changeWindow(({ endMs, dueMs }, n) => ({ dueMs: n > 5 ? endMs : dueMs })),
    },
    'export.schedule.window-repeated-further': {
      defect: 'when a schedule catches up, it exports the fourth window twice',
      requirements: ['export.schedule.every-window'],
      alsoFails: { 'export.file.border': 'the runs on the borders of that window are exported twice' },
      exportPolicies: changeWindow(({ startMs, endMs, dueMs }, n) => {
        const hours = n === 6 ? endMs - startMs : 0
        return { startMs: startMs - 2 * hours, endMs: endMs - 2 * hours, dueMs: dueMs - hours }
      }),
    },
    'export.schedule.restarts-each-day': {
      defect: 'the windows of an interval that divides no day start again 24 hours after the first one',
      requirements: ['export.schedule.window.end'],
      exportPolicies: ({ windowOf }) => ({
        windowOf: (startMs, hours, n) => {
          if (hours >= 24) return windowOf(startMs, hours, n)
          const perDay = Math.ceil(24 / hours)
          const dayMs = startMs + Math.floor((n - 1) / perDay) * day
          const window = windowOf(dayMs, hours, ((n - 1) % perDay) + 1)
          return { ...window, endMs: Math.min(window.endMs, dayMs + day) }
        },
      }),
    },
    'export.schedule.starts-early': {
      defect: 'the window of a scheduled export starts half an hour early',
      requirements: ['export.schedule.window.start'],
      exportPolicies: changeWindow(({ startMs }) => ({ startMs: startMs - 30 * minute })),
    },
    'export.schedule.starts-late': {
      defect: 'the window of a scheduled export starts twenty minutes late',
      requirements: ['export.schedule.window.start'],
      exportPolicies: changeWindow(({ startMs }) => ({ startMs: startMs + 20 * minute })),
    },
    'export.schedule.ends-early': {
      defect: 'the window of a scheduled export ends twenty minutes early',
      requirements: ['export.schedule.window.end'],
      exportPolicies: changeWindow(({ endMs }) => ({ endMs: endMs - 20 * minute })),
    },
    'export.schedule.ends-a-second-early': {
      defect: 'the window of a scheduled export ends a second early',
      requirements: ['export.schedule.window.end'],
      exportPolicies: changeWindow(({ endMs }) => ({ endMs: endMs - 1000 })),
    },
    'export.schedule.ends-late': {
      defect: 'the window of a scheduled export ends twenty minutes late',
      requirements: ['export.schedule.window.end'],
      exportPolicies: changeWindow(({ endMs }) => ({ endMs: endMs + 20 * minute })),
    },
    'export.schedule.window-lost': {
      defect: 'when the second window is due, the third one is exported instead',
      requirements: ['export.schedule.every-window'],
      alsoFails: { 'export.schedule.delay': 'the third window has not ended' },
      exportPolicies: changeWindow(({ startMs, endMs }, n) => {
        const hours = endMs - startMs
        return n === 2 ? { startMs: startMs + hours, endMs: endMs + hours } : {}
      }),
    },
    'export.schedule.hourly': {
      defect: 'schedules with an interval of several hours export each hour',
      requirements: ['export.schedule.window.end'],
      alsoFails: {
        'export.schedule.every-window': 'two exports cover each window',
        'export.schedule.delay': 'the exports of later hours run before the first window ends',
        'export.schedule.window.start': 'windows after the first one start an hour early',
      },
      exportPolicies: ({ windowOf }) => ({ windowOf: (startMs, _, n) => windowOf(startMs, 1, n) }),
    },
    'export.schedule.fails': {
      defect: 'all scheduled exports fail',
      requirements: ['export.schedule.every-window'],
      exportPolicies: ({ recordsOf }) => ({
        recordsOf: (traces, bulkExport, partition) => {
          if (bulkExport.source_bulk_export_id !== null) throw new Error('this export fails')
          return recordsOf(traces, bulkExport, partition)
        },
      }),
    },
    'export.schedule.empty-later': {
      defect: 'only the first export of a schedule contains runs',
      requirements: ['export.schedule.every-window'],
      exportPolicies: ({ recordsOf }) => {
        const first = new Map<string | null, string>()
        return {
          recordsOf: async function* (traces, bulkExport, partition) {
            const { source_bulk_export_id: source, id } = bulkExport
            if (!first.has(source)) first.set(source, id)
            if (source === null || first.get(source) === id) yield* recordsOf(traces, bulkExport, partition)
          },
        }
      },
    },
    'export.schedule.runs-at-first': {
      defect: 'a schedule exports only runs that its project had at its first export',
      requirements: ['export.schedule.window.start'],
      exportPolicies: ({ recordsOf }) => {
        const known = new Map<string, Set<string>>()
        return {
          recordsOf: async function* (traces, bulkExport, partition) {
            const { source_bulk_export_id: source } = bulkExport
            if (source === null) return yield* recordsOf(traces, bulkExport, partition)
            const ids = known.get(source) ?? new Set<string>()
            const all = { ...partition, startMs: 0, endMs: Number.MAX_SAFE_INTEGER }
            if (!known.has(source))
              for await (const records of recordsOf(traces, bulkExport, all)) for (const { id } of records) ids.add(id)
            known.set(source, ids)
            for await (const records of recordsOf(traces, bulkExport, partition))
              yield records.filter(({ id }) => ids.has(id))
          },
        }
      },
    },
    'export.schedule.no-source': {
      defect: 'scheduled exports do not have the id of their schedule',
      requirements: ['export.schedule.source'],
      exportPolicies: () => ({ sourceOf: () => null }),
    },
    'export.schedule.source-of-first-only': {
      defect: 'GET shows no source of all but the first export of a schedule',
      requirements: ['export.schedule.source'],
      wrap: (fetch) => {
        const first = new Map<unknown, unknown>()
        return changeObjects(getExport, (record) => {
          const { id, source_bulk_export_id: source } = record
          if (source !== null && !first.has(source)) first.set(source, id)
          return source === null || first.get(source) === id ? record : { ...record, source_bulk_export_id: null }
        })(fetch)
      },
    },
    'export.schedule.source-lost-in-list': {
      defect: 'the list shows no source of exports whose schedule is cancelled',
      requirements: ['export.schedule.source'],
      wrap: (fetch) => {
        const cancelled = new Set<unknown>()
        const watch = changeObjects(cancelExport, (record) => {
          cancelled.add(record['id'])
          return record
        })
        const hide = changeObjects(listExports, (record) =>
          cancelled.has(record['source_bulk_export_id']) ? { ...record, source_bulk_export_id: null } : record,
        )
        return combine(watch, hide)(fetch)
      },
    },
    'export.schedule.source-of-one-off': {
      defect: 'a one-off export has the latest schedule of its workspace as source',
      requirements: ['export.schedule.source'],
      wrap: (fetch) => {
        const latest = new Map<string | null, unknown>()
        const sources = new Map<unknown, unknown>()
        const show = (record: Record<string, unknown>) =>
          sources.has(record['id']) ? { ...record, source_bulk_export_id: sources.get(record['id']) } : record
        const watch = changeResponse(createExport, (body, request) => {
          const { id, interval_hours: hours } = Object(body)
          const tenant = tenantOf(request)
          if (hours !== null) latest.set(tenant, id)
          else if (latest.has(tenant)) sources.set(id, latest.get(tenant))
          return body
        })
        return combine(watch, changeObjects(getExport, show), changeObjects(listExports, show))(fetch)
      },
    },
    'export.schedule.under-source': {
      defect: 'the files of scheduled exports are in the folder of their schedule',
      requirements: ['export.schedule.own-path'],
      exportPolicies: ({ objectKey }) => ({
        objectKey: (config, bulkExport, run) =>
          objectKey(config, { ...bulkExport, id: bulkExport.source_bulk_export_id ?? bulkExport.id }, run),
      }),
    },
    'export.schedule.filter-lost': {
      defect: 'scheduled exports ignore the filter',
      requirements: ['export.schedule.filter'],
      alsoFails: { 'export.record.run_type.value': 'each run gets the type that the filter selects' },
      exportPolicies: changeRecords(
        (record) => [{ ...record, run_type: 'llm' }],
        ({ source_bulk_export_id }) => source_bulk_export_id !== null,
      ),
    },
  }),
  ...filesOfSpawned,
  {
    id: 'export.schedule.fields-lost',
    defect: 'scheduled exports ignore export_fields',
    requirements: ['export.schedule.fields'],
    exportPolicies: ({ columnsOf }) => ({
      columnsOf: (bulkExport) =>
        columnsOf(bulkExport.source_bulk_export_id === null ? bulkExport : { ...bulkExport, export_fields: null }),
    }),
  },
]
