import { leftOpen, type SectionCoverage, stated } from './statement.ts'

export const exportEndpoints: SectionCoverage = {
  section: 'Endpoints / B. Bulk export API',
  statements: [
    stated('paragraph a', 'All requests carry `X-API-Key`.', 'export.auth.api-key.*'),
    stated('paragraph b', 'All requests carry `X-Tenant-Id`.', 'export.auth.tenant-id.*'),
    leftOpen(
      'paragraph c',
      'All requests carry `Content-Type`; the response to a request without it.',
      'export.auth.content-type',
    ),
    stated(
      'POST /api/v1/bulk-exports/destinations',
      'The request takes a destination and returns an object with `id`.',
      'export.destination.create.accepted',
      'export.destination.fields.id.present',
    ),
    stated(
      'POST /api/v1/bulk-exports',
      'The request takes the fields of an export and returns an object with `id`.',
      'export.create.accepted',
      'export.created.fields.id.present',
      'export.create.refused.nothing-created',
      'export.create.refused.client-error',
    ),
    stated(
      'GET /api/v1/bulk-exports/{export_id}',
      'The response shows the current status of the export.',
      'export.get.answers-export',
      'export.get.fields.status.present',
      'export.get.keeps-final',
    ),
    leftOpen(
      'GET /api/v1/bulk-exports/{export_id}, request',
      'Ids that no export has.',
      'export.get.unknown',
      'export.get.malformed-id',
    ),
    stated(
      'GET /api/v1/bulk-exports/{export_id}/runs',
      'The response lists the export runs of the export.',
      'export.runs.answers-list',
      'export.runs.own',
      'export.runs.once',
      'export.runs.kept',
    ),
    leftOpen(
      'GET /api/v1/bulk-exports/{export_id}/runs, further',
      'The order, and the export runs of schedules and unknown exports.',
      'export.run.order',
      'export.runs.of-schedule',
      'export.runs.unknown',
    ),
    stated(
      'GET /api/v1/bulk-exports, response a',
      'The response lists all exports.',
      'export.list.answers-list',
      'export.list.complete',
      'export.list.once',
    ),
    stated('GET /api/v1/bulk-exports, response b', 'Each has its status.', 'export.list.fields.status.*'),
    stated(
      'GET /api/v1/bulk-exports, response c',
      'The status in the list is the current one, as in a read of the export.',
      'export.list.current-status',
    ),
    stated(
      'GET /api/v1/bulk-exports, response d',
      'Each has its creation time.',
      'export.list.creation-time',
      'export.list.creation-time-kept',
    ),
    leftOpen(
      'GET /api/v1/bulk-exports, response e',
      'Pagination and form.',
      'export.list.form',
      'export.list.order',
      'export.list.limit',
      'export.list.offset',
    ),
    stated(
      'PATCH /api/v1/bulk-exports/{export_id}, request',
      'The request takes the status `Cancelled`.',
      'export.cancel.accepted',
    ),
    stated(
      'PATCH /api/v1/bulk-exports/{export_id}, response',
      'The response is the updated export.',
      'export.cancel.answers-export',
    ),
  ],
}
