import type { ClientRequest, Habits, Tour } from './small-client.ts'

/** A client that does one thing wrong. */
export interface ClientMutant {
  /** The requirement that it fails. */
  readonly fails: string
  readonly name: string
  readonly tour: Tour
  readonly habits: Partial<Habits>
}

const UNKNOWN = '11111111-1111-4111-8111-111111111111'

/** A client that sends other bodies to a route: `fields` replaces fields; undefined removes them. */
function sends(fails: string, route: string, fields: object, tour: Tour = tourOf(route)): ClientMutant {
  const change = (request: ClientRequest): ClientRequest =>
    isTo(request, route) ? { ...request, body: { ...Object(request.body), ...fields } } : request
  return {
    fails,
    name: `${route} with ${JSON.stringify(fields, (_, value) => value ?? null)}`,
    tour,
    habits: { change },
  }
}

/** A client that changes its requests to a route. */
function changes(fails: string, name: string, route: string, change: (request: ClientRequest) => object): ClientMutant {
  const habits = {
    change: (request: ClientRequest) => (isTo(request, route) ? { ...request, ...change(request) } : request),
  }
  return { fails, name, tour: tourOf(route), habits }
}

function isTo({ method, path }: ClientRequest, route: string): boolean {
  return new RegExp(`^${route}$`).test(`${method} ${path}`)
}

function tourOf(route: string): Tour {
  if (route.includes('bulk-exports')) return 'exports'
  return route.includes('stream') ? 'streams' : 'deployment'
}

function without(name: string): (request: ClientRequest) => object {
  return ({ headers }) => ({ headers: Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name)) })
}

const RUNS = 'POST /threads/[^/]+/runs'
const EXPORTS = 'POST /api/v1/bulk-exports'

export const clientMutants: readonly ClientMutant[] = [
  changes('client.request.content-type', 'sends JSON as text', RUNS, () => ({
    headers: { 'content-type': 'text/plain' },
  })),
  changes('client.request.object', 'sends a list', 'POST /assistants/search', () => ({ body: [] })),
  changes('client.request.object', 'sends broken JSON', 'POST /assistants/search', () => ({ body: '{' })),
  sends('client.run.assistant_id', RUNS, { assistant_id: undefined }),
  sends('client.run.assistant_id', RUNS, { assistant_id: 7 }),
  sends('client.run.input', RUNS, { input: 'Hi' }),
  sends('client.run.multitask_strategy', RUNS, { multitask_strategy: 'rollback' }),
  sends('client.run.stream_mode', `${RUNS}/stream`, { stream_mode: 'updates' }),
  sends('client.message.role', RUNS, { input: { messages: [{ content: 'Hi' }] } }),
  sends('client.message.content', RUNS, { input: { messages: [{ role: 'user', content: null }] } }),
  sends('client.message.known-role', RUNS, { input: { messages: [{ role: 'person', content: 'Hi' }] } }),
  sends('client.request.unknown-fields', RUNS, { temperature: 0.5 }),
  sends('client.assistant.graph_id', 'POST /assistants', { graph_id: undefined }),
  sends('client.assistant.config', 'POST /assistants', { config: 'none' }),
  sends('client.search.limit', 'POST /assistants/search', { limit: '10' }),
  sends('client.search.offset', 'POST /assistants/search', { offset: 0.5 }),
  changes('client.request.uuid', 'names a thread by a word', 'GET /threads/[^/]+/state', () => ({
    path: '/threads/mine/state',
  })),
  changes('client.ids.known', 'guesses the id of a thread', 'GET /threads/[^/]+/state', () => ({
    path: `/threads/${UNKNOWN}/state`,
  })),
  {
    fails: 'client.ids.deleted',
    name: 'reads a thread that it has deleted',
    tour: 'deployment',
    habits: {
      atEnd: async (send, thread) => {
        await send('DELETE', `/threads/${thread}`)
        await send('GET', `/threads/${thread}/state`)
      },
    },
  },
  {
    fails: 'client.ids.ended',
    name: 'joins a run twice',
    tour: 'deployment',
    habits: {
      atEnd: async (send, thread, run) => {
        await send('GET', `/threads/${thread}/runs/${run}/join`)
      },
    },
  },
  {
    fails: 'client.ids.ended',
    name: 'cancels a run that has ended',
    tour: 'deployment',
    habits: {
      atEnd: async (send, thread, run) => {
        await send('POST', `/threads/${thread}/runs/${run}/cancel`)
      },
    },
  },
  {
    fails: 'client.request.repeats-refused',
    name: 'repeats an invalid request',
    tour: 'deployment',
    habits: {
      atEnd: async (send) => {
        for (let attempt = 0; attempt < 3; attempt++)
          await send('POST', '/assistants', { graph_id: 'no such graph', config: 7 })
      },
    },
  },
  { fails: 'client.retry.retry-after', name: 'ignores Retry-After', tour: 'refusals', habits: { waitMs: () => 60 } },
  { fails: 'client.retry.pause', name: 'retries without a pause', tour: 'outages', habits: { retryMs: 0 } },
  { fails: 'client.poll.pause', name: 'polls without a pause', tour: 'polling', habits: { pollMs: 0, polls: 100 } },
  { fails: 'client.stream.read-to-end', name: 'leaves after an event', tour: 'streams', habits: { leavesAfter: 1 } },
  {
    fails: 'client.stream.continues',
    name: 'gives up after a broken stream',
    tour: 'streams',
    // The second stream would count as another attempt.
    habits: { resumeWith: () => undefined, change: once() },
  },
  {
    fails: 'client.stream.last-event-id',
    name: 'resumes without Last-Event-ID',
    tour: 'streams',
    habits: { resumeWith: () => ({}) },
  },
  {
    fails: 'client.stream.last-event-id',
    name: 'resumes after an event that it never received',
    tour: 'streams',
    habits: { resumeWith: () => ({ 'last-event-id': '99' }) },
  },
  changes('client.stream.accept', 'accepts only JSON', `${RUNS}/stream`, ({ headers }) => ({
    headers: { ...headers, accept: 'application/json' },
  })),
  changes('client.export.x-api-key', 'sends no key', 'GET /api/v1/bulk-exports', without('X-API-Key')),
  changes('client.export.x-tenant-id', 'sends no workspace', 'GET /api/v1/bulk-exports', without('X-Tenant-Id')),
  changes('client.export.content-type', 'sends no type', 'GET /api/v1/bulk-exports', without('content-type')),
  sends('client.destination.destination_type', `${EXPORTS}/destinations`, { destination_type: 'gcs' }),
  sends('client.destination.display_name', `${EXPORTS}/destinations`, { display_name: undefined }),
  sends('client.destination.bucket_name', `${EXPORTS}/destinations`, { config: {} }),
  sends('client.export.bulk_export_destination_id', EXPORTS, { bulk_export_destination_id: undefined }),
  sends('client.export.session_id', EXPORTS, { session_id: 'my project' }),
  sends('client.export.start_time', EXPORTS, { start_time: 'yesterday' }),
  sends('client.export.end_time', EXPORTS, { end_time: 1767225600 }),
  sends('client.export.export_fields', EXPORTS, { export_fields: 'id' }),
  sends('client.export.interval_hours', EXPORTS, { interval_hours: 169 }),
  sends('client.export.end-or-interval', EXPORTS, { end_time: undefined, interval_hours: undefined }),
  sends('client.export.end-or-interval', EXPORTS, { end_time: '2026-01-02T00:00:00Z', interval_hours: 24 }),
  sends('client.export.status', 'PATCH /api/v1/bulk-exports/[^/]+', { status: 'cancelled' }),
]

/** Sends the second stream to another thread. */
function once(): (request: ClientRequest) => ClientRequest {
  let streams = 0
  return (request) => {
    if (!isTo(request, `${RUNS}/stream`) || ++streams === 1) return request
    return { ...request, path: `/threads/${UNKNOWN}/runs/stream` }
  }
}
