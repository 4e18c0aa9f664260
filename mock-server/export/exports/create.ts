import { ApiError } from '../../http/errors.ts'
import type { ExportCall, ExportContext } from '../context.ts'
import { requireFeature } from '../features.ts'
import type { ExportCreate } from '../schemas/export.ts'
import { parseTime } from '../schemas/time.ts'
import type { BulkExport, ExportOrder, ExportRun } from '../types.ts'
import { windowsDue } from '../windows.ts'

// More than a century of dates. Each date is a run.
const MAX_PARTITIONS = 40_000
// More than a decade of hourly windows. Past windows are exported at once.
const MAX_PAST_WINDOWS = 100_000

/** Validates a request and returns its order. Throws ApiError with the name of the invalid field. */
export function orderOf(context: ExportContext, call: ExportCall, request: ExportCreate): ExportOrder {
  const { policies, store, clock } = context
  const { interval_hours, export_fields, filter } = request
  const start_time = parseTime(request.start_time)
  const end_time = request.end_time ? parseTime(request.end_time) : null
  if (interval_hours) {
    requireFeature(context, 'interval_hours', 'interval_hours')
    if (end_time !== null) {
      throw invalidField(
        'end_time',
        `expected no value on a scheduled export (with interval_hours), received ${request.end_time}`,
      )
    }
    const pastWindows = windowsDue(start_time, interval_hours, clock.now())
    if (pastWindows > MAX_PAST_WINDOWS) {
      throw invalidField(
        'start_time',
        `expected a time at most ${MAX_PAST_WINDOWS} intervals ago, received a time ${pastWindows} intervals ago`,
      )
    }
  } else if (end_time === null) {
    throw invalidField(
      'end_time',
      'expected a time on a one-off export, received nothing; set interval_hours for a scheduled export',
    )
  } else if (end_time <= start_time) {
    throw invalidField(
      'end_time',
      `expected a time after start_time (${request.start_time}), received ${request.end_time}`,
    )
  } else if (end_time - start_time > MAX_PARTITIONS * 86_400_000) {
    throw invalidField('end_time', `expected a time at most ${MAX_PARTITIONS} days after start_time`)
  }
  if (export_fields) requireFeature(context, 'export_fields', 'export_fields')
  const id = request.bulk_export_destination_id
  const destination = store.destinations.get(id)
  if (destination === undefined || !policies.mayUse(call, destination)) {
    throw new ApiError('not-found', `Field "bulk_export_destination_id": the destination ${id} was not found`)
  }
  if (filter) policies.compileFilter(filter)
  return {
    bulk_export_destination_id: id,
    session_id: request.session_id,
    start_time,
    end_time: interval_hours ? null : end_time,
    filter: filter || null,
    format_version: request.format_version ?? 'v1',
    compression: request.compression ?? 'gzip',
    interval_hours: interval_hours ?? null,
    export_fields: export_fields ? checkedFields(context, export_fields) : null,
  }
}

/** Stores a new export and, unless it is scheduled, its runs. Does not execute it. */
export function addExport(
  context: ExportContext,
  tenant_id: string,
  order: ExportOrder,
  source_bulk_export_id: string | null,
): BulkExport {
  const { store, clock, newId } = context
  const now = clock.now()
  const bulkExport: BulkExport = {
    ...order,
    id: newId(),
    tenant_id,
    status: order.interval_hours === null ? 'Created' : 'IntervalScheduled',
    created_at: now,
    updated_at: now,
    started_at: null,
    finished_at: null,
    source_bulk_export_id,
    spawned: 0,
  }
  store.atomically(() => {
    store.exports.put(bulkExport)
    for (const run of runsOf(context, bulkExport)) store.runs.put(run)
  })
  return bulkExport
}

/** Yields one run for each date in UTC of an export. */
function* runsOf({ policies, newId }: ExportContext, bulkExport: BulkExport): Generator<ExportRun> {
  if (bulkExport.end_time === null) return
  for (const partition of policies.partitionsOf(bulkExport.start_time, bulkExport.end_time)) {
    yield {
      id: newId(),
      tenant_id: bulkExport.tenant_id,
      bulk_export_id: bulkExport.id,
      session_id: bulkExport.session_id,
      partition,
      status: 'Created',
      retry_number: 0,
      errors: null,
      created_at: bulkExport.created_at,
      updated_at: bulkExport.created_at,
      finished_at: null,
      rows_written: 0,
      files: [],
      upload: null,
    }
  }
}

function checkedFields({ policies }: ExportContext, fields: readonly string[]): readonly string[] {
  if (fields.length === 0) throw invalidField('export_fields', 'expected at least one field, received none')
  const unknown = fields.filter((field) => !policies.exportFields.includes(field))
  if (unknown.length > 0) {
    const shown = unknown.slice(0, 5).map((field) => JSON.stringify(field.slice(0, 80)))
    throw invalidField(
      'export_fields',
      `expected names from ${policies.exportFields.join(', ')}, received ${shown.join(', ')}`,
    )
  }
  return [...new Set(fields)]
}

function invalidField(field: string, problem: string): ApiError {
  return new ApiError('invalid-body', `Field "${field}": ${problem}`)
}
