import { present, string } from '../facts.ts'
import { type FieldTable, field, fieldRequirements } from '../fields.ts'
import { accepts, each, must, type Requirement, refuses, section, unspecified } from '../requirement.ts'

/** Fields of the response to the registration of a destination. */
export const destinationTable: FieldTable = {
  prefix: 'export.destination.fields',
  area: 'export',
  section: 'Resources and their fields / Export destination',
  subject: 'a registered destination',
  places: [{ method: 'POST', path: '/api/v1/bulk-exports/destinations', at: [] }],
  fields: [field('id', present(), string())],
}

const refused = { interpretation: 'Refused means no 2xx status and no `id` of a destination.' }

/** Required fields of a destination. */
export const destinationFields = ['destination_type', 'display_name', 'config'] as const

/** Fields without which credentials authorize nothing. */
export const credentialFields = ['access_key_id', 'secret_access_key'] as const

/** Requirements of export destinations. */
export const destinationRequirements: readonly Requirement[] = [
  ...fieldRequirements(destinationTable),
  ...section('export', 'Resources and their fields / Export destination', [
    ...destinationFields.map((name) =>
      refuses(`export.destination.${name}.required`, `a destination without \`${name}\``, refused),
    ),
    refuses('export.destination.credentials.required-hosted', 'a destination without `credentials`', {
      profile: 'hosted',
      interpretation:
        'Only self-hosted installations accept a destination without them; refused means no 2xx status and no `id` of a destination.',
    }),
    ...credentialFields.map((name) =>
      refuses(`export.destination.${name}.required`, `a destination whose \`credentials\` lack \`${name}\``, {
        interpretation:
          'Only destinations without any credentials use those of the environment, so the service cannot write the test file; refused means no 2xx status and no `id` of a destination.',
      }),
    ),
    refuses('export.destination.neither', 'a destination with neither `region` nor `endpoint_url`', refused),
    must('export.destination.prefix.confines', 'The service writes nothing outside `config.prefix`.', {
      interpretation: 'A key that repeats the bucket name before the prefix passes.',
    }),
    accepts(
      'export.destination.session-token.accepted',
      'a destination with temporary credentials and their `session_token`',
    ),
    must('export.destination.session-token.used', 'The service writes files with temporary credentials.'),
    must(
      'export.destination.native-region',
      "`region` without `endpoint_url` names a bucket in the cloud provider's own object store.",
      {
        excluded:
          'Only a bucket there shows it. With `--bucket env` and no endpoint, all export checks use such a bucket.',
      },
    ),
    must('export.destination.credentials.encrypted', 'The service stores credentials in encrypted form.', {
      excluded: 'Storage is not visible from outside.',
    }),
    must(
      'export.destination.credentials.not-answered',
      'No response and no file contains the secrets of a destination.',
      {
        interpretation:
          '`secret_access_key` and `session_token` must not appear in bodies, headers or files as plain text, base64 or URL-encoded text; `access_key_id` may, because stores include it in errors that a service relays.',
      },
    ),
    ...each(unspecified, {
      'export.destination.fields.others': 'Which additional fields a registered destination has.',
      'export.destination.type.other': 'What the service returns for a `destination_type` other than `s3`.',
      'export.destination.prefix.absent': 'What the service returns for a destination without `config.prefix`.',
      'export.destination.prefix.slashes': 'Where files go if the prefix starts and ends with slashes.',
      'export.destination.prefix.traversal': 'What the service returns for a prefix that contains `..`.',
      'export.destination.bucket-absent': 'What the service returns for a destination without `config.bucket_name`.',
      'export.destination.region-and-endpoint':
        'What the service returns for a destination with both `region` and `endpoint_url`.',
      'export.destination.list': 'What GET /api/v1/bulk-exports/destinations returns.',
      'export.destination.get': 'What GET /api/v1/bulk-exports/destinations/{destination_id} returns.',
    }),
  ]),
  ...section('export', 'Endpoints / B. Bulk export API / POST /api/v1/bulk-exports/destinations', [
    accepts('export.destination.create.accepted', 'a destination with a writable bucket'),
    must('export.destination.create.fresh-id', 'Each registered destination has a new id.'),
  ]),
  ...section('export', 'Endpoints / B. Bulk export API / Rules', [
    must('export.destination.test-file.written', 'Registering a destination writes a test file to the bucket.', {
      interpretation: 'Tested with an account that cannot delete, so that the file remains.',
    }),
    refuses('export.destination.test-file.rejects', 'a destination to whose bucket it cannot write', refused),
    must('export.destination.test-file.deleted', 'The service deletes the test file if the account can delete.'),
    accepts('export.destination.test-file.delete-optional', 'a destination whose account cannot delete'),
    must(
      'export.destination.write-access',
      'The service that registers destinations and the service that executes exports both need write access to the bucket.',
      {
        excluded: "This is a requirement on the bucket's network, not on the service.",
      },
    ),
    must(
      'export.destination.ambient-credentials',
      'Without `credentials`, the service uses the credentials of its environment.',
      {
        profile: 'self-hosted',
        accepts: 'a destination without `credentials`',
        interpretation: 'Tested if the configuration declares that the environment has credentials.',
      },
    ),
    unspecified('export.destination.test-file.name', 'The name of the test file.'),
  ]),
]
