import { must, type Requirement, section, unspecified } from '../requirement.ts'
import { refusedHours } from './bulk-export.ts'

/** Scheduled exports and what they spawn. */
export const scheduleRequirements: readonly Requirement[] = [
  ...section('export', 'Endpoints / B. Bulk export API / Rules', [
    must('export.schedule.spawns', 'A scheduled export spawns an export for a window that is over.', {
      interpretation: 'Within budgets.exportMs of its time; where it is judged on real time, within budgets.lateMs.',
    }),
    must('export.schedule.window.start', 'Spawned export n begins at S+(n-1)*H.', {
      interpretation:
        'Judged by its rows: those clearly after that time are there, those clearly before are not. On real time also by the window that it tells as its own.',
    }),
    must('export.schedule.window.end', 'Spawned export n ends at S+n*H.', {
      interpretation:
        'Judged by its rows: those clearly before that time are there, those clearly after are not. On real time also by the window that it tells as its own.',
    }),
    must('export.schedule.delay', 'A spawned export does not run before its end time plus 10 minutes.', {
      interpretation:
        'It may be there earlier, as long as it does nothing; on real time it has not ended earlier by its own clock.',
    }),
    must('export.schedule.every-window', 'Each window is exported by one spawned export.', {
      interpretation: 'Also where the clock passes several windows at once.',
    }),
    must('export.schedule.source', 'A spawned export carries `source_bulk_export_id`: the id of the scheduled one.', {
      interpretation: 'In the list, or where it is read alone.',
    }),
    must('export.schedule.own-path', 'The files of a spawned export stand under its own id.'),
    must('export.schedule.filter', 'A spawned export has the filter of the scheduled one.'),
    must('export.schedule.fields', 'A spawned export has the `export_fields` of the scheduled one.', {
      interpretation: 'They are accepted for scheduled exports, too.',
    }),
    unspecified('export.schedule.catch-up', 'What becomes of windows that are past when a schedule is created.'),
    unspecified('export.schedule.future', 'What a schedule that starts in the future is answered.'),
    unspecified(
      'export.schedule.source-of-others',
      'What `source_bulk_export_id` is on exports that were not spawned.',
    ),
  ]),
  ...section('export', 'Limits', [
    must('export.limits.hours.least', '`interval_hours` 1 is accepted.'),
    must('export.limits.hours.most', '`interval_hours` 168 is accepted.'),
    ...Object.entries(refusedHours).map(([key, hours]) =>
      must(`export.limits.hours.${key}`, `\`interval_hours\` ${hours} is refused.`, {
        interpretation: 'Refused means: no 2xx and no `id`, but for one of the error itself.',
      }),
    ),
    must('export.limits.timeout', 'An export runs for 24 hours at most.', {
      excluded:
        'no request of the API makes an export last so long, and a clock moved on by a day would end all others, too',
    }),
    must('export.limits.concurrent', 'How many exports run at the same time is limited.', {
      excluded: 'the limit is not stated, so that no number of exports shows it',
    }),
    unspecified('export.limits.rate', 'Which rate limit answers tell of.'),
    unspecified('export.limits.request-size', 'Whether a request of one megabyte is accepted.'),
    unspecified('export.limits.page-size', 'How large a page of exports may be asked for.'),
  ]),
]
