import { unknownId } from './run-places.ts'

/**
 * Request whose response the specification does not define. In its path and body, `{thread}` is the id of a new thread,
 * `{run}` the id of an ended run of the thread `{ran}`, and `{graph}` the name of a deployed graph.
 */
export interface Probe {
  readonly id: string
  /** Statement of its requirement. */
  readonly statement: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** Request body, sent as it is. */
  readonly body?: string
  readonly contentType?: string
}

const input = { messages: [{ role: 'human', content: 'probe' }] }

/** Endpoints with a request body, each with a valid body. */
const endpoints = {
  'thread-create': { route: '/threads', path: '/threads', valid: {} },
  'run-create': {
    route: '/threads/{thread_id}/runs',
    path: '/threads/{thread}/runs',
    valid: { assistant_id: '{graph}', input },
  },
  'run-stream': {
    route: '/threads/{thread_id}/runs/stream',
    path: '/threads/{thread}/runs/stream',
    valid: { assistant_id: '{graph}', input, stream_mode: ['updates'] },
  },
  'assistant-create': { route: '/assistants', path: '/assistants', valid: { graph_id: '{graph}' } },
  'assistant-search': { route: '/assistants/search', path: '/assistants/search', valid: { limit: 1, offset: 0 } },
} as const

type EndpointName = keyof typeof endpoints
type Endpoint = (typeof endpoints)[EndpointName]

const names = Object.keys(endpoints) as EndpointName[]

/** Returns probes that send one kind of body to every endpoint with a request body. */
function everywhere(kind: string, what: string, send: (endpoint: Endpoint) => Pick<Probe, 'body' | 'contentType'>) {
  return names.map((name): Probe => {
    const endpoint = endpoints[name]
    const statement = `What POST ${endpoint.route} returns for ${what}.`
    return { id: `errors.${kind}.${name}`, statement, method: 'POST', path: endpoint.path, ...send(endpoint) }
  })
}

/**
 * Returns probes of an endpoint, each with a valid body in which some fields are changed, or left out if undefined. The
 * keys complete the ids of the probes.
 */
function changed(
  kind: string,
  name: EndpointName,
  cases: Readonly<Record<string, [what: string, change: Readonly<Record<string, unknown>>]>>,
): readonly Probe[] {
  const { route, path, valid } = endpoints[name]
  return Object.entries(cases).map(([key, [what, change]]) => {
    const statement = `What POST ${route} returns for ${what}.`
    return {
      id: `errors.${kind}${key}`,
      statement,
      method: 'POST',
      path,
      body: JSON.stringify({ ...valid, ...change }),
    }
  })
}

/** Invalid request bodies. */
export const bodyProbes: readonly Probe[] = [
  ...everywhere('malformed-json', 'truncated JSON', () => ({ body: '{"metadata": {' })),
  ...everywhere('not-an-object', 'an array as body', () => ({ body: '[]' })),
  ...everywhere('no-body', 'a request without a body', () => ({})),
  ...everywhere('text-plain', 'a valid body with the content type `text/plain`', ({ valid }) => ({
    body: JSON.stringify(valid),
    contentType: 'text/plain',
  })),
  ...everywhere('unknown-field', 'a body with an unknown field', ({ valid }) => ({
    body: JSON.stringify({ ...valid, touchstone_unknown: true }),
  })),
]

/** Fields with a wrong type or an undocumented value. */
export const fieldProbes: readonly Probe[] = [
  ...changed('field.run-create.', 'run-create', {
    'assistant-id-missing': ['a body without `assistant_id`', { assistant_id: undefined }],
    'assistant-id-number': ['an `assistant_id` that is a number', { assistant_id: 7 }],
    'assistant-id-empty': ['an empty `assistant_id`', { assistant_id: '' }],
    'input-string': ['an `input` that is a string', { input: 'probe' }],
    'input-null': ['an `input` that is null', { input: null }],
    'strategy-unknown': ['an undocumented `multitask_strategy`', { multitask_strategy: 'touchstone' }],
    'strategy-number': ['a `multitask_strategy` that is a number', { multitask_strategy: 7 }],
    'strategy-null': ['a `multitask_strategy` that is null', { multitask_strategy: null }],
    'strategy-rollback': ['the `multitask_strategy` `rollback`', { multitask_strategy: 'rollback' }],
  }),
  ...changed('field.run-stream.', 'run-stream', {
    'assistant-id-missing': ['a body without `assistant_id`', { assistant_id: undefined }],
    'strategy-unknown': ['an undocumented `multitask_strategy`', { multitask_strategy: 'touchstone' }],
  }),
  ...changed('field.thread-create.', 'thread-create', {
    'metadata-string': ['a `metadata` that is a string', { metadata: 'touchstone' }],
  }),
  ...changed('field.assistant-create.', 'assistant-create', {
    'graph-id-missing': ['a body without `graph_id`', { graph_id: undefined }],
    'graph-id-number': ['a `graph_id` that is a number', { graph_id: 7 }],
    'config-string': ['a `config` that is a string', { config: 'touchstone' }],
  }),
  ...changed('field.assistant-search.', 'assistant-search', {
    'limit-string': ['a `limit` that is a string', { limit: 'many' }],
    'limit-zero': ['the `limit` 0', { limit: 0 }],
    'limit-negative': ['a negative `limit`', { limit: -1 }],
    'offset-negative': ['a negative `offset`', { offset: -1 }],
  }),
]

/** Returns a probe with a special path, such as one with an unknown id. */
function path(id: string, what: string, method: Probe['method'], template: string, body?: unknown): Probe {
  const route = template
    .replaceAll(/\/threads\/[^/]+/g, '/threads/{thread_id}')
    .replace(/\/runs\/(?!stream)[^/]+/, '/runs/{run_id}')
  const statement = `What ${method} ${route} returns for ${what}.`
  return { id, statement, method, path: template, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
}

const run = endpoints['run-create'].valid

/** Returns probes of the endpoints of a thread with an id that no thread has. */
function ofThread(kind: string, what: string, id: string): readonly Probe[] {
  return [
    path(`errors.${kind}.run-list`, what, 'GET', `/threads/${id}/runs`),
    path(`errors.${kind}.run-create`, what, 'POST', `/threads/${id}/runs`, run),
    path(`errors.${kind}.run-get`, what, 'GET', `/threads/${id}/runs/${unknownId}`),
    path(`errors.${kind}.run-join`, what, 'GET', `/threads/${id}/runs/${unknownId}/join`),
    path(`errors.${kind}.state-get`, what, 'GET', `/threads/${id}/state`),
  ]
}

/** Returns probes of the endpoints of a run with an id that no run of the thread has. */
function ofRun(kind: string, what: string, id: string): readonly Probe[] {
  return [
    path(`errors.${kind}.run-get`, what, 'GET', `/threads/{thread}/runs/${id}`),
    path(`errors.${kind}.run-join`, what, 'GET', `/threads/{thread}/runs/${id}/join`),
  ]
}

/** Unknown ids. */
export const unknownProbes: readonly Probe[] = [
  ...ofThread('unknown-thread', 'an unknown thread', unknownId),
  ...ofRun('unknown-run', 'an unknown run', unknownId),
  ...ofRun('foreign-run', 'a run of another thread', '{run}'),
  ...(['run-create', 'run-stream'] as const).flatMap((name) =>
    changed(`unknown-assistant.${name}`, name, {
      '-by-id': ['an id that no assistant has', { assistant_id: unknownId }],
      '-by-name': ['a name that no graph has', { assistant_id: 'touchstone-no-such-graph' }],
    }),
  ),
]

/** Ids that are not UUIDs, and UUIDs in upper case. */
export const malformedIdProbes: readonly Probe[] = [
  ...ofThread('malformed-id.thread', 'a thread id that is not a UUID', 'touchstone'),
  path(
    'errors.malformed-id.thread.run-stream',
    'a thread id that is not a UUID',
    'POST',
    '/threads/touchstone/runs/stream',
    run,
  ),
  ...ofRun('malformed-id.run', 'a run id that is not a UUID', 'touchstone'),
  path('errors.malformed-id.upper-case', 'a thread id in upper case', 'GET', '/threads/{THREAD}/runs'),
]

/** Undocumented routes, methods and query parameters. */
export const routeProbes: readonly Probe[] = [
  path('errors.route.unknown', 'an unknown route', 'GET', '/touchstone-no-such-route'),
  path('errors.route.trailing-slash', 'a path with a trailing slash', 'GET', '/threads/{thread}/runs/'),
  path('errors.method.threads', 'an undocumented method', 'PUT', '/threads'),
  path('errors.method.runs', 'an undocumented method', 'PUT', '/threads/{thread}/runs'),
  path('errors.method.state', 'an undocumented method', 'DELETE', '/threads/{thread}/state'),
  path('errors.method.assistants', 'an undocumented method', 'GET', '/assistants'),
  path('errors.query.limit-text', 'a `limit` that is not a number', 'GET', '/threads/{thread}/runs?limit=many'),
  path('errors.query.limit-zero', 'the `limit` 0', 'GET', '/threads/{thread}/runs?limit=0'),
  path('errors.query.limit-negative', 'a negative `limit`', 'GET', '/threads/{thread}/runs?limit=-1'),
  path('errors.query.offset-negative', 'a negative `offset`', 'GET', '/threads/{thread}/runs?offset=-1'),
  path('errors.query.status-unknown', 'an unknown `status`', 'GET', '/threads/{thread}/runs?status=touchstone'),
  path('errors.query.unknown', 'an unknown query parameter', 'GET', '/threads/{thread}/runs?touchstone=1'),
]

/** The probes of all kinds. */
export const probes: readonly Probe[] = [bodyProbes, fieldProbes, unknownProbes, malformedIdProbes, routeProbes].flat()
