import type { ExportPolicies } from '../../../mock-server/export/policies.ts'
import type { Mutant } from '../mutant.ts'
import { changeRecords } from './trace-records.ts'

const minute = 60_000

/** Changes the time windows of schedules. */
function changeWindow(
  change: (
    window: ReturnType<ExportPolicies['windowOf']>,
    n: number,
  ) => Partial<ReturnType<ExportPolicies['windowOf']>>,
): NonNullable<Mutant['exportPolicies']> {
  return ({ windowOf }) => ({
    windowOf: (startMs, hours, n) => {
      const window = windowOf(startMs, hours, n)
      return { ...window, ...change(window, n) }
    },
  })
}

export const scheduleMutants: readonly Mutant[] = [
  {
    id: 'export.schedule.never',
    defect: 'a schedule creates no exports',
    requirements: ['export.schedule.spawns'],
    exportPolicies: changeWindow(() => ({ dueMs: Number.POSITIVE_INFINITY })),
  },
  {
    id: 'export.schedule.no-delay',
    defect: 'a schedule creates an export without the specified delay',
    requirements: ['export.schedule.delay'],
    exportPolicies: changeWindow(({ endMs }) => ({ dueMs: endMs })),
  },
  {
    id: 'export.schedule.no-delay-later',
    defect: 'all exports of a schedule but the first one begin five minutes early',
    requirements: ['export.schedule.delay'],
    exportPolicies: changeWindow(({ endMs, dueMs }, n) => ({ dueMs: n > 1 ? endMs + 5 * minute : dueMs })),
  },
  {
    id: 'export.schedule.starts-early',
    defect: 'the window of a scheduled export starts half an hour early',
    requirements: ['export.schedule.window.start'],
    exportPolicies: changeWindow(({ startMs }) => ({ startMs: startMs - 30 * minute })),
  },
  {
    id: 'export.schedule.starts-late',
    defect: 'the window of a scheduled export starts twenty minutes late',
    requirements: ['export.schedule.window.start'],
    exportPolicies: changeWindow(({ startMs }) => ({ startMs: startMs + 20 * minute })),
  },
  {
    id: 'export.schedule.ends-early',
    defect: 'the window of a scheduled export ends twenty minutes early',
    requirements: ['export.schedule.window.end'],
    exportPolicies: changeWindow(({ endMs }) => ({ endMs: endMs - 20 * minute })),
  },
  {
    id: 'export.schedule.ends-a-second-early',
    defect: 'the window of a scheduled export ends a second early',
    requirements: ['export.schedule.window.end'],
    exportPolicies: changeWindow(({ endMs }) => ({ endMs: endMs - 1000 })),
  },
  {
    id: 'export.schedule.ends-late',
    defect: 'the window of a scheduled export ends twenty minutes late',
    requirements: ['export.schedule.window.end'],
    exportPolicies: changeWindow(({ endMs }) => ({ endMs: endMs + 20 * minute })),
  },
  {
    id: 'export.schedule.window-lost',
    defect: 'when the second window is due, the third one is exported instead',
    requirements: ['export.schedule.every-window'],
    alsoFails: { 'export.schedule.delay': 'the third window has not ended' },
    exportPolicies: changeWindow(({ startMs, endMs }, n) => {
      const hours = endMs - startMs
      return n === 2 ? { startMs: startMs + hours, endMs: endMs + hours } : {}
    }),
  },
  {
    id: 'export.schedule.hourly',
    defect: 'schedules with an interval of several hours export each hour',
    requirements: ['export.schedule.window.end'],
    alsoFails: {
      'export.schedule.every-window': 'two exports cover each window',
      'export.schedule.delay': 'the exports of later hours run before the first window ends',
      'export.schedule.window.start': 'windows after the first one start an hour early',
    },
    exportPolicies: ({ windowOf }) => ({ windowOf: (startMs, _, n) => windowOf(startMs, 1, n) }),
  },
  {
    id: 'export.schedule.fails',
    defect: 'all scheduled exports fail',
    requirements: ['export.schedule.every-window'],
    exportPolicies: ({ recordsOf }) => ({
      recordsOf: (traces, bulkExport, partition) => {
        if (bulkExport.source_bulk_export_id !== null) throw new Error('this export fails')
        return recordsOf(traces, bulkExport, partition)
      },
    }),
  },
  {
    id: 'export.schedule.empty-later',
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
  {
    id: 'export.schedule.no-source',
    defect: 'scheduled exports do not have the id of their schedule',
    requirements: ['export.schedule.source'],
    exportPolicies: () => ({ sourceOf: () => null }),
  },
  {
    id: 'export.schedule.under-source',
    defect: 'the files of scheduled exports are in the folder of their schedule',
    requirements: ['export.schedule.own-path'],
    exportPolicies: ({ objectKey }) => ({
      objectKey: (config, bulkExport, run) =>
        objectKey(config, { ...bulkExport, id: bulkExport.source_bulk_export_id ?? bulkExport.id }, run),
    }),
  },
  {
    id: 'export.schedule.filter-lost',
    defect: 'scheduled exports ignore the filter',
    requirements: ['export.schedule.filter'],
    exportPolicies: changeRecords(
      (record) => [{ ...record, run_type: 'llm' }],
      ({ source_bulk_export_id }) => source_bulk_export_id !== null,
    ),
  },
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
