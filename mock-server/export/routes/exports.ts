import { takePage } from '../../http/page.ts'
import { parse, readJsonBody } from '../../http/request.ts'
import { find, visible } from '../access.ts'
import type { ExportCall, ExportContext, ExportRoute } from '../context.ts'
import { cancelExport, type Engine } from '../exports/cancel.ts'
import { addExport, orderOf } from '../exports/create.ts'
import { presentExport } from '../present.ts'
import { exportCreate, exportUpdate, listQuery } from '../schemas/export.ts'
import type { BulkExport } from '../types.ts'

/** Exports. Sections of the document: Bulk export, Export status, Endpoints. */
export function exportRoutes(context: ExportContext, engine: Engine): ExportRoute[] {
  const { store, limits } = context
  const named = (call: ExportCall): BulkExport => find(context, call, store.exports, call.param('export_id'), 'export')
  return [
    {
      method: 'POST',
      path: '',
      answer: async (call) => {
        const request = parse(exportCreate, await readJsonBody(call.request, limits))
        const added = addExport(context, call.caller.tenantId, orderOf(context, call, request), null)
        if (added.status === 'IntervalScheduled') engine.spawner.start(added)
        else engine.executor.launch(added)
        return presentExport(added)
      },
    },
    {
      method: 'GET',
      path: '',
      answer: (call) => {
        const page = parse(listQuery, call.query())
        return takePage(visible(context, call, store.exports), page).map(presentExport)
      },
    },
    { method: 'GET', path: '/:export_id', answer: (call) => presentExport(named(call)) },
    {
      method: 'PATCH',
      path: '/:export_id',
      answer: async (call) => {
        const target = named(call)
        parse(exportUpdate, await readJsonBody(call.request, limits))
        await cancelExport(context, engine, target)
        return presentExport(named(call))
      },
    },
  ]
}
