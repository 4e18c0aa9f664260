import { takePage } from '../../http/page.ts'
import { parse, readJsonBody } from '../../http/request.ts'
import { find, visible } from '../access.ts'
import type { ExportRoute } from '../api.ts'
import type { ExportCall, ExportContext } from '../context.ts'
import { exportEndpoints } from '../endpoints.ts'
import { cancelExport } from '../exports/cancel.ts'
import { addExport, orderOf } from '../exports/create.ts'
import { presentExport } from '../present.ts'
import { exportCreate, exportUpdate, listQuery } from '../schemas/export.ts'
import type { BulkExport } from '../types.ts'

/** Exports. Sections of the specification: Bulk export, Export status, Endpoints. */
export const exportRoutes: readonly ExportRoute[] = [
  {
    ...exportEndpoints.createExport,
    handle: async ({ context, engine }, call) => {
      const request = parse(exportCreate, await readJsonBody(call.request, context.limits))
      const added = addExport(context, call.caller.tenantId, orderOf(context, call, request), null)
      if (added.status === 'IntervalScheduled') engine.spawner.start(added)
      else engine.executor.enqueue(added)
      return Response.json(presentExport(added))
    },
  },
  {
    ...exportEndpoints.listExports,
    handle: ({ context }, call) => {
      const page = parse(listQuery, call.query())
      return Response.json(takePage(visible(context, call, context.store.exports), page).map(presentExport))
    },
  },
  {
    ...exportEndpoints.readExport,
    handle: ({ context }, call) => Response.json(presentExport(exportOf(context, call))),
  },
  {
    ...exportEndpoints.updateExport,
    handle: async ({ context, engine }, call) => {
      const target = exportOf(context, call)
      parse(exportUpdate, await readJsonBody(call.request, context.limits))
      await cancelExport(context, engine, target)
      return Response.json(presentExport(exportOf(context, call)))
    },
  },
]

/** Returns the export of the path. Throws ApiError `invalid-id` or `not-found`. */
export function exportOf(context: ExportContext, call: ExportCall): BulkExport {
  return find(context, call, context.store.exports, call.param('export_id'), 'export')
}
