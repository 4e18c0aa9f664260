import { ApiError } from '../../http/errors.ts'
import { takePage } from '../../http/page.ts'
import { parse } from '../../http/request.ts'
import { find, visible } from '../access.ts'
import type { ExportCall, ExportContext, ExportRoute } from '../context.ts'
import { presentRun } from '../present.ts'
import { listQuery, sourceQuery } from '../schemas/export.ts'
import type { BulkExport, ExportRun } from '../types.ts'

/** Runs of all exports that a schedule has spawned; its path would also fit the pattern of an export's. */
export function spawnedRunRoutes(context: ExportContext): ExportRoute[] {
  const { store } = context
  return [
    {
      method: 'GET',
      path: '/runs',
      answer: (call) => {
        const { source_bulk_export_id, ...page } = parse(sourceQuery, call.query())
        const source = find(context, call, store.exports, source_bulk_export_id, 'scheduled export')
        const runs = [...visible(context, call, store.exports)]
          .filter((spawned) => spawned.source_bulk_export_id === source.id)
          .flatMap((spawned) => store.runsOf(spawned.id))
        return takePage(runs, page).map((run) => present(context, run))
      },
    },
  ]
}

/** The runs of an export in order of their dates. Section of the document: Export run. */
export function runRoutes(context: ExportContext): ExportRoute[] {
  const { store } = context
  const exportOf = (call: ExportCall): BulkExport =>
    find(context, call, store.exports, call.param('export_id'), 'export')
  return [
    {
      method: 'GET',
      path: '/:export_id/runs',
      answer: (call) => {
        const page = parse(listQuery, call.query())
        return takePage(store.runsOf(exportOf(call).id), page).map((run) => present(context, run))
      },
    },
    {
      method: 'GET',
      path: '/:export_id/runs/:run_id',
      answer: (call) => {
        const { id } = exportOf(call)
        const run = find(context, call, store.runs, call.param('run_id'), 'export run')
        if (run.bulk_export_id !== id)
          throw new ApiError('not-found', `The export run ${run.id} is none of this export`)
        return present(context, run)
      },
    },
  ]
}

function present({ store, policies }: ExportContext, run: ExportRun): object {
  const bulkExport = store.exports.get(run.bulk_export_id)
  const destination = bulkExport && store.destinations.get(bulkExport.bulk_export_destination_id)
  if (bulkExport === undefined || destination === undefined)
    throw new Error(`The destination of the export run ${run.id} is gone`)
  const key = policies.objectKey(destination.config, bulkExport, run)
  const path = key.slice(0, key.lastIndexOf('/'))
  return presentRun(run, { bucket: destination.config.bucket_name, path })
}
