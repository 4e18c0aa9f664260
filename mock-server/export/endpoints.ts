import { z } from 'zod'
import { uuid } from '../http/fields.ts'
import { type Endpoint, type EndpointSchemas, jsonResponse } from '../http/route.ts'
import { destinationCreate, destinationUpdate } from './schemas/destination.ts'
import { exportCreate, exportUpdate } from './schemas/export.ts'
import { bulkExport, destination, exportRun } from './schemas/responses.ts'

/** An endpoint of bulk data export. */
export type ExportEndpoint = Endpoint

/** Prefix of the path of every endpoint. */
export const BASE_PATH = '/api/v1/bulk-exports'

const page = z.object({ limit: z.int().min(1).max(1000).optional(), offset: z.int().min(0).optional() })
const spawnedPage = page.extend({ source_bulk_export_id: uuid })

const anExport: EndpointSchemas['responses'] = { '200': jsonResponse('The export', bulkExport) }
const exports: EndpointSchemas['responses'] = { '200': jsonResponse('Exports, newest first', z.array(bulkExport)) }
const aDestination: EndpointSchemas['responses'] = { '200': jsonResponse('The destination', destination) }
const destinations: EndpointSchemas['responses'] = {
  '200': jsonResponse('Destinations, newest first', z.array(destination)),
}
const aRun: EndpointSchemas['responses'] = { '200': jsonResponse('The export run', exportRun) }
const runs: EndpointSchemas['responses'] = { '200': jsonResponse('Export runs by date', z.array(exportRun)) }

function endpoint(
  method: ExportEndpoint['method'],
  path: string,
  summary: string,
  schemas: EndpointSchemas,
): ExportEndpoint {
  return { method, path: BASE_PATH + path, summary, schemas: () => schemas }
}

/** Endpoints of bulk data export without their handlers, which are loaded on first use. */
export const exportEndpoints = {
  createExport: endpoint('POST', '', 'Create an export', { body: exportCreate, responses: anExport }),
  listExports: endpoint('GET', '', 'List exports', { query: page, responses: exports }),
  createDestination: endpoint('POST', '/destinations', 'Register a destination', {
    body: destinationCreate,
    responses: aDestination,
  }),
  listDestinations: endpoint('GET', '/destinations', 'List destinations', { query: page, responses: destinations }),
  readDestination: endpoint('GET', '/destinations/{destination_id}', 'Read a destination', {
    responses: aDestination,
  }),
  updateDestination: endpoint('PATCH', '/destinations/{destination_id}', 'Replace the credentials of a destination', {
    body: destinationUpdate,
    responses: aDestination,
  }),
  listSpawnedRuns: endpoint('GET', '/runs', 'List the runs of all exports of a schedule', {
    query: spawnedPage,
    responses: runs,
  }),
  readExport: endpoint('GET', '/{export_id}', 'Read an export', { responses: anExport }),
  updateExport: endpoint('PATCH', '/{export_id}', 'Cancel an export', { body: exportUpdate, responses: anExport }),
  listRuns: endpoint('GET', '/{export_id}/runs', 'List the runs of an export', { query: page, responses: runs }),
  readRun: endpoint('GET', '/{export_id}/runs/{run_id}', 'Read a run of an export', { responses: aRun }),
} satisfies Record<string, ExportEndpoint>
