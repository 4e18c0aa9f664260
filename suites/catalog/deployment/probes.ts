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

/** Returns a probe with a valid body in which some fields are changed, or left out if undefined. */
function changed(id: string, name: EndpointName, what: string, change: Readonly<Record<string, unknown>>): Probe {
  const { route, path, valid } = endpoints[name]
  const statement = `What POST ${route} returns for ${what}.`
  return { id, statement, method: 'POST', path, body: JSON.stringify({ ...valid, ...change }) }
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
  changed('errors.field.run-create.assistant-id-missing', 'run-create', 'a body without `assistant_id`', {
    assistant_id: undefined,
  }),
  changed('errors.field.run-create.assistant-id-number', 'run-create', 'an `assistant_id` that is a number', {
    assistant_id: 7,
  }),
  changed('errors.field.run-create.assistant-id-empty', 'run-create', 'an empty `assistant_id`', { assistant_id: '' }),
  changed('errors.field.run-create.input-string', 'run-create', 'an `input` that is a string', { input: 'probe' }),
  changed('errors.field.run-create.input-null', 'run-create', 'an `input` that is null', { input: null }),
  changed('errors.field.run-create.strategy-unknown', 'run-create', 'an undocumented `multitask_strategy`', {
    multitask_strategy: 'touchstone',
  }),
  changed('errors.field.run-create.strategy-number', 'run-create', 'a `multitask_strategy` that is a number', {
    multitask_strategy: 7,
  }),
  changed('errors.field.run-create.strategy-null', 'run-create', 'a `multitask_strategy` that is null', {
    multitask_strategy: null,
  }),
  changed('errors.field.run-create.strategy-rollback', 'run-create', 'the `multitask_strategy` `rollback`', {
    multitask_strategy: 'rollback',
  }),
  changed('errors.field.run-stream.assistant-id-missing', 'run-stream', 'a body without `assistant_id`', {
    assistant_id: undefined,
  }),
  changed('errors.field.run-stream.strategy-unknown', 'run-stream', 'an undocumented `multitask_strategy`', {
    multitask_strategy: 'touchstone',
  }),
  changed('errors.field.thread-create.metadata-string', 'thread-create', 'a `metadata` that is a string', {
    metadata: 'touchstone',
  }),
  changed('errors.field.assistant-create.graph-id-missing', 'assistant-create', 'a body without `graph_id`', {
    graph_id: undefined,
  }),
  changed('errors.field.assistant-create.graph-id-number', 'assistant-create', 'a `graph_id` that is a number', {
    graph_id: 7,
  }),
  changed('errors.field.assistant-create.config-string', 'assistant-create', 'a `config` that is a string', {
    config: 'touchstone',
  }),
  changed('errors.field.assistant-search.limit-string', 'assistant-search', 'a `limit` that is a string', {
    limit: 'many',
  }),
  changed('errors.field.assistant-search.limit-zero', 'assistant-search', 'the `limit` 0', { limit: 0 }),
  changed('errors.field.assistant-search.limit-negative', 'assistant-search', 'a negative `limit`', { limit: -1 }),
  changed('errors.field.assistant-search.offset-negative', 'assistant-search', 'a negative `offset`', { offset: -1 }),
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

/** Unknown ids. */
export const unknownProbes: readonly Probe[] = [
  path('errors.unknown-thread.run-list', 'an unknown thread', 'GET', `/threads/${unknownId}/runs`),
  path('errors.unknown-thread.run-create', 'an unknown thread', 'POST', `/threads/${unknownId}/runs`, run),
  path('errors.unknown-thread.run-get', 'an unknown thread', 'GET', `/threads/${unknownId}/runs/${unknownId}`),
  path('errors.unknown-thread.run-join', 'an unknown thread', 'GET', `/threads/${unknownId}/runs/${unknownId}/join`),
  path('errors.unknown-thread.state-get', 'an unknown thread', 'GET', `/threads/${unknownId}/state`),
  path('errors.unknown-run.run-get', 'an unknown run', 'GET', `/threads/{thread}/runs/${unknownId}`),
  path('errors.unknown-run.run-join', 'an unknown run', 'GET', `/threads/{thread}/runs/${unknownId}/join`),
  path('errors.foreign-run.run-get', 'a run of another thread', 'GET', '/threads/{thread}/runs/{run}'),
  path('errors.foreign-run.run-join', 'a run of another thread', 'GET', '/threads/{thread}/runs/{run}/join'),
  changed('errors.unknown-assistant.run-create-by-id', 'run-create', 'an id that no assistant has', {
    assistant_id: unknownId,
  }),
  changed('errors.unknown-assistant.run-create-by-name', 'run-create', 'a name that no graph has', {
    assistant_id: 'touchstone-no-such-graph',
  }),
  changed('errors.unknown-assistant.run-stream-by-id', 'run-stream', 'an id that no assistant has', {
    assistant_id: unknownId,
  }),
  changed('errors.unknown-assistant.run-stream-by-name', 'run-stream', 'a name that no graph has', {
    assistant_id: 'touchstone-no-such-graph',
  }),
]

/** Ids that are not UUIDs, and UUIDs in upper case. */
export const malformedIdProbes: readonly Probe[] = [
  path('errors.malformed-id.thread.run-list', 'a thread id that is not a UUID', 'GET', '/threads/touchstone/runs'),
  path(
    'errors.malformed-id.thread.run-create',
    'a thread id that is not a UUID',
    'POST',
    '/threads/touchstone/runs',
    run,
  ),
  path(
    'errors.malformed-id.thread.run-get',
    'a thread id that is not a UUID',
    'GET',
    `/threads/touchstone/runs/${unknownId}`,
  ),
  path(
    'errors.malformed-id.thread.run-join',
    'a thread id that is not a UUID',
    'GET',
    `/threads/touchstone/runs/${unknownId}/join`,
  ),
  path('errors.malformed-id.thread.state-get', 'a thread id that is not a UUID', 'GET', '/threads/touchstone/state'),
  path(
    'errors.malformed-id.thread.run-stream',
    'a thread id that is not a UUID',
    'POST',
    '/threads/touchstone/runs/stream',
    run,
  ),
  path('errors.malformed-id.run.run-get', 'a run id that is not a UUID', 'GET', '/threads/{thread}/runs/touchstone'),
  path(
    'errors.malformed-id.run.run-join',
    'a run id that is not a UUID',
    'GET',
    '/threads/{thread}/runs/touchstone/join',
  ),
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
