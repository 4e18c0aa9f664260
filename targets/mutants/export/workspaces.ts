import type { ExportPolicies } from '../../../mock-server/export/policies.ts'
import type { RequirementId } from '../../../suites/catalog/generated/ids.ts'
import type { Mutant } from '../mutant.ts'
import { tenantOf } from './routes.ts'

/** The usual workspace of a test and the second one. */
export const workspaces = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b'] as const

const [usual] = workspaces

/** Defects with which the usual workspace, not the second one, reaches exports of the other. */
const reaching: Readonly<Record<string, { readonly endpoint: string; readonly does: string }>> = {
  get: { endpoint: 'GET /api/v1/bulk-exports/{export_id}', does: 'reads exports' },
  runs: { endpoint: 'GET /api/v1/bulk-exports/{export_id}/runs', does: 'reads the export runs' },
  list: { endpoint: 'GET /api/v1/bulk-exports', does: 'lists the exports' },
  cancel: { endpoint: 'PATCH /api/v1/bulk-exports/{export_id}', does: 'cancels exports' },
}

type Call = Parameters<ExportPolicies['mayUse']>[0]

const usualReaches = Object.entries(reaching).map(
  ([key, { endpoint, does }]): Mutant => ({
    id: `export.auth.workspace.${key}-open-to-first`,
    defect: `the first workspace ${does} of the second one`,
    requirements: [`export.auth.workspace.${key}` as RequirementId],
    exportPolicies: ({ mayUse }) => ({
      mayUse: (call: Call, record) =>
        (call.endpoint === endpoint && tenantOf(call.request) === usual) || mayUse(call, record),
    }),
  }),
)

/** Defects between workspaces that depend on which of them sends the request. */
export const workspaceMutants: readonly Mutant[] = [
  ...usualReaches,
  {
    id: 'export.auth.workspace.destination-open-to-second',
    defect: 'the second workspace exports to destinations of the first one',
    requirements: ['export.auth.workspace.destination'],
    exportPolicies: ({ mayUse }) => ({
      mayUse: (call, record) =>
        (call.endpoint === 'POST /api/v1/bulk-exports' && tenantOf(call.request) !== usual) || mayUse(call, record),
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
