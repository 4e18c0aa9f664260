import { z } from 'zod'
import { uuid } from '../http/fields.ts'
import { type Endpoint, jsonResponse } from '../http/route.ts'
import { destinationCreate, destinationUpdate } from './schemas/destination.ts'
import { exportCreate, exportUpdate } from './schemas/export.ts'
import { bulkExport, destination, exportRun } from './schemas/responses.ts'

/** An endpoint of bulk data export. */
export type ExportEndpoint = Endpoint

/** Prefix of the path of every endpoint. */
export const BASE_PATH = '/api/v1/bulk-exports'

const page = z.object({ limit: z.int().min(1).max(1000).optional(), offset: z.int().min(0).optional() })

/** Endpoints of bulk data export without their handlers, which are loaded on first use. */
export const exportEndpoints = {
  createExport: {
    method: 'POST',
    path: BASE_PATH,
    summary: 'Create an export',
    schemas: () => ({ body: exportCreate, responses: { '200': jsonResponse('Create an export', bulkExport) } }),
  },
  listExports: {
    method: 'GET',
    path: BASE_PATH,
    summary: 'List exports, newest first',
    schemas: () => ({
      query: page,
      responses: { '200': jsonResponse('List exports, newest first', z.array(bulkExport)) },
    }),
  },
  createDestination: {
    method: 'POST',
    path: `${BASE_PATH}/destinations`,
    summary: 'Register a destination',
    schemas: () => ({
      body: destinationCreate,
      responses: { '200': jsonResponse('Register a destination', destination) },
    }),
  },
  listDestinations: {
    method: 'GET',
    path: `${BASE_PATH}/destinations`,
    summary: 'List destinations, newest first',
    schemas: () => ({
      query: page,
      responses: { '200': jsonResponse('List destinations, newest first', z.array(destination)) },
    }),
  },
  readDestination: {
    method: 'GET',
    path: `${BASE_PATH}/destinations/{destination_id}`,
    summary: 'Read a destination',
    schemas: () => ({ responses: { '200': jsonResponse('Read a destination', destination) } }),
  },
  updateDestination: {
    method: 'PATCH',
    path: `${BASE_PATH}/destinations/{destination_id}`,
    summary: 'Replace its credentials',
    schemas: () => ({
      body: destinationUpdate,
      responses: { '200': jsonResponse('Replace its credentials', destination) },
    }),
  },
  listSpawnedRuns: {
    method: 'GET',
    path: `${BASE_PATH}/runs`,
    summary: 'List the runs of what a schedule has spawned',
    schemas: () => ({
      query: page.extend({ source_bulk_export_id: uuid }),
      responses: { '200': jsonResponse('List the runs of what a schedule has spawned', z.array(exportRun)) },
    }),
  },
  readExport: {
    method: 'GET',
    path: `${BASE_PATH}/{export_id}`,
    summary: 'Read an export',
    schemas: () => ({ responses: { '200': jsonResponse('Read an export', bulkExport) } }),
  },
  updateExport: {
    method: 'PATCH',
    path: `${BASE_PATH}/{export_id}`,
    summary: 'Cancel an export',
    schemas: () => ({ body: exportUpdate, responses: { '200': jsonResponse('Cancel an export', bulkExport) } }),
  },
  listRuns: {
    method: 'GET',
    path: `${BASE_PATH}/{export_id}/runs`,
    summary: 'List the runs of an export',
    schemas: () => ({
      query: page,
      responses: { '200': jsonResponse('List the runs of an export', z.array(exportRun)) },
    }),
  },
  readRun: {
    method: 'GET',
    path: `${BASE_PATH}/{export_id}/runs/{run_id}`,
    summary: 'Read a run of an export',
    schemas: () => ({ responses: { '200': jsonResponse('Read a run of an export', exportRun) } }),
  },
} satisfies Record<string, ExportEndpoint>
