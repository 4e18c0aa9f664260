import { must, type Requirement, section, unspecified } from '../requirement.ts'
import { featureVersions } from './versions.ts'

/** An endpoint of the bulk export API, as the table of the document has it. */
export interface ExportEndpoint {
  /** Part of the ids of its rows. */
  readonly key: string
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Path template. */
  readonly path: string
}

/** The six endpoints of the bulk export API. */
export const exportEndpoints: readonly ExportEndpoint[] = [
  { key: 'destination-create', method: 'POST', path: '/api/v1/bulk-exports/destinations' },
  { key: 'create', method: 'POST', path: '/api/v1/bulk-exports' },
  { key: 'get', method: 'GET', path: '/api/v1/bulk-exports/{export_id}' },
  { key: 'runs', method: 'GET', path: '/api/v1/bulk-exports/{export_id}/runs' },
  { key: 'list', method: 'GET', path: '/api/v1/bulk-exports' },
  { key: 'cancel', method: 'PATCH', path: '/api/v1/bulk-exports/{export_id}' },
]

const refused = { interpretation: 'Refused means: no 2xx.' }
const workspace = { interpretation: 'The header selects the workspace: what another one holds is not there.' }

/** Who may use the API. */
export const accessRequirements: readonly Requirement[] = section('export', 'Authentication / Bulk export API', [
  ...exportEndpoints.flatMap(({ key, method, path }) => [
    must(`export.auth.api-key.${key}`, `${method} ${path} without \`X-API-Key\` is refused.`, refused),
    must(`export.auth.tenant-id.${key}`, `${method} ${path} without \`X-Tenant-Id\` is refused.`, refused),
    must(`export.auth.unknown-key.${key}`, `${method} ${path} with an unknown \`X-API-Key\` is refused.`, {
      interpretation: 'A key that is required must be one. Refused means: no 2xx.',
    }),
  ]),
  must('export.auth.workspace.get', 'An export is not read from another workspace.', workspace),
  must('export.auth.workspace.runs', 'The runs of an export are not read from another workspace.', workspace),
  must('export.auth.workspace.list', 'An export is not listed in another workspace.', workspace),
  must('export.auth.workspace.cancel', 'An export is not cancelled from another workspace.', workspace),
  must('export.auth.workspace.destination', 'An export to a destination of another workspace exports nothing.', {
    interpretation: 'Refused, or nothing comes into the bucket of the other workspace.',
  }),
  must('export.auth.workspace.records', 'No records of a project of another workspace are exported.', workspace),
  unspecified('export.auth.foreign-workspace', 'What a key is answered with the `X-Tenant-Id` of another workspace.'),
  unspecified('export.auth.content-type', 'What a request without `Content-Type` is answered.'),
  must('export.auth.bucket', 'The credentials of a destination authorize the service to write to the bucket.', {
    excluded: 'every file that is written shows it; what they do not permit is under Errors',
  }),
])

/** The documented errors of a destination, by part of their rows' ids, with the text that the document gives. */
export const destinationErrors = {
  'access-denied': 'Access denied',
  'bucket-missing': 'Bucket is not valid',
  'unknown-key': 'Key ID you provided does not exist',
  'endpoint-malformed': 'Invalid endpoint',
  'endpoint-no-store': 'Invalid endpoint',
} as const

const conditions: Readonly<Record<keyof typeof destinationErrors, string>> = {
  'access-denied': 'whose credentials lack permission to write',
  'bucket-missing': 'whose bucket does not exist',
  'unknown-key': 'whose access key id is not a valid key',
  'endpoint-malformed': 'whose `endpoint_url` is no address',
  'endpoint-no-store': 'whose `endpoint_url` is the address of another kind of service',
}

/** Errors of destinations and exports. */
export const errorRequirements: readonly Requirement[] = section('export', 'Errors', [
  ...Object.entries(destinationErrors).flatMap(([key, text]) => {
    const which = conditions[key as keyof typeof conditions]
    const either = key === 'access-denied' ? ' or `Bucket is not valid`, whose row covers it, too' : ''
    return [
      must(`export.errors.${key}.refused`, `A destination ${which} is refused.`, {
        interpretation: 'Refused means: no 2xx and no `id`, but for one of the error itself.',
      }),
      must(`export.errors.${key}.text`, `It is refused with the error \`${text}\`.`, {
        interpretation: `Anywhere in the body, in any case${either}.`,
      }),
    ]
  }),
  must('export.errors.run.recorded', 'A known problem is recorded in the `errors` of the export run.', {
    interpretation: 'Judged where the suite controls the bucket: it is removed between registration and execution.',
  }),
  must('export.errors.run.no-success', 'An export whose bucket is gone does not end with success.', {
    interpretation: 'Known problems are recorded: what had one did not succeed.',
  }),
  must('export.errors.run.denied-recorded', 'A write that is denied is recorded in the `errors` of the export run.', {
    interpretation:
      'Judged where the suite controls the bucket: writing is withdrawn between registration and execution.',
  }),
  must('export.errors.run.denied-no-success', 'An export whose writes are denied does not end with success.', {
    interpretation: 'Known problems are recorded: what had one did not succeed.',
  }),
  unspecified('export.errors.run.form', 'Which form `errors` of an export run has.'),
  unspecified('export.errors.wrong-secret', 'What a destination with a wrong secret is answered.'),
  unspecified('export.errors.body', 'Which bodies the errors of the export API have.'),
  unspecified('export.errors.status.destination', 'Which status the refusal of a bucket has.'),
  unspecified('export.errors.status.field', 'Which status the refusal of a field has.'),
  unspecified('export.errors.status.access', 'Which status a request without a key has.'),
])

const features = Object.entries(featureVersions)

/** Part of the ids of a feature's rows. */
export function featureKey(feature: string): string {
  return feature.replaceAll(/[ _]/g, '-')
}

/** Versions of self-hosted installations. */
export const versioningRequirements: readonly Requirement[] = section('export', 'Versioning', [
  must('export.versioning.prefix', 'The paths of the export API carry the prefix `/api/v1`.', {
    excluded: 'every request of the checks carries it: without it nothing of this area is found',
  }),
  ...features.flatMap(([feature, { chart, app }]) => [
    must(
      `export.versioning.${featureKey(feature)}.on`,
      `${feature}: there from chart version ${chart} and application version ${app} on.`,
      { profile: 'self-hosted', interpretation: 'On when both versions suffice.' },
    ),
    must(
      `export.versioning.${featureKey(feature)}.off`,
      `${feature}: not there with an older chart or an older application.`,
      { profile: 'self-hosted', interpretation: 'Refused where one of the two versions does not suffice.' },
    ),
  ]),
])
