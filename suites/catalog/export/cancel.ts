import { accepts, must, type Requirement, refuses, section, should, unspecified } from '../requirement.ts'

/** Requirements of export statuses and cancellation. */
export const cancelRequirements: readonly Requirement[] = [
  ...section('export', 'Endpoints / B. Bulk export API / PATCH /api/v1/bulk-exports/{export_id}', [
    accepts('export.cancel.accepted', 'the cancellation of an export with the `status` `Cancelled`'),
    must('export.cancel.answers-export', 'A PATCH with the `status` `Cancelled` returns the updated export.', {
      interpretation: 'The response is a JSON object; it need not repeat the `id`.',
    }),
  ]),
  ...section('export', 'States and transitions / Export status', [
    must('export.execute.ends', 'A created export is executed and ends.', {
      interpretation:
        'Any final status passes except a failure; the result is inconclusive if `budgets.exportMs` runs out.',
    }),
    must('export.cancel.one-off', 'A one-off export that is cancelled before it has ended becomes `Cancelled`.', {
      interpretation: 'If the export ends before the request arrives, only export.cancel.completed applies.',
    }),
    must('export.cancel.scheduled', 'A cancelled scheduled export becomes `Cancelled`.'),
    should('export.cancel.completed', 'A completed export that is cancelled becomes `Cancelled`.', {
      interpretation:
        'The specification allows cancelling any export, but a careful reader may exclude completed ones, so this is a SHOULD.',
    }),
    must('export.cancel.only-named', 'A cancellation cancels no other export that a client created.', {
      interpretation: 'The request names one export.',
    }),
    must('export.cancel.stays', 'A cancelled export stays `Cancelled`.'),
    must('export.cancel.no-restart', 'A cancelled export cannot be restarted.', {
      interpretation: 'A later PATCH with another status is refused or changes nothing.',
    }),
    should('export.cancel.stops-writing', 'A cancelled export writes no more files.'),
    refuses('export.cancel.unknown', 'the cancellation of an export that does not exist', {
      interpretation: 'Refused means no 2xx status.',
    }),
    must('export.cancel.new-export', 'A client can create a new export after a cancellation.'),
    must('export.cancel.stops-spawning', 'A cancelled scheduled export spawns no more exports.'),
    must(
      'export.cancel.spares-spawned',
      'Cancelling a scheduled export does not cancel the exports that it has spawned.',
    ),
    must('export.cancel.spawned-alone', 'A spawned export can be cancelled by its own id.', {
      interpretation:
        'The service accepts the request unless the export has ended, and does not cancel the scheduled export.',
    }),
    unspecified('export.status.created', 'Which status an export has right after its creation.'),
    unspecified('export.status.scheduled', 'Which status a scheduled export has.'),
    unspecified('export.status.ended', 'Which status a finished export has.'),
    unspecified('export.cancel.twice', 'What the service returns for a second cancellation.'),
    unspecified(
      'export.cancel.other-status',
      'What the service returns for a PATCH with another status on an export that is not cancelled.',
    ),
    unspecified('export.cancel.empty', 'What the service returns for a PATCH with an empty object.'),
    unspecified('export.cancel.runs', 'Which status the export runs of a cancelled export have.'),
  ]),
]
