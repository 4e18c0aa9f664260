import { ApiError } from '../../http/errors.ts'
import { takePage } from '../../http/page.ts'
import { parse } from '../../http/request.ts'
import { find, visible } from '../access.ts'
import type { ExportRoute } from '../api.ts'
import type { ExportContext } from '../context.ts'
import { exportEndpoints } from '../endpoints.ts'
import { presentRun } from '../present.ts'
import { listQuery, sourceQuery } from '../schemas/export.ts'
import type { ExportRun } from '../types.ts'
import { exportOf } from './exports.ts'

/** Runs of all exports that a schedule has spawned. The path also matches that of an export, so it must come first. */
export const spawnedRunRoutes: readonly ExportRoute[] = [
  {
    ...exportEndpoints.listSpawnedRuns,
    handle: ({ context }, call) => {
      const { store } = context
      const { source_bulk_export_id, ...page } = parse(sourceQuery, call.query())
      const source = find(context, call, store.exports, source_bulk_export_id, 'scheduled export')
      const runs = [...visible(context, call, store.exports)]
        .filter((spawned) => spawned.source_bulk_export_id === source.id)
        .flatMap((spawned) => store.runsOf(spawned.id))
      return Response.json(takePage(runs, page).map((run) => present(context, run)))
    },
  },
]

/** The runs of an export in the order of their dates. Section of the specification: Export run. */
export const runRoutes: readonly ExportRoute[] = [
  {
    ...exportEndpoints.listRuns,
    handle: ({ context }, call) => {
      const page = parse(listQuery, call.query())
      const runs = takePage(context.store.runsOf(exportOf(context, call).id), page)
      return Response.json(runs.map((run) => present(context, run)))
    },
  },
  {
    ...exportEndpoints.readRun,
    handle: ({ context }, call) => {
      const { id } = exportOf(context, call)
      const run = find(context, call, context.store.runs, call.param('run_id'), 'export run')
      if (run.bulk_export_id !== id)
        throw new ApiError('not-found', `The export run ${run.id} does not belong to this export`)
      return Response.json(present(context, run))
    },
  },
]

function present({ store, policies }: ExportContext, run: ExportRun): object {
  const bulkExport = store.exports.get(run.bulk_export_id)
  const destination = bulkExport && store.destinations.get(bulkExport.bulk_export_destination_id)
  if (bulkExport === undefined || destination === undefined)
    throw new Error(`The destination of the export run ${run.id} is gone`)
  const key = policies.objectKey(destination.config, bulkExport, run)
  const path = key.slice(0, key.lastIndexOf('/'))
  return presentRun(run, { bucket: destination.config.bucket_name, path })
}
