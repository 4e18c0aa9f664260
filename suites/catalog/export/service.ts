import { must, type Requirement, section, unspecified } from '../requirement.ts'

/** What bulk export is for, whom it is for, and where it is found. */
export const serviceRequirements: readonly Requirement[] = section('export', 'What the service does', [
  must('export.service.time-range', 'Every run record that started clearly inside the time range is exported.', {
    interpretation: 'Which records belong to a window is told by their start time in UTC.',
  }),
  must('export.service.nothing-outside', 'No run record that started clearly outside the time range is exported.', {
    interpretation: 'Which records belong to a window is told by their start time in UTC.',
  }),
  must('export.service.one-project', 'Only run records of the tracing project that is named are exported.'),
  must('export.service.own-bucket', 'The files are written to the bucket that the caller supplied.'),
  must('export.service.s3-compatible', 'A bucket that speaks the S3-compatible protocol is taken.', {
    excluded: 'every check stands on it: registering the first destination decides export.destination.create.accepted',
  }),
  must('export.service.plan.destination-refused', 'On a lower plan than Plus, registering a destination is refused.', {
    interpretation:
      'Refused means: no 2xx and no `id`, but for one of the error itself. Judged where the configuration has a key of a lower plan.',
  }),
  must('export.service.plan.export-refused', 'On a lower plan than Plus, creating an export is refused.', {
    interpretation:
      'Refused means: no 2xx and no `id`, but for one of the error itself. Judged where the configuration has a key of a lower plan.',
  }),
  unspecified('export.service.plan.read', 'What a caller of a lower plan is answered who lists exports.'),
  must('export.service.resilience', 'The service handles the resilience of an export.', {
    excluded: 'what an export must withstand is not stated; the known problems have rows of their own, under Errors',
  }),
  must('export.service.duration', 'How long an export takes depends on the volume of data.', {
    excluded: 'no bound is stated',
  }),
  must(
    'export.service.base-address',
    'EU organizations and self-hosted installations use a base address of their own.',
    {
      excluded: 'the address is given by who runs the suites',
    },
  ),
])
