import { must, type Requirement, section, unspecified } from '../requirement.ts'

/** Requirements of bulk export as a whole. */
export const serviceRequirements: readonly Requirement[] = section('export', 'What the service does', [
  must('export.service.time-range', 'The export contains every run that started clearly inside the time range.', {
    interpretation:
      'Runs belong to a window by their `start_time` in UTC; clearly inside means at least one millisecond from the border.',
  }),
  must('export.service.nothing-outside', 'The export contains no run that started clearly outside the time range.', {
    interpretation:
      'Runs belong to a window by their `start_time` in UTC; clearly outside means at least one millisecond from the border.',
  }),
  must('export.service.one-project', 'The export contains only runs of the tracing project in `session_id`.'),
  must('export.service.own-bucket', 'The service writes the files to the bucket of the destination.'),
  must('export.service.s3-compatible', 'The service accepts a bucket that implements the S3-compatible protocol.', {
    excluded: 'Every export check depends on it; export.destination.create.accepted tests the first destination.',
  }),
  must(
    'export.service.plan.destination-refused',
    'On a plan below Plus, the service refuses to register a destination.',
    {
      refuses: 'a destination on a plan below Plus',
      interpretation:
        'Tested if the configuration has a key of a lower plan; refused means no 2xx status and no `id` of a destination.',
    },
  ),
  must('export.service.plan.export-refused', 'On a plan below Plus, the service refuses to create an export.', {
    refuses: 'an export on a plan below Plus',
    interpretation:
      'Tested if the configuration has a key of a lower plan; refused means no 2xx status and no `id` of an export.',
  }),
  unspecified('export.service.plan.read', 'What the service returns when a caller on a lower plan lists exports.'),
  must('export.service.resilience', 'The service handles the resilience of an export.', {
    excluded:
      'The specification does not state which failures an export must survive; the documented errors are tested separately.',
  }),
  must('export.service.duration', 'The duration of an export depends on the volume of data.', {
    excluded: 'The specification states no bound.',
  }),
  must('export.service.base-address', 'EU organizations and self-hosted installations use their own base address.', {
    excluded: 'The configuration sets the address.',
  }),
])
