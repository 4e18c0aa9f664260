import { accepts, each, must, type Requirement, refuses, section, unspecified } from '../requirement.ts'
import { refusedHours } from './bulk-export.ts'

/** Requirements of scheduled and spawned exports. */
export const scheduleRequirements: readonly Requirement[] = [
  ...section('export', 'Endpoints / B. Bulk export API / Rules', [
    must('export.schedule.spawns', 'A scheduled export spawns an export for each window that has ended.', {
      interpretation:
        'Tested within `budgets.exportMs` of the due time with a driver, and within `budgets.lateMs` in real time; the result is inconclusive if the budget runs out.',
    }),
    must(
      'export.schedule.window.start',
      'Spawned export n begins at S+(n-1)*H, for a start S and an interval of H hours.',
      {
        interpretation:
          'Tested by the exported runs: those clearly after that time are included, those clearly before are not; in real time also by the window that the spawned export shows.',
      },
    ),
    must('export.schedule.window.end', 'Spawned export n ends at S+n*H, for a start S and an interval of H hours.', {
      interpretation:
        'Tested by the exported runs: those clearly before that time are included, those clearly after are not; in real time also by the window that the spawned export shows.',
    }),
    must(
      'export.schedule.delay',
      'A spawned export does not run earlier than 10 minutes after the end of its window.',
      {
        interpretation:
          "The export may exist earlier if it does nothing; in real time, it must not have ended earlier by the server's clock.",
      },
    ),
    must('export.schedule.every-window', 'One spawned export covers each window.', {
      interpretation: 'This includes several windows that end at once when the clock moves.',
    }),
    must('export.schedule.source', '`source_bulk_export_id` of a spawned export is the id of the scheduled export.', {
      interpretation: 'The field may appear in the list or in the export itself.',
    }),
    must('export.schedule.own-path', 'The path of the files of a spawned export contains its own id.'),
    must('export.schedule.filter', 'A spawned export applies the `filter` of the scheduled export.', {
      interpretation: 'Scheduled exports also accept `filter`.',
      accepts: 'a scheduled export with `filter`',
    }),
    must('export.schedule.fields', 'A spawned export applies the `export_fields` of the scheduled export.', {
      interpretation: 'Scheduled exports also accept `export_fields`.',
      accepts: 'a scheduled export with `export_fields`',
    }),
    ...each(unspecified, {
      'export.schedule.catch-up':
        'What happens to windows whose exports were due before a scheduled export is created.',
      'export.schedule.future': 'What the service returns for a scheduled export that starts in the future.',
      'export.schedule.source-of-others': 'What `source_bulk_export_id` is on exports that were not spawned.',
    }),
  ]),
  ...section('export', 'Limits', [
    accepts('export.limits.hours.least', 'an export with the `interval_hours` 1'),
    accepts('export.limits.hours.most', 'an export with the `interval_hours` 168'),
    ...Object.entries(refusedHours).map(([key, hours]) =>
      refuses(
        `export.limits.hours.${key}`,
        `an export with the \`interval_hours\` ${new Intl.ListFormat('en', { type: 'disjunction' }).format(hours.map(String))}`,
        {
          interpretation: 'Refused means no 2xx status and no `id` of an export.',
        },
      ),
    ),
    must('export.limits.timeout', 'An export runs for at most 24 hours.', {
      excluded:
        'No request of the API makes an export run that long, and moving the clock by a day would also end all other exports.',
    }),
    must('export.limits.concurrent', 'The number of concurrent exports is limited.', {
      excluded: 'The specification does not state the limit, so no number of exports shows it.',
    }),
    unspecified('export.limits.rate', 'Which rate limit the responses report.'),
    unspecified('export.limits.request-size', 'Whether the service accepts a request of one megabyte.'),
    unspecified('export.limits.page-size', 'How many exports a client can request in one page.'),
  ]),
]
