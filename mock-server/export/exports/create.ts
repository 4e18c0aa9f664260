import { ApiError } from '../../http/errors.ts'
import type { ExportCall, ExportContext } from '../context.ts'
import { requireFeature } from '../features.ts'
import { windowsDue } from '../schedule.ts'
import type { ExportCreate } from '../schemas/export.ts'
import { parseTime } from '../schemas/time.ts'
import type { BulkExport, ExportOrder, ExportRun } from '../types.ts'

// More than a century of dates; each becomes a run.
const MOST_PARTITIONS = 40_000
// Hourly for more than a decade; each that is due already is spawned at once.
const MOST_WINDOWS_BEHIND = 100_000

/** The order that a request describes. Throws ApiError, which names the field, for what contradicts itself. */
export function orderOf(context: ExportContext, call: ExportCall, request: ExportCreate): ExportOrder {
  const { policies, store, clock } = context
  const { interval_hours, export_fields, filter } = request
  const start_time = parseTime(request.start_time)
  const end_time = request.end_time ? parseTime(request.end_time) : null
  if (interval_hours) {
    requireFeature(context, 'interval_hours', 'interval_hours')
    if (end_time !== null) {
      throw refused('end_time', `expected nothing on a scheduled export (interval_hours), received ${request.end_time}`)
    }
    const behind = windowsDue(start_time, interval_hours, clock.now())
    if (behind > MOST_WINDOWS_BEHIND) {
      throw refused(
        'start_time',
        `expected a time at most ${MOST_WINDOWS_BEHIND} intervals ago, received one ${behind} ago`,
      )
    }
  } else if (end_time === null) {
    throw refused(
      'end_time',
      'expected a time on a one-off export, received nothing; a scheduled one has interval_hours',
    )
  } else if (end_time <= start_time) {
    throw refused('end_time', `expected a time after start_time (${request.start_time}), received ${request.end_time}`)
  } else if (end_time - start_time > MOST_PARTITIONS * 86_400_000) {
    throw refused('end_time', `expected a time at most ${MOST_PARTITIONS} days after start_time`)
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

/** Keeps a new export, with its runs unless it is a scheduled one. Nothing of it executes yet. */
export function addExport(
  context: ExportContext,
  tenant_id: string,
  order: ExportOrder,
  source_bulk_export_id: string | null,
): BulkExport {
  const { store, clock, newId } = context
  const now = clock.now()
  const added: BulkExport = {
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
    store.exports.put(added)
    for (const run of runsOf(context, added)) store.runs.put(run)
  })
  return added
}

/** One run for each date, in UTC, that an export covers. */
function* runsOf({ policies, newId }: ExportContext, added: BulkExport): Generator<ExportRun> {
  if (added.end_time === null) return
  for (const partition of policies.partitionsOf(added.start_time, added.end_time)) {
    yield {
      id: newId(),
      tenant_id: added.tenant_id,
      bulk_export_id: added.id,
      session_id: added.session_id,
      partition,
      status: 'Created',
      retry_number: 0,
      errors: null,
      created_at: added.created_at,
      updated_at: added.created_at,
      finished_at: null,
      rows_written: 0,
      files: [],
      upload: null,
    }
  }
}

function checkedFields({ policies }: ExportContext, fields: readonly string[]): readonly string[] {
  if (fields.length === 0) throw refused('export_fields', 'expected at least one field, received none')
  const unknown = fields.filter((field) => !policies.exportFields.includes(field))
  if (unknown.length > 0) {
    const shown = unknown.slice(0, 5).map((field) => JSON.stringify(field.slice(0, 80)))
    throw refused('export_fields', `expected some of ${policies.exportFields.join(', ')}, received ${shown.join(', ')}`)
  }
  return [...new Set(fields)]
}

function refused(field: string, why: string): ApiError {
  return new ApiError('invalid-body', `Field "${field}": ${why}`)
}
