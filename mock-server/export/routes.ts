import { ApiError } from '../http/errors.ts'
import { takePage } from '../http/page.ts'
import { isUuid, parse, readJsonBody } from '../http/request.ts'
import type { ExportRoute } from './api.ts'
import type { ExportCall, ExportContext } from './context.ts'
import { createDestination, rotateCredentials } from './destinations/register.ts'
import { exportEndpoints } from './endpoints.ts'
import { cancelExport } from './exports/cancel.ts'
import { addExport, orderOf } from './exports/create.ts'
import { presentDestination, presentExport, presentRun } from './present.ts'
import { destinationCreate, destinationUpdate } from './schemas/destination.ts'
import { exportCreate, exportUpdate, listQuery, sourceQuery } from './schemas/export.ts'
import { readSecretBody } from './schemas/secret-body.ts'
import type { Collection } from './store/store.ts'
import type { BulkExport, Destination, ExportRun } from './types.ts'

/** Destinations. Sections of the specification: Export destination, Endpoints. */
export const destinationRoutes: readonly ExportRoute[] = [
  {
    ...exportEndpoints.createDestination,
    handle: async ({ context }, call) => {
      const request = await readSecretBody(call.request, destinationCreate, context.limits)
      return Response.json(presentDestination(await createDestination(context, call.caller, request)))
    },
  },
  {
    ...exportEndpoints.listDestinations,
    handle: ({ context }, call) => {
      const page = parse(listQuery, call.query())
      const destinations = takePage(visible(context, call, context.store.destinations), page)
      return Response.json(destinations.map(presentDestination))
    },
  },
  {
    ...exportEndpoints.readDestination,
    handle: ({ context }, call) => Response.json(presentDestination(destinationOf(context, call))),
  },
  {
    ...exportEndpoints.updateDestination,
    handle: async ({ context }, call) => {
      const destination = destinationOf(context, call)
      const { credentials } = await readSecretBody(call.request, destinationUpdate, context.limits)
      return Response.json(presentDestination(await rotateCredentials(context, destination, credentials)))
    },
  },
]

function destinationOf(context: ExportContext, call: ExportCall): Destination {
  return find(context, call, context.store.destinations, call.param('destination_id'), 'destination')
}

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
function exportOf(context: ExportContext, call: ExportCall): BulkExport {
  return find(context, call, context.store.exports, call.param('export_id'), 'export')
}

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

interface Owned {
  readonly id: string
  readonly tenant_id: string
}

/**
 * Returns the record with this id if it belongs to the caller's workspace.
 *
 * Throws ApiError: 422 for an id that is not a UUID, 404 if the record does not exist or belongs to another workspace.
 * `what` is the name of the record in messages.
 */
function find<T extends Owned>(
  { policies }: ExportContext,
  call: ExportCall,
  records: Collection<T>,
  id: string,
  what: string,
): T {
  if (!isUuid(id)) {
    throw new ApiError('invalid-id', `The id of the ${what} is ${JSON.stringify(id.slice(0, 80))}; expected a UUID`)
  }
  const record = records.get(id.toLowerCase())
  if (record === undefined || !policies.mayUse(call, record))
    throw new ApiError('not-found', `The ${what} ${id} was not found`)
  return record
}

/** Yields the records of the caller's workspace, newest first. */
function* visible<T extends Owned>(
  { policies }: ExportContext,
  call: ExportCall,
  records: Collection<T>,
): Generator<T> {
  for (const record of records.newestFirst()) if (policies.mayUse(call, record)) yield record
}
