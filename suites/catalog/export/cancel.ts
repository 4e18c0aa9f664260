import { must, type Requirement, section, should, unspecified } from '../requirement.ts'

/** Cancelling exports, and the statuses that they have. */
export const cancelRequirements: readonly Requirement[] = [
  ...section('export', 'Endpoints / B. Bulk export API / PATCH /api/v1/bulk-exports/{export_id}', [
    must('export.cancel.accepted', 'PATCH with status `Cancelled` is accepted.'),
    must('export.cancel.answers-export', 'It answers with the updated export.', {
      interpretation: 'An object with the id of the export.',
    }),
  ]),
  ...section('export', 'States and transitions / Export status', [
    must('export.execute.ends', 'An export that was created is executed and ends.', {
      interpretation: 'Within budgets.exportMs. Which status tells so is left open, but for words of failure.',
    }),
    must('export.cancel.one-off', 'A one-off export that is cancelled before it has ended becomes `Cancelled`.', {
      interpretation: 'Where it ended before the request came, what follows of completed exports is advised.',
    }),
    must('export.cancel.scheduled', 'A scheduled export that is cancelled becomes `Cancelled`.'),
    should('export.cancel.completed', 'A completed export that is cancelled becomes `Cancelled`.', {
      interpretation: 'The row says any export; a careful reader may stop at those that have not ended.',
    }),
    must('export.cancel.stays', 'A cancelled export stays `Cancelled`.'),
    must('export.cancel.no-restart', 'A cancelled export cannot be restarted.', {
      interpretation: 'A PATCH with another status afterwards is refused or changes nothing.',
    }),
    should('export.cancel.stops-writing', 'A cancelled export writes no further files.'),
    must('export.cancel.new-export', 'After a cancellation a new export can be created.'),
    must('export.cancel.stops-spawning', 'A cancelled schedule spawns no further exports.'),
    must('export.cancel.spares-spawned', 'Cancelling a schedule does not cancel what it has spawned.'),
    must('export.cancel.spawned-alone', 'A spawned export is cancelled by its own id.', {
      interpretation: 'It is accepted unless it had ended, and the schedule is not cancelled with it.',
    }),
    unspecified('export.status.created', 'Which status an export has when it was created.'),
    unspecified('export.status.scheduled', 'Which status a scheduled export has.'),
    unspecified('export.status.ended', 'Which status an export has that has ended.'),
    unspecified('export.cancel.twice', 'What a second cancellation is answered.'),
    unspecified(
      'export.cancel.other-status',
      'What a PATCH with another status is answered while the export is not cancelled.',
    ),
    unspecified('export.cancel.empty', 'What a PATCH with an empty object is answered.'),
    unspecified('export.cancel.unknown', 'What the cancellation of the id of no export is answered.'),
    unspecified('export.cancel.runs', 'Which status the runs of a cancelled export have.'),
  ]),
]
