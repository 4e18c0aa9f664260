import { shouldBePresent } from '../facts.ts'
import { type FieldTable, field, fieldRequirements } from '../fields.ts'
import { must, type Requirement, section, unspecified } from '../requirement.ts'

/** Fields of a listed export run. */
export const exportRunTable: FieldTable = {
  prefix: 'export.run.fields',
  area: 'export',
  section: 'Resources and their fields / Export run',
  subject: 'an export run',
  places: [{ method: 'GET', path: '/api/v1/bulk-exports/{export_id}/runs', at: ['*'] }],
  // Left out only if it is null; any other value records a known problem.
  fields: [field('errors', shouldBePresent({ broken: { change: (value) => value ?? undefined } }))],
}

/** Requirements of export runs. */
export const exportRunRequirements: readonly Requirement[] = [
  ...section('export', 'Resources and their fields / Export run', [
    must('export.run.per-date', 'An export is split into export runs, each for one date.', {
      interpretation:
        'There is at least one export run for each UTC date with runs; several export runs may share a date.',
    }),
    must('export.run.id', 'Each export run contains its own id.', {
      interpretation:
        'The specification does not name the field: any field passes whose values are unique and the same in a second read. UUIDs in the field `id` must be unique among all exports, too.',
    }),
    must('export.run.status', 'Each export run contains its status.', {
      interpretation:
        'The specification does not name the field: a text in a field whose name contains `status` or `state` passes, and a known status in any other field.',
    }),
    must('export.run.creation-time', 'Each export run contains its creation time.', {
      interpretation: 'The specification does not name the field: any field with a plausible time passes.',
    }),
    must('export.run.rows', 'Each export run contains the number of rows it exported.', {
      interpretation:
        'The specification does not name the field: any field with the right numbers passes; the rows of export runs of one date add up.',
    }),
  ]),
  ...fieldRequirements(exportRunTable),
  ...section('export', 'Resources and their fields / Export run', [
    unspecified('export.run.names', 'Which fields an export run has.'),
    unspecified('export.run.statuses', 'Which status the export runs of a finished export have.'),
    unspecified('export.run.empty-date', 'Whether a date without runs has an export run and a file.'),
    unspecified('export.run.order', 'The order in which export runs are listed.'),
  ]),
  ...section('export', 'Endpoints / B. Bulk export API / GET /api/v1/bulk-exports/{export_id}/runs', [
    must('export.runs.answers-list', 'GET /api/v1/bulk-exports/{export_id}/runs returns a list.'),
    must('export.runs.own', 'GET /api/v1/bulk-exports/{export_id}/runs returns only export runs of the named export.'),
    must('export.runs.once', 'The list of export runs contains each export run once.', {
      interpretation: 'Tested if the field `id` identifies export runs.',
    }),
    must('export.runs.kept', 'The export runs of an export that has ended stay the same.', {
      interpretation: 'Their number is compared, and their `id` and `created_at` if they have these names.',
    }),
    unspecified('export.runs.of-schedule', 'Which export runs a scheduled export has.'),
    unspecified(
      'export.runs.unknown',
      'What GET /api/v1/bulk-exports/{export_id}/runs returns for an id that does not exist.',
    ),
  ]),
]
