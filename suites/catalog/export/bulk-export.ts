import { present, string } from '../facts.ts'
import { type FieldTable, field, fieldRequirements } from '../fields.ts'
import { must, type Requirement, section, should, unspecified } from '../requirement.ts'

const name = 'Resources and their fields / Bulk export'
const columnsOnly = 'It limits columns, nothing else: compared with an export of the same window without it.'
const refused = { interpretation: 'Refused means: no 2xx and no `id`, but for one of the error itself.' }

/** The answer to the creation of an export. */
export const createdTable: FieldTable = {
  prefix: 'export.created.fields',
  area: 'export',
  section: name,
  subject: 'a created export',
  places: [{ method: 'POST', path: '/api/v1/bulk-exports', at: [] }],
  needs: 'export.create.accepted',
  fields: [field('id', present(), string())],
}

/** An export as it is read alone. */
export const exportTable: FieldTable = {
  prefix: 'export.get.fields',
  area: 'export',
  section: 'Endpoints / B. Bulk export API / GET /api/v1/bulk-exports/{export_id}',
  subject: 'an export that is read',
  places: [{ method: 'GET', path: '/api/v1/bulk-exports/{export_id}', at: [] }],
  needs: 'export.get.answers-export',
  fields: [field('status', present(), string())],
}

/** An export as the list shows it. */
export const listedTable: FieldTable = {
  prefix: 'export.list.fields',
  area: 'export',
  section: 'Endpoints / B. Bulk export API / GET /api/v1/bulk-exports',
  subject: 'a listed export',
  places: [{ method: 'GET', path: '/api/v1/bulk-exports', at: ['*'] }],
  needs: 'export.list.complete',
  fields: [field('status', present(), string())],
}

/** Fields that a one-off export needs. */
export const oneOffFields = ['bulk_export_destination_id', 'session_id', 'start_time', 'end_time'] as const

/** Values of `interval_hours` that are refused, by the last part of their row's id. */
export const refusedHours = { zero: 0, negative: -1, above: 169, fraction: 1.5 } as const

/** Exports: what creates them, and how they are read. */
export const bulkExportRequirements: readonly Requirement[] = [
  ...section('export', name, [
    must('export.create.accepted', 'A one-off export with `start_time` and `end_time` is created.'),
    ...oneOffFields.map((field) =>
      must(`export.create.${field}.required`, `A one-off export without \`${field}\` is refused.`, refused),
    ),
    must('export.create.scheduled.accepted', 'An export with `interval_hours` and without `end_time` is created.'),
    must('export.create.scheduled.end-time-refused', 'A scheduled export with `end_time` is refused.', {
      interpretation:
        'Must be omitted means refused: no 2xx and no `id`, but for one of the error itself. An explicit null is not judged.',
    }),
    must('export.create.refused.nothing-created', 'A creation that is refused leaves no export behind.', {
      interpretation: 'A rejected request has no effect.',
    }),
    should('export.create.refused.client-error', 'A creation that must be refused is answered with a 4xx status.'),
    must('export.create.fresh-id', 'Every export gets an id of its own.'),
    must('export.create.interval.makes-scheduled', '`interval_hours` makes an export scheduled.', {
      interpretation: 'It exports nothing by itself: what it spawns does.',
    }),
    must('export.filter.accepted', 'An export with a `filter` is created.'),
    must('export.filter.omitted', 'Without `filter` all runs of the window are exported.'),
    must('export.fields.accepted', 'An export with `export_fields` is created.'),
    must('export.fields.limit-columns', '`export_fields` limits the exported columns to those named.', {
      interpretation: '`tenant_id`, `is_root` and the partition columns are tolerated.',
    }),
    must('export.fields.complete', 'Every column that `export_fields` names is exported.'),
    must('export.fields.same-runs', '`export_fields` leaves out no run of the window.', {
      interpretation: columnsOnly,
    }),
    must('export.fields.same-values', '`export_fields` changes no value of a column that it names.', {
      interpretation: columnsOnly,
    }),
    unspecified('export.create.fields.others', 'Which further fields the answer to a creation shows.'),
    unspecified(
      'export.create.source-given',
      'What a creation does with a `source_bulk_export_id` that the caller sends.',
    ),
    unspecified(
      'export.create.unknown-destination',
      'What an export to a destination that does not exist is answered.',
    ),
    unspecified('export.create.unknown-session', 'What an export of a project that does not exist is answered.'),
    unspecified('export.create.empty-window', 'What an export whose `end_time` is its `start_time` is answered.'),
    unspecified('export.create.reversed-window', 'What an export that ends before it starts is answered.'),
    unspecified('export.create.future', 'What an export of a window in the future is answered.'),
    unspecified('export.create.time-without-zone', 'What a time without a zone is answered.'),
    unspecified('export.create.time-with-offset', 'What a time with an offset other than UTC is answered.'),
    unspecified('export.create.null-end-time', 'What a scheduled export with `end_time` null is answered.'),
    unspecified('export.create.hours-text', 'What `interval_hours` as text is answered.'),
    unspecified('export.fields.unknown', 'What an unknown name in `export_fields` is answered.'),
    unspecified('export.fields.empty', 'What an empty `export_fields` is answered.'),
  ]),
  ...fieldRequirements(createdTable),
  ...section('export', 'Endpoints / B. Bulk export API / GET /api/v1/bulk-exports/{export_id}', [
    must('export.get.answers-export', 'GET /api/v1/bulk-exports/{export_id} answers with the export.'),
    unspecified('export.get.fields.others', 'Which further fields an export shows.'),
    unspecified('export.get.unknown', 'What the id of no export is answered.'),
    unspecified('export.get.malformed-id', 'What an id that is no UUID is answered.'),
  ]),
  ...fieldRequirements(exportTable),
  ...section('export', 'Endpoints / B. Bulk export API / GET /api/v1/bulk-exports', [
    must('export.list.answers-list', 'GET /api/v1/bulk-exports answers with a list.'),
    must('export.list.complete', 'The list holds every export, one-off, scheduled and spawned.', {
      interpretation: 'Looked for through all pages.',
    }),
    must('export.list.creation-time', 'Each listed export shows when it was created.', {
      interpretation: 'Its name is left open: found by value and plausible name.',
    }),
    unspecified('export.list.form', 'Whether the list is the body itself.'),
    unspecified('export.list.order', 'In which order exports are listed.'),
    unspecified('export.list.creation-time-name', 'Under which name an export shows when it was created.'),
    unspecified('export.list.limit', 'What the query parameter `limit` does.'),
    unspecified('export.list.offset', 'What the query parameter `offset` does.'),
  ]),
  ...fieldRequirements(listedTable),
]
