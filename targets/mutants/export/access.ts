import type { ExportPolicies } from '../../../mock-server/export/policies.ts'
import { destinationErrors, exportEndpoints, featureKey } from '../../../suites/catalog/export/access.ts'
import { type Feature, featureVersions } from '../../../suites/catalog/export/versions.ts'
import { isObject } from '../../../suites/catalog/facts.ts'
import type { RequirementId } from '../../../suites/catalog/generated/ids.ts'
import { errorResponse, jsonBody } from '../../wrappers/requests.ts'
import { changeResponse, respondInstead } from '../../wrappers/routes.ts'
import type { Mutant } from '../mutant.ts'
import { acceptInvalid, createDestination, createExport, getExport } from './routes.ts'

const knownKeys = new Set(['touchstone-enterprise', 'touchstone-plus', 'touchstone-developer'])

/** How each endpoint accepts a faulty request: the fault is corrected before the server sees it. */
const corrections = {
  'api-key': {
    defect: 'accepts requests without X-API-Key',
    correct: (headers: Headers) => !headers.has('x-api-key') && headers.set('x-api-key', 'touchstone-enterprise'),
  },
  'tenant-id': {
    defect: 'accepts requests without X-Tenant-Id',
    correct: (headers: Headers) =>
      !headers.has('x-tenant-id') && headers.set('x-tenant-id', '00000000-0000-4000-8000-00000000000a'),
  },
  'unknown-key': {
    defect: 'accepts any X-API-Key',
    correct: (headers: Headers) => {
      const key = headers.get('x-api-key')
      if (key && !knownKeys.has(key)) headers.set('x-api-key', 'touchstone-enterprise')
    },
  },
} as const

const callerMutants = exportEndpoints.flatMap(({ key, method, path }) =>
  Object.entries(corrections).map(
    ([fault, { defect, correct }]): Mutant => ({
      id: `export.auth.${fault}.${key}-lenient`,
      defect: `${method} ${path} ${defect}`,
      requirements: [`export.auth.${fault}.${key}` as RequirementId],
      wrap: respondInstead({ method, path }, async (request, fetch) => {
        const headers = new Headers(request.headers)
        correct(headers)
        const body = method === 'GET' ? null : await request.text()
        return fetch(new Request(request.url, { method, headers, body }))
      }),
    }),
  ),
)

const shortenedKeyMutant: Mutant = {
  id: 'export.auth.unknown-key.list-start',
  defect: 'GET /api/v1/bulk-exports accepts the start of a valid X-API-Key',
  requirements: ['export.auth.unknown-key.list'],
  wrap: respondInstead({ method: 'GET', path: '/api/v1/bulk-exports' }, async (request, fetch) => {
    const headers = new Headers(request.headers)
    const start = headers.get('x-api-key')
    const key = !start ? undefined : [...knownKeys].find((each) => each.startsWith(start))
    if (key !== undefined) headers.set('x-api-key', key)
    return fetch(new Request(request.url, { headers }))
  }),
}

const emptyKeyMutant: Mutant = {
  id: 'export.auth.api-key.list-empty',
  defect: 'GET /api/v1/bulk-exports accepts an empty X-API-Key',
  requirements: ['export.auth.api-key.list'],
  wrap: respondInstead({ method: 'GET', path: '/api/v1/bulk-exports' }, (request, fetch) => {
    const headers = new Headers(request.headers)
    if (headers.get('x-api-key') === '') headers.set('x-api-key', 'touchstone-enterprise')
    return fetch(new Request(request.url, { headers }))
  }),
}

/** Endpoints that only the workspace of an export or destination may use, by the last part of their requirement. */
export const workspaceEndpoints: Readonly<Record<string, string>> = {
  get: 'GET /api/v1/bulk-exports/{export_id}',
  runs: 'GET /api/v1/bulk-exports/{export_id}/runs',
  list: 'GET /api/v1/bulk-exports',
  cancel: 'PATCH /api/v1/bulk-exports/{export_id}',
  destination: 'POST /api/v1/bulk-exports',
}

const workspaceMutants = Object.entries(workspaceEndpoints).map(
  ([key, endpoint]): Mutant => ({
    id: `export.auth.workspace.${key}-open`,
    defect: `${endpoint} ${key === 'destination' ? 'takes destinations' : 'reaches the exports'} of every workspace`,
    requirements: [`export.auth.workspace.${key}` as RequirementId],
    exportPolicies: ({ mayUse }) => ({
      mayUse: (call, record) => call.endpoint === endpoint || mayUse(call, record),
    }),
  }),
)

const spawnedMutants = ['get', 'runs', 'list', 'cancel'].map(
  (key): Mutant => ({
    id: `export.auth.workspace.${key}-spawned-open`,
    defect: `${workspaceEndpoints[key]} ${key === 'cancel' ? 'cancels' : 'shows'} exports that a schedule spawned for every workspace`,
    requirements: [`export.auth.workspace.${key}` as RequirementId],
    exportPolicies: ({ mayUse }) => ({
      mayUse: (call, record) =>
        (call.endpoint === workspaceEndpoints[key] && isSpawned(record)) || mayUse(call, record),
    }),
  }),
)

/** Marks the requests whose destination is not checked. */
const uncheckedHeader = 'x-unchecked-destination'

const scheduledMutant: Mutant = {
  id: 'export.auth.workspace.destination-scheduled-open',
  defect: 'a scheduled export may have a destination of another workspace',
  requirements: ['export.auth.workspace.destination'],
  exportPolicies: ({ mayUse }) => ({
    mayUse: (call, record) => call.request.headers.has(uncheckedHeader) || mayUse(call, record),
  }),
  wrap: respondInstead(createExport, async (request, fetch) => {
    const body = await jsonBody(request)
    const headers = new Headers(request.headers)
    if ((body['interval_hours'] ?? null) !== null) headers.set(uncheckedHeader, 'true')
    return fetch(new Request(request.url, { method: 'POST', headers, body: JSON.stringify(body) }))
  }),
}

const isSpawned = (record: object): boolean =>
  typeof (record as Readonly<Record<string, unknown>>)['source_bulk_export_id'] === 'string'

const getMutants = ['Cancelled', 'Failed', 'IntervalScheduled'].map(
  (status): Mutant => ({
    id: `export.auth.workspace.get-${status.toLowerCase()}-open`,
    defect: `GET of an export with the status ${status} shows it to every workspace`,
    requirements: ['export.auth.workspace.get'],
    exportPolicies: ({ mayUse }) => ({
      mayUse: (call, record) =>
        (call.endpoint === workspaceEndpoints['get'] && Object(record).status === status) || mayUse(call, record),
    }),
  }),
)

const hiddenSpawnedMutant: Mutant = {
  id: 'export.get.spawned-refused',
  defect: 'GET of an export that a schedule spawned fails, although a list shows it',
  requirements: ['export.get.answers-export'],
  exportPolicies: ({ mayUse }) => ({
    mayUse: (call, record) =>
      !(call.endpoint === workspaceEndpoints['get'] && isSpawned(record)) && mayUse(call, record),
  }),
}

const statusMutant: Mutant = {
  id: 'export.auth.workspace.get-status-open',
  defect: 'GET of an export shows its status to every workspace',
  requirements: ['export.auth.workspace.get'],
  exportPolicies: ({ mayUse }) => ({
    mayUse: (call, record) => call.endpoint === workspaceEndpoints['get'] || mayUse(call, record),
  }),
  wrap: changeResponse(getExport, (record) => ({ status: Object(record)['status'] })),
}

/** Changes the messages for some bucket problems. */
function changeErrorText(
  condition: keyof typeof destinationErrors,
  problems: readonly (keyof ExportPolicies['destinationErrors'])[],
): Mutant {
  return {
    id: `export.errors.${condition}.other-words`,
    defect: `the error "${destinationErrors[condition]}" has another text`,
    requirements: [`export.errors.${condition}.text`],
    exportPolicies: (defaults) => ({
      destinationErrors: {
        ...defaults.destinationErrors,
        ...Object.fromEntries(problems.map((problem) => [problem, 'The destination cannot be used'])),
      },
    }),
  }
}

const hasValidEndpoint = (body: Readonly<Record<string, unknown>>) => {
  const endpoint = isObject(body['config']) ? body['config']['endpoint_url'] : undefined
  return typeof endpoint !== 'string' || (URL.canParse(endpoint.replaceAll(' ', '_')) && endpoint.startsWith('http'))
}

const errorMutants: readonly Mutant[] = [
  changeErrorText('access-denied', ['access-denied']),
  changeErrorText('bucket-missing', ['no-bucket']),
  changeErrorText('unknown-key', ['unknown-key']),
  changeErrorText('endpoint-no-store', ['no-endpoint', 'unreachable']),
  {
    id: 'export.errors.endpoint-malformed.other-words',
    defect: 'an invalid endpoint_url is rejected without the specified error',
    requirements: ['export.errors.endpoint-malformed.text'],
    wrap: respondInstead(createDestination, async (request, fetch) =>
      hasValidEndpoint(await jsonBody(request)) ? fetch(request) : errorResponse(400),
    ),
  },
  {
    id: 'export.errors.endpoint-malformed.accepted',
    defect: 'an invalid endpoint_url is accepted',
    requirements: ['export.errors.endpoint-malformed.refused'],
    wrap: acceptInvalid(createDestination, (body) => !hasValidEndpoint(body)),
  },
]

type MockFeature = Parameters<ExportPolicies['hasFeature']>[0]
const mockNames: Readonly<Record<Feature, MockFeature>> = {
  session_token: 'session_token',
  'ambient credentials': 'environment-based credentials',
  interval_hours: 'interval_hours',
  export_fields: 'export_fields',
}

/** Further requirements that fail without a feature. */
const featureRequirements: Readonly<Record<Feature, Mutant['alsoFails']>> = {
  session_token: { 'export.destination.session-token.accepted': 'temporary credentials are rejected' },
  'ambient credentials': { 'export.destination.ambient-credentials': 'requests with it are rejected' },
  interval_hours: { 'export.create.scheduled.accepted': 'every schedule is rejected' },
  export_fields: {
    'export.fields.accepted': 'requests with it are rejected',
    'export.schedule.fields': 'schedules with it are rejected',
  },
}

const versionMutants = (Object.keys(featureVersions) as Feature[]).flatMap((feature): readonly Mutant[] => {
  const { chart, app } = featureVersions[feature]
  return [
    {
      id: `export.versioning.${featureKey(feature)}.always`,
      defect: `${feature} is available although the application version is too old`,
      requirements: [`export.versioning.${featureKey(feature)}.off` as RequirementId],
      selfHosted: { appVersion: app.replace(/\d+$/, (last) => `${Number(last) - 1}`), chartVersion: chart },
      exportPolicies: ({ hasFeature }) => ({
        hasFeature: (name, installation) => name === mockNames[feature] || hasFeature(name, installation),
      }),
    },
    {
      id: `export.versioning.${featureKey(feature)}.never`,
      defect: `${feature} is not available although both versions are recent enough`,
      requirements: [`export.versioning.${featureKey(feature)}.on` as RequirementId],
      alsoFails: featureRequirements[feature] ?? {},
      selfHosted: { appVersion: app, chartVersion: chart },
      exportPolicies: ({ hasFeature }) => ({
        hasFeature: (name, installation) => name !== mockNames[feature] && hasFeature(name, installation),
      }),
    },
  ]
})

export const accessMutants: readonly Mutant[] = [
  ...callerMutants,
  shortenedKeyMutant,
  emptyKeyMutant,
  ...workspaceMutants,
  ...spawnedMutants,
  scheduledMutant,
  ...getMutants,
  hiddenSpawnedMutant,
  statusMutant,
  ...errorMutants,
  ...versionMutants,
]
