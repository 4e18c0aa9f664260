import { present, string } from '../facts.ts'
import { type FieldTable, field, fieldRequirements } from '../fields.ts'
import { accepts, each, must, type Requirement, refuses, section, should, unspecified } from '../requirement.ts'

const name = 'Resources and their fields / Bulk export'
const columnsOnly = 'Tested against an export of the same window without `export_fields`.'
const refused = { interpretation: 'Refused means no 2xx status and no `id` of an export.' }

/** Fields of the response to the creation of an export. */
export const createdTable: FieldTable = {
  prefix: 'export.created.fields',
  area: 'export',
  section: name,
  subject: 'a created export',
  places: [{ method: 'POST', path: '/api/v1/bulk-exports', at: [] }],
  fields: [field('id', present(), string())],
}

/** Fields of an export from GET /api/v1/bulk-exports/{export_id}. */
export const exportTable: FieldTable = {
  prefix: 'export.get.fields',
  area: 'export',
  section: 'Endpoints / B. Bulk export API / GET /api/v1/bulk-exports/{export_id}',
  subject: 'an export',
  places: [{ method: 'GET', path: '/api/v1/bulk-exports/{export_id}', at: [] }],
  fields: [field('status', present(), string())],
}

/** Fields of a listed export. */
export const listedTable: FieldTable = {
  prefix: 'export.list.fields',
  area: 'export',
  section: 'Endpoints / B. Bulk export API / GET /api/v1/bulk-exports',
  subject: 'a listed export',
  places: [{ method: 'GET', path: '/api/v1/bulk-exports', at: ['*'] }],
  fields: [field('status', present(), string())],
}

/** Required fields of every export. */
export const exportRequestFields = ['bulk_export_destination_id', 'session_id', 'start_time'] as const

/** Required fields of a one-off export. */
export const oneOffFields = [...exportRequestFields, 'end_time'] as const

/** Values of required fields that do not have the documented form, by the last part of their requirement's id. */
const refusedValues = {
  // Some parsers complete a short UUID, and count a thirteenth month as the first one of the next year.
  'session_id.form': ['touchsto-none-none-none-notouchstone', '1-1-1-1-1', ''],
  'start_time.form': ['touchstone-no-time', '2024-13-45T00:00:00Z', ''],
  'end_time.form': ['touchstone-no-time', '2024-13-45T00:00:00Z', ''],
  'bulk_export_destination_id.known': ['11111111-1111-4111-8111-111111111111'],
} as const

/** Returns the changes of a body that a key of `refusedValues` stands for: the key starts with the name of the field. */
export function refusedChanges(key: keyof typeof refusedValues): readonly Readonly<Record<string, string>>[] {
  const [field = ''] = key.split('.')
  return refusedValues[key].map((value) => ({ [field]: value }))
}

/** Keys of `refusedValues`: `export.create.` and a key is the id of the requirement that the service refuses its values. */
export const refusedKeys = Object.keys(refusedValues) as (keyof typeof refusedValues)[]

/** Invalid values of `interval_hours`, by the last part of their requirement's id. */
export const refusedHours = { zero: [0], negative: [-1, -24], above: [169, 1000], fraction: [1.5, 0.5, 168.5] } as const

/** Requirements of creating and reading exports. */
export const bulkExportRequirements: readonly Requirement[] = [
  ...section('export', name, [
    accepts('export.create.accepted', 'a one-off export with `start_time` and `end_time`'),
    ...oneOffFields.map((field) => {
      const kind = field === 'end_time' ? 'a one-off export' : 'an export'
      return refuses(`export.create.${field}.required`, `${kind} without \`${field}\``, refused)
    }),
    refuses('export.create.session_id.form', 'an export whose `session_id` is not a UUID', refused),
    refuses('export.create.start_time.form', 'an export whose `start_time` is not a timestamp', refused),
    refuses('export.create.end_time.form', 'an export whose `end_time` is not a timestamp', refused),
    refuses(
      'export.create.bulk_export_destination_id.known',
      'an export to a destination that does not exist',
      refused,
    ),
    accepts('export.create.scheduled.accepted', 'an export with `interval_hours` and without `end_time`'),
    refuses('export.create.scheduled.end-time-refused', 'a scheduled export with `end_time`', {
      interpretation:
        'Refused means no 2xx status and no `id` of an export; an explicit null counts as omitted and is not tested.',
    }),
    must('export.create.refused.nothing-created', 'A refused creation creates no export.', {
      interpretation: 'A rejected request has no effect.',
    }),
    should('export.create.refused.client-error', 'The service refuses an invalid creation with a 4xx status.'),
    must('export.create.fresh-id', 'Each created export has a new id.'),
    must('export.create.interval.makes-scheduled', '`interval_hours` makes an export scheduled.', {
      interpretation:
        'A scheduled export writes no files; the exports that it spawns do. It may show any status once it has spawned one.',
    }),
    accepts('export.filter.accepted', 'an export with a `filter`'),
    must('export.filter.omitted', 'Without `filter`, the export contains all runs of the window.'),
    accepts('export.fields.accepted', 'an export with `export_fields`'),
    must('export.fields.limit-columns', '`export_fields` limits the exported columns to the named ones.', {
      interpretation:
        'Only columns for other run fields fail; `tenant_id`, `is_root` and the partition columns are allowed.',
    }),
    must('export.fields.complete', 'The export contains every column that `export_fields` names.'),
    must('export.fields.same-runs', '`export_fields` does not change which runs are exported.', {
      interpretation: columnsOnly,
    }),
    must('export.fields.same-values', '`export_fields` does not change the values of the named columns.', {
      interpretation: columnsOnly,
    }),
    ...each(unspecified, {
      'export.create.fields.others': 'Which additional fields the response to a creation has.',
      'export.create.source-given': 'What the service does with a `source_bulk_export_id` in a creation.',
      'export.create.unknown-session': 'What the service returns for an export of a project that does not exist.',
      'export.create.empty-window': 'What the service returns for an export whose `end_time` equals its `start_time`.',
      'export.create.reversed-window':
        'What the service returns for an export whose `end_time` is before its `start_time`.',
      'export.create.future': 'What the service returns for an export of a window in the future.',
      'export.create.time-without-zone': 'What the service returns for a time without a zone.',
      'export.create.time-with-offset': 'What the service returns for a time with an offset other than UTC.',
      'export.create.null-end-time': 'What the service returns for a scheduled export whose `end_time` is null.',
      'export.create.hours-text': 'What the service returns for `interval_hours` as a string.',
      'export.fields.unknown': 'What the service returns for an unknown name in `export_fields`.',
      'export.fields.empty': 'What the service returns for an empty `export_fields`.',
    }),
  ]),
  ...fieldRequirements(createdTable),
  ...section('export', 'Endpoints / B. Bulk export API / GET /api/v1/bulk-exports/{export_id}', [
    must('export.get.answers-export', 'GET /api/v1/bulk-exports/{export_id} returns the export.'),
    must('export.get.keeps-final', 'An export that has ended is not shown as running again.', {
      interpretation:
        'Tested with exports that no request changes, after a read has shown the end, or 1.5 s after a list has; a server ' +
        'may use several final statuses.',
    }),
    ...each(unspecified, {
      'export.get.fields.others': 'Which additional fields an export has.',
      'export.get.unknown': 'What GET /api/v1/bulk-exports/{export_id} returns for an id that does not exist.',
      'export.get.malformed-id': 'What GET /api/v1/bulk-exports/{export_id} returns for an id that is not a UUID.',
    }),
  ]),
  ...fieldRequirements(exportTable),
  ...section('export', 'Endpoints / B. Bulk export API / GET /api/v1/bulk-exports', [
    must('export.list.answers-list', 'GET /api/v1/bulk-exports returns a list.'),
    must('export.list.complete', 'The list contains every one-off, scheduled and spawned export.', {
      interpretation: 'Tested on all pages.',
    }),
    must('export.list.creation-time', 'Each listed export contains its creation time.', {
      interpretation: 'The specification does not name the field: any field with a plausible time passes.',
    }),
    must('export.list.creation-time-kept', 'The creation time of an export stays the same.', {
      interpretation: 'Responses that show a time as `created_at` are compared.',
    }),
    must('export.list.current-status', 'The list shows the final status of an export that has ended.', {
      interpretation: 'Tested 1.5 s after a read has shown it.',
    }),
    must('export.list.once', 'The list contains each export once.', { interpretation: 'Tested on each page.' }),
    unspecified('export.list.form', 'Whether the list is the response body itself.'),
    unspecified('export.list.order', 'The order in which exports are listed.'),
    unspecified('export.list.creation-time-name', 'The name of the field with the creation time of an export.'),
    unspecified('export.list.limit', 'What the query parameter `limit` does.'),
    unspecified('export.list.offset', 'What the query parameter `offset` does.'),
  ]),
  ...fieldRequirements(listedTable),
]
