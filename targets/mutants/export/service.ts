import type { TraceRecord } from '../../../mock-server/export/traces/record.ts'
import { jsonBody } from '../../wrappers/requests.ts'
import { respondInstead } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { createExport } from './routes.ts'
import { type BulkExport, changeRange, changeRecords, isPlain } from './trace-records.ts'

const day = 86_400_000
const hour = 3_600_000
const workspaces = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'] as const

/** `reference_example_id` of the runs of other projects. */
const foreign = 'f0000000-0000-4000-8000-000000000001'
const project = '5e000000-0000-4000-8000-000000000001'

/** Adds the runs of all projects to some exports. */
function mixProjects(isMixed: (bulkExport: BulkExport) => boolean): Pick<Mutant, 'changeRun' | 'exportPolicies'> {
  return {
    changeRun: (run) =>
      run['tenant_id'] === workspaces[0] && run['session_id'] !== project
        ? { ...run, session_id: project, reference_example_id: foreign }
        : run,
    exportPolicies: changeRecords(
      (record) => (record.reference_example_id === foreign ? [] : [record]),
      (bulkExport) => !isMixed(bulkExport),
    ),
  }
}

/** The start of the root of a trace, in milliseconds since the Unix epoch: `dotted_order` starts with it. */
function traceStart({ dotted_order }: TraceRecord): number {
  return Date.parse(dotted_order.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\d)(\d{3}).*$/, '$1-$2-$3:$4:$5.$6Z'))
}

export const serviceMutants: readonly Mutant[] = mutantsOf({
  'export.service.first-hour-lost': {
    defect: 'an export omits the first hour of its window',
    requirements: ['export.service.time-range'],
    exportPolicies: changeRange(({ startMs, endMs }, bulkExport) => ({
      startMs: isPlain(bulkExport) && startMs % day !== 0 ? startMs + hour : startMs,
      endMs,
    })),
  },
  'export.service.summer-hour-lost': {
    defect: 'an export omits the first hour of its window in June and July',
    requirements: ['export.service.time-range'],
    exportPolicies: changeRange(({ startMs, endMs }, bulkExport) => {
      const isSummer = isPlain(bulkExport) && [5, 6].includes(new Date(startMs).getUTCMonth())
      return { startMs: isSummer && startMs === bulkExport.start_time ? startMs + hour : startMs, endMs }
    }),
  },
  'export.service.leap-day-lost': {
    defect: 'exports omit the runs of 29 February',
    requirements: ['export.service.time-range'],
    exportPolicies: changeRecords((record) => (record.start_time.slice(5, 10) === '02-29' ? [] : [record])),
  },
  'export.service.hour-too-much': {
    defect: 'an export includes an hour after its window',
    requirements: ['export.service.nothing-outside'],
    alsoFails: {
      'export.file.partition': 'the hour is on the next date if the window ends before midnight',
      'export.run.per-date': 'the next date has an export run, too',
      'export.fields.same-runs': 'exports with export_fields end with their window',
    },
    exportPolicies: changeRange(({ startMs, endMs }, bulkExport) => ({
      startMs,
      endMs: isPlain(bulkExport) && endMs % day !== 0 ? endMs + hour : endMs,
    })),
  },
  'export.service.traces-to-their-end': {
    defect: 'an export also contains runs up to ten minutes after its window, if their trace starts in it',
    requirements: ['export.service.nothing-outside'],
    exportPolicies: ({ recordsOf }) => ({
      async *recordsOf(traces, bulkExport, partition) {
        const { endMs } = partition
        const later = endMs === bulkExport.end_time ? endMs + 600_000 : endMs
        const isKept = (run: TraceRecord) => Date.parse(run.start_time) < endMs || traceStart(run) < endMs
        for await (const batch of recordsOf(traces, bulkExport, { ...partition, endMs: later }))
          yield batch.filter(isKept)
      },
    }),
  },
  'export.service.last-second-lost': {
    defect: 'an export omits the last second of its window',
    requirements: ['export.service.time-range'],
    exportPolicies: changeRange(({ startMs, endMs }, bulkExport) => ({
      startMs,
      endMs: isPlain(bulkExport) && endMs === bulkExport.end_time ? endMs - 1000 : endMs,
    })),
  },
  'export.service.row-lost': {
    defect: 'one of 32 rows is missing',
    requirements: ['export.service.time-range'],
    exportPolicies: changeRecords((record) => (/[0-3]f$/.test(record.id) ? [] : [record])),
  },
  'export.service.projects-mixed': {
    defect: 'an export contains all projects of the workspace',
    requirements: ['export.service.one-project'],
    changeRun: (run) => (run['tenant_id'] === workspaces[0] ? { ...run, session_id: project } : run),
  },
  'export.service.projects-mixed.filtered': {
    defect: 'an export with a filter contains all projects of the workspace',
    requirements: ['export.service.one-project'],
    ...mixProjects(({ filter, source_bulk_export_id: source }) => filter !== null && source === null),
  },
  'export.service.projects-mixed.spawned': {
    defect: 'a spawned export contains all projects of the workspace',
    requirements: ['export.service.one-project'],
    ...mixProjects(({ source_bulk_export_id: source }) => source !== null),
  },
  'export.service.files-elsewhere': {
    defect: 'files are not written to the path of the destination',
    requirements: ['export.service.own-bucket'],
    exportPolicies: ({ objectKey }) => ({
      objectKey: (config, bulkExport, run) =>
        isPlain(bulkExport) ? `lost/${run.id.slice(0, 8)}` : objectKey(config, bulkExport, run),
    }),
  },
  'export.service.new-runs-only': {
    defect: 'an export omits the runs that an earlier export to the same destination contains',
    requirements: ['export.service.time-range'],
    exportPolicies: ({ recordsOf }) => {
      const owners = new Map<string, string>()
      return {
        recordsOf: async function* (traces, bulkExport, partition) {
          const { id, bulk_export_destination_id: destination } = bulkExport
          const ownerOf = ({ id: run }: TraceRecord) => {
            const key = `${destination} ${run}`
            if (!owners.has(key)) owners.set(key, id)
            return owners.get(key)
          }
          for await (const batch of recordsOf(traces, bulkExport, partition))
            yield batch.filter((record) => ownerOf(record) === id)
        },
      }
    },
  },
  'export.service.earlier-files-deleted': {
    defect: 'an export deletes the files of earlier exports to its destination',
    requirements: ['export.service.own-bucket'],
    exportPolicies: ({ openBucket, objectKey }) => {
      const owners = new Map<string, string>()
      return {
        objectKey: (config, bulkExport, run) => {
          const key = objectKey(config, bulkExport, run)
          if (bulkExport.source_bulk_export_id === null) owners.set(key, bulkExport.id)
          return key
        },
        openBucket: async (access) => {
          const bucket = await openBucket(access)
          const deleteOthers = async (key: string) => {
            const isOther = ([other, owner]: [string, string]) =>
              other.startsWith(access.config.prefix) && owners.has(key) && owner !== owners.get(key)
            for (const [other] of [...owners].filter(isOther)) await bucket.delete(other)
          }
          return {
            ...bucket,
            put: async (key, ...content) => {
              await deleteOthers(key)
              await bucket.put(key, ...content)
            },
            completeUpload: async (key, ...parts) => {
              await deleteOthers(key)
              await bucket.completeUpload(key, ...parts)
            },
          }
        },
      }
    },
  },
  'export.service.every-plan': {
    defect: 'exports are available in every plan',
    requirements: ['export.service.plan.destination-refused', 'export.service.plan.export-refused'],
    exportPolicies: () => ({ mayExport: () => true }),
  },
  'export.service.schedules-in-every-plan': {
    defect: 'scheduled exports are available in every plan',
    requirements: ['export.service.plan.export-refused'],
    wrap: respondInstead(createExport, async (request, fetch) => {
      const body = await jsonBody(request)
      if (body['interval_hours'] !== undefined && request.headers.get('x-api-key') === 'touchstone-developer')
        return Response.json({ id: crypto.randomUUID(), status: 'Created' })
      return fetch(request)
    }),
  },
  'export.auth.second-workspace-path': {
    defect: 'the paths of all files contain the id of the first workspace',
    requirements: ['export.file.path.tenant_id'],
    exportPolicies: ({ objectKey }) => ({
      objectKey: (config, bulkExport, run) => objectKey(config, { ...bulkExport, tenant_id: workspaces[0] }, run),
    }),
  },
  'export.auth.second-workspace-records': {
    defect: 'tenant_id is that of the first workspace in all rows',
    requirements: ['export.record.tenant_id.value'],
    exportPolicies: changeRecords(
      (record) => [{ ...record, tenant_id: workspaces[0] }],
      () => true,
    ),
  },
  'export.auth.second-workspace-lost': {
    defect: 'exports of the second workspace contain only root runs',
    requirements: ['export.service.time-range'],
    exportPolicies: changeRecords(
      (record, { tenant_id }) => (record.is_root || tenant_id !== workspaces[1] ? [record] : []),
      () => true,
    ),
  },
  'export.auth.tenant-ignored': {
    defect: 'an export contains records of projects in other workspaces',
    requirements: ['export.auth.workspace.records'],
    exportPolicies: ({ recordsOf }) => ({
      recordsOf: async function* (traces, bulkExport, partition) {
        for (const tenant_id of workspaces) yield* recordsOf(traces, { ...bulkExport, tenant_id }, partition)
      },
    }),
  },
})
