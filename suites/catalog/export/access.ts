import { must, type Requirement, refuses, section, should, unspecified } from '../requirement.ts'
import { featureVersions } from './versions.ts'

/** Endpoint of the bulk export API. */
export interface ExportEndpoint {
  /** Part of the ids of its requirements. */
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

const refused = { interpretation: 'Refused means no 2xx status.' }
const workspace = {
  interpretation: '`X-Tenant-Id` selects the workspace, so data of other workspaces does not exist for the request.',
}

/** Requirements of API keys and workspaces. */
export const accessRequirements: readonly Requirement[] = section('export', 'Authentication / Bulk export API', [
  ...exportEndpoints.flatMap(({ key, method, path }) => [
    refuses(`export.auth.api-key.${key}`, `${method} ${path} without \`X-API-Key\``, {
      interpretation: 'A header without a value has no key. Refused means no 2xx status.',
    }),
    refuses(`export.auth.tenant-id.${key}`, `${method} ${path} without \`X-Tenant-Id\``, refused),
    refuses(`export.auth.unknown-key.${key}`, `${method} ${path} with an unknown \`X-API-Key\``, {
      interpretation:
        'The header is required, so its value must be a valid key: not a made-up one, nor a valid one without its last character or with a further one. Refused means no 2xx status.',
    }),
  ]),
  must('export.auth.workspace.get', 'The service does not return an export to another workspace.', workspace),
  must(
    'export.auth.workspace.runs',
    'The service does not return the export runs of an export to another workspace.',
    workspace,
  ),
  must('export.auth.workspace.list', 'The list of exports does not contain exports of another workspace.', workspace),
  must('export.auth.workspace.cancel', 'A request from another workspace does not cancel an export.', workspace),
  must('export.auth.workspace.destination', 'An export to a destination of another workspace exports nothing.', {
    interpretation: 'The service refuses the export, or writes nothing to the bucket of the other workspace.',
  }),
  must('export.auth.workspace.records', "The service exports no runs of another workspace's project.", workspace),
  unspecified(
    'export.auth.foreign-workspace',
    'What the service returns for a key with the `X-Tenant-Id` of another workspace.',
  ),
  unspecified('export.auth.content-type', 'What the service returns for a request without `Content-Type`.'),
  must('export.auth.bucket', 'The credentials of a destination authorize the service to write to the bucket.', {
    excluded: 'The only effect is the exported files. Other requirements test the files and missing permissions.',
  }),
])

/** Documented errors of a destination: part of the ids of their requirements, and the error text. */
export const destinationErrors = {
  'access-denied': 'Access denied',
  'bucket-missing': 'Bucket is not valid',
  'unknown-key': 'Key ID you provided does not exist',
  'endpoint-malformed': 'Invalid endpoint',
  'endpoint-no-store': 'Invalid endpoint',
} as const

const conditions: Readonly<Record<keyof typeof destinationErrors, string>> = {
  'access-denied': 'whose credentials have no write permission',
  'bucket-missing': 'whose bucket does not exist',
  'unknown-key': 'whose access key id is not a valid key',
  'endpoint-malformed': 'whose `endpoint_url` is not a URL',
  'endpoint-no-store': 'whose `endpoint_url` is not an S3-compatible endpoint',
}

const problem = { interpretation: 'An export with a recorded problem did not succeed.' }

/** Requirements of errors of destinations and exports. */
export const errorRequirements: readonly Requirement[] = section('export', 'Errors', [
  ...Object.entries(destinationErrors).flatMap(([key, text]) => {
    const which = conditions[key as keyof typeof conditions]
    const either =
      key === 'access-denied' ? '; `Bucket is not valid` also passes, because it covers missing write permission' : ''
    return [
      refuses(`export.errors.${key}.refused`, `a destination ${which}`, {
        interpretation: 'Refused means no 2xx status and no `id` of a destination.',
      }),
      must(`export.errors.${key}.text`, `The error for a destination ${which} contains \`${text}\`.`, {
        interpretation: `The text may appear anywhere in the body, in upper or lower case${either}.`,
      }),
    ]
  }),
  refuses('export.errors.wrong-secret', 'a destination with a wrong secret', {
    interpretation: 'The service cannot write the test file; refused means no 2xx status and no `id` of a destination.',
  }),
  must('export.errors.run.recorded', 'The `errors` of an export run record a known problem.', {
    interpretation:
      'Tested if the suite controls the bucket: it removes the bucket between registration and execution.',
  }),
  must('export.errors.run.own', 'The `errors` of an export run record no problem of another export.', {
    interpretation: 'Tested on exports that had succeeded without these errors before the other one was created.',
  }),
  must('export.errors.run.no-success', 'An export does not end with success if its bucket is gone.', problem),
  must('export.errors.run.denied-recorded', 'The `errors` of an export run record a denied write.', {
    interpretation:
      'Tested if the suite controls the bucket: it withdraws write permission between registration and execution.',
  }),
  must('export.errors.run.denied-no-success', 'An export does not end with success if its writes are denied.', problem),
  should('export.errors.run.each-recorded', 'Each export run that failed has its own `errors`.', {
    interpretation:
      'Tested on exports to a bucket with a fault. A service may stop an export after the first error, and call the export runs that it has not tried failed, too, so this is a SHOULD.',
  }),
  should('export.errors.run.none-on-success', 'The `errors` of the export runs of a successful export are empty.', {
    interpretation: 'A service may record a problem that a retry has solved, so this is a SHOULD.',
  }),
  unspecified('export.errors.run.form', 'Which form `errors` of an export run has.'),
  unspecified('export.errors.body', 'Which bodies the errors of the export API have.'),
  unspecified('export.errors.status.destination', 'With which status the service refuses a bucket.'),
  unspecified('export.errors.status.field', 'With which status the service refuses a field.'),
  unspecified('export.errors.status.access', 'Which status a request without a key returns.'),
])

const features = Object.entries(featureVersions)

/** Returns the part of the ids of a feature's requirements. */
export function featureKey(feature: string): string {
  return feature.replaceAll(/[ _]/g, '-')
}

function nameOf(feature: string): string {
  return feature.includes(' ') ? feature : `\`${feature}\``
}

/** Requirements of self-hosted versions. */
export const versioningRequirements: readonly Requirement[] = section('export', 'Versioning', [
  must('export.versioning.prefix', 'The paths of the export API have the prefix `/api/v1`.', {
    excluded: 'Every export check sends this prefix, so all of them would fail without it.',
  }),
  ...features.flatMap(([feature, { chart, app, request }]) => [
    must(
      `export.versioning.${featureKey(feature)}.on`,
      `Self-hosted installations support ${nameOf(feature)} from chart version ${chart} and application version ${app} on.`,
      { profile: 'self-hosted', accepts: request, interpretation: 'Neither version may be lower.' },
    ),
    must(
      `export.versioning.${featureKey(feature)}.off`,
      `Self-hosted installations with an older chart or application do not support ${nameOf(feature)}.`,
      {
        profile: 'self-hosted',
        ...(feature === 'session_token'
          ? {
              refuses: request,
              interpretation: 'The service refuses the credentials if either version is too low.',
            }
          : { interpretation: 'The service refuses or ignores the feature if either version is too low.' }),
      },
    ),
  ]),
])
