import { shouldBePresent } from '../facts.ts'
import { type FieldTable, field, fieldRequirements } from '../fields.ts'
import { must, type Requirement, section, unspecified } from '../requirement.ts'

const byValue = { interpretation: 'Its name is left open: found by value and plausible name.' }

/** An export run as the list shows it. */
export const exportRunTable: FieldTable = {
  prefix: 'export.run.fields',
  area: 'export',
  section: 'Resources and their fields / Export run',
  subject: 'an export run',
  places: [{ method: 'GET', path: '/api/v1/bulk-exports/{export_id}/runs', at: ['*'] }],
  needs: 'export.runs.answers-list',
  // Left out only where it is null: elsewhere it records a known problem.
  fields: [field('errors', shouldBePresent({ broken: { change: (value) => value ?? undefined } }))],
}

/** Export runs. */
export const exportRunRequirements: readonly Requirement[] = [
  ...section('export', 'Resources and their fields / Export run', [
    must('export.run.per-date', 'An export is split into export runs, each for one date.', {
      interpretation:
        'There are at least as many as dates (UTC) with rows, and at most as many as dates in the window.',
    }),
    must('export.run.id', 'Each export run tells an id of its own.', byValue),
    must('export.run.status', 'Each export run tells its status.', byValue),
    must('export.run.creation-time', 'Each export run tells when it was created.', byValue),
    must('export.run.rows', 'Each export run tells how many rows of its date it exported.', byValue),
  ]),
  ...fieldRequirements(exportRunTable),
  ...section('export', 'Resources and their fields / Export run', [
    unspecified('export.run.names', 'Which fields an export run shows.'),
    unspecified('export.run.statuses', 'Which status the runs of an export have that has ended.'),
    unspecified('export.run.empty-date', 'Whether a date without rows has an export run, and a file.'),
    unspecified('export.run.order', 'In which order export runs are listed.'),
  ]),
  ...section('export', 'Endpoints / B. Bulk export API / GET /api/v1/bulk-exports/{export_id}/runs', [
    must('export.runs.answers-list', 'GET /api/v1/bulk-exports/{export_id}/runs answers with a list.'),
    must('export.runs.own', 'It lists the runs of the named export only.'),
    unspecified('export.runs.of-schedule', 'Which runs a scheduled export lists.'),
    unspecified('export.runs.unknown', 'What the runs of the id of no export are answered.'),
  ]),
]
