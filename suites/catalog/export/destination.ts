import { present, string } from '../facts.ts'
import { type FieldTable, field, fieldRequirements } from '../fields.ts'
import { must, type Requirement, section, unspecified } from '../requirement.ts'

/** The answer to the registration of a destination. */
export const destinationTable: FieldTable = {
  prefix: 'export.destination.fields',
  area: 'export',
  section: 'Resources and their fields / Export destination',
  subject: 'a registered destination',
  places: [{ method: 'POST', path: '/api/v1/bulk-exports/destinations', at: [] }],
  needs: 'export.destination.create.accepted',
  fields: [field('id', present(), string())],
}

const refused = { interpretation: 'Refused means: no 2xx and no `id`, but for one of the error itself.' }

/** Fields that a destination needs. */
export const destinationFields = ['destination_type', 'display_name', 'config'] as const

/** Export destinations: their fields, and the test file. */
export const destinationRequirements: readonly Requirement[] = [
  ...fieldRequirements(destinationTable),
  ...section('export', 'Resources and their fields / Export destination', [
    ...destinationFields.map((name) =>
      must(`export.destination.${name}.required`, `A destination without \`${name}\` is refused.`, refused),
    ),
    must('export.destination.credentials.required-hosted', 'A destination without `credentials` is refused.', {
      profile: 'hosted',
      interpretation:
        'Only self-hosted installations may leave them out. Refused means: no 2xx and no `id`, but for one of the error itself.',
    }),
    must('export.destination.prefix.confines', 'Nothing is written outside `config.prefix`.', {
      interpretation: 'A key that repeats the name of the bucket first is tolerated.',
    }),
    must('export.destination.session-token.accepted', 'Temporary credentials with `session_token` are accepted.'),
    must('export.destination.session-token.used', 'Files are written with temporary credentials, too.'),
    must('export.destination.native-region', 'A bucket of the native cloud store is named by `region` alone.', {
      excluded: 'needs that store: where --bucket env names no endpoint, every check stands on it',
    }),
    must('export.destination.credentials.encrypted', 'Credentials are stored in encrypted form.', {
      excluded: 'how they are kept cannot be seen from outside',
    }),
    must('export.destination.credentials.not-answered', 'Credentials stand in no answer and in no file.', {
      interpretation:
        'What is kept in encrypted form is told to nobody: `secret_access_key` and `session_token` are looked for in bodies, headers and files, as they are, in base64 and encoded for addresses. `access_key_id` is not: it is the name of a key, which stores themselves tell in refusals that a service relays.',
    }),
    unspecified('export.destination.fields.others', 'Which further fields a registered destination shows.'),
    unspecified('export.destination.type.other', 'What a `destination_type` other than `s3` is answered.'),
    unspecified('export.destination.prefix.absent', 'What a destination without `config.prefix` is answered.'),
    unspecified('export.destination.prefix.slashes', 'Where files go when the prefix has slashes at its ends.'),
    unspecified('export.destination.prefix.traversal', 'What a prefix with `..` in it is answered.'),
    unspecified('export.destination.bucket-absent', 'What a destination without `config.bucket_name` is answered.'),
    unspecified(
      'export.destination.region-and-endpoint',
      'What a destination with `region` and `endpoint_url` is answered.',
    ),
    unspecified(
      'export.destination.neither',
      'What a destination with neither `region` nor `endpoint_url` is answered.',
    ),
    unspecified('export.destination.list', 'What GET /api/v1/bulk-exports/destinations answers.'),
    unspecified('export.destination.get', 'What GET /api/v1/bulk-exports/destinations/{destination_id} answers.'),
  ]),
  ...section('export', 'Endpoints / B. Bulk export API / POST /api/v1/bulk-exports/destinations', [
    must('export.destination.create.accepted', 'A destination with a bucket that can be written to is registered.'),
    must('export.destination.create.fresh-id', 'Every destination gets an id of its own.'),
  ]),
  ...section('export', 'Endpoints / B. Bulk export API / Rules', [
    must('export.destination.test-file.written', 'Registering a destination writes a test file to the bucket.', {
      interpretation: 'Seen with an account that may not delete: the file is left there.',
    }),
    must('export.destination.test-file.rejects', 'A destination is rejected when the test file cannot be written.', {
      interpretation: 'Refused means: no 2xx and no `id`, but for one of the error itself.',
    }),
    must('export.destination.test-file.deleted', 'The test file is deleted when the account may delete.'),
    must('export.destination.test-file.delete-optional', 'An account that may not delete is accepted.'),
    must('export.destination.write-access', 'Registering and executing services both need access to the bucket.', {
      excluded: 'a demand on the network of the bucket, not on the service',
    }),
    must(
      'export.destination.ambient-credentials',
      'Without `credentials`, those of the environment of the service are used.',
      {
        profile: 'self-hosted',
        interpretation: 'Judged where the configuration says that its environment holds some.',
      },
    ),
    unspecified('export.destination.test-file.name', 'How the test file is named.'),
  ]),
]
