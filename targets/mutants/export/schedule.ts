import type { ExportPolicies } from '../../../mock-server/export/policies.ts'
import type { Mutant } from '../mutant.ts'
import { changeRecords } from './trace-records.ts'

const minute = 60_000

/** Changes the windows of schedules. */
function changeWindow(
  change: (usual: ReturnType<ExportPolicies['windowOf']>, n: number) => Partial<ReturnType<ExportPolicies['windowOf']>>,
): NonNullable<Mutant['exportPolicies']> {
  return ({ windowOf }) => ({
    windowOf: (startMs, hours, n) => {
      const usual = windowOf(startMs, hours, n)
      return { ...usual, ...change(usual, n) }
    },
  })
}

export const scheduleMutants: readonly Mutant[] = [
  {
    id: 'export.schedule.never',
    defect: 'a schedule spawns nothing',
    requirements: ['export.schedule.spawns'],
    exportPolicies: changeWindow(() => ({ dueMs: Number.POSITIVE_INFINITY })),
  },
  {
    id: 'export.schedule.no-delay',
    defect: 'an export is spawned as soon as its window is over',
    requirements: ['export.schedule.delay'],
    exportPolicies: changeWindow(({ endMs }) => ({ dueMs: endMs })),
  },
  {
    id: 'export.schedule.starts-early',
    defect: 'spawned exports begin half an hour early',
    requirements: ['export.schedule.window.start'],
    exportPolicies: changeWindow(({ startMs }) => ({ startMs: startMs - 30 * minute })),
  },
  {
    id: 'export.schedule.starts-late',
    defect: 'spawned exports begin twenty minutes late',
    requirements: ['export.schedule.window.start'],
    alsoFails: { 'export.file.border-kept': 'what begins on a border is in no window then' },
    exportPolicies: changeWindow(({ startMs }) => ({ startMs: startMs + 20 * minute })),
  },
  {
    id: 'export.schedule.ends-early',
    defect: 'spawned exports end twenty minutes early',
    requirements: ['export.schedule.window.end'],
    exportPolicies: changeWindow(({ endMs }) => ({ endMs: endMs - 20 * minute })),
  },
  {
    id: 'export.schedule.ends-late',
    defect: 'spawned exports end twenty minutes late',
    requirements: ['export.schedule.window.end'],
    alsoFails: { 'export.file.border': 'what begins on a border is in two windows then' },
    exportPolicies: changeWindow(({ endMs }) => ({ endMs: endMs + 20 * minute })),
  },
  {
    id: 'export.schedule.window-lost',
    defect: 'when the clock passes two windows at once, the later one is exported twice and the earlier one never',
    requirements: ['export.schedule.every-window'],
    alsoFails: {
      'export.file.border': 'the later window is there twice',
      'export.file.border-kept': 'the earlier window is lost',
    },
    exportPolicies: changeWindow(({ startMs, endMs }, n) => {
      const hours = endMs - startMs
      return n === 2 ? { startMs: startMs + hours, endMs: endMs + hours } : {}
    }),
  },
  {
    id: 'export.schedule.no-source',
    defect: 'spawned exports do not name their schedule',
    requirements: ['export.schedule.source'],
    exportPolicies: () => ({ sourceOf: () => null }),
  },
  {
    id: 'export.schedule.under-source',
    defect: 'the files of spawned exports stand under the id of their schedule',
    requirements: ['export.schedule.own-path'],
    exportPolicies: ({ objectKey }) => ({
      objectKey: (config, bulkExport, run) =>
        objectKey(config, { ...bulkExport, id: bulkExport.source_bulk_export_id ?? bulkExport.id }, run),
    }),
  },
  {
    id: 'export.schedule.filter-lost',
    defect: 'spawned exports have no filter',
    requirements: ['export.schedule.filter'],
    exportPolicies: changeRecords(
      (record) => [{ ...record, run_type: 'llm' }],
      ({ source_bulk_export_id }) => source_bulk_export_id !== null,
    ),
  },
  {
    id: 'export.schedule.fields-lost',
    defect: 'spawned exports have all columns',
    requirements: ['export.schedule.fields'],
    exportPolicies: ({ columnsOf }) => ({
      columnsOf: (of) => columnsOf(of.source_bulk_export_id === null ? of : { ...of, export_fields: null }),
    }),
  },
]
