import type { RequirementId } from '../../../suites/catalog/generated/ids.ts'
import type { Mutant } from '../mutant.ts'
import { workspaceEndpoints } from './access.ts'
import { tenantOf } from './routes.ts'

/** The usual workspace of a test and the second one. */
export const workspaces = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'] as const

const [usual] = workspaces

const usualReaches = ['get', 'runs', 'list', 'cancel'].map(
  (key): Mutant => ({
    id: `export.auth.workspace.${key}-open-to-first`,
    defect: `for the first workspace, ${workspaceEndpoints[key]} reaches the exports of the second one`,
    requirements: [`export.auth.workspace.${key}` as RequirementId],
    exportPolicies: ({ mayUse }) => ({
      mayUse: (call, record) =>
        (call.endpoint === workspaceEndpoints[key] && tenantOf(call.request) === usual) || mayUse(call, record),
    }),
  }),
)

/** A window that is due in centuries. */
export const lastWindow = 1_000_000

/** Defects between workspaces that depend on which of them sends the request. */
export const workspaceMutants: readonly Mutant[] = [
  ...usualReaches,
  {
    id: 'export.auth.workspace.destination-open-to-second',
    defect: 'the second workspace exports to destinations of the first one',
    requirements: ['export.auth.workspace.destination'],
    exportPolicies: ({ mayUse }) => ({
      mayUse: (call, record) =>
        (call.endpoint === workspaceEndpoints['destination'] && tenantOf(call.request) !== usual) ||
        mayUse(call, record),
    }),
  },
  {
    id: 'export.schedule.second-workspace-never',
    defect: 'schedules of the second workspace create no exports',
    requirements: ['export.schedule.spawns'],
    exportPolicies: ({ nextWindow }) => ({
      nextWindow: (schedule) => (schedule.tenant_id === usual ? nextWindow(schedule) : lastWindow),
    }),
  },
  {
    id: 'export.auth.workspace.records-open-to-second',
    defect: 'exports of the second workspace also contain the project of the first one',
    requirements: ['export.auth.workspace.records'],
    exportPolicies: ({ recordsOf }) => ({
      recordsOf: async function* (traces, bulkExport, partition) {
        yield* recordsOf(traces, bulkExport, partition)
        if (bulkExport.tenant_id !== usual) yield* recordsOf(traces, { ...bulkExport, tenant_id: usual }, partition)
      },
    }),
  },
]
