import { setTimeout } from 'node:timers/promises'
import { ENTERPRISE } from '../../fixtures/export-client.ts'
import { eventReader, type Fetcher, say } from '../../fixtures/mock-client.ts'

/** A request before it is sent. */
export interface ClientRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** What a client does around its requests. A mutant changes one of these. */
export interface Habits {
  /** Changes a request before it is sent. */
  readonly change: (request: ClientRequest) => ClientRequest
  /** Milliseconds before a request that was refused for this many seconds. */
  readonly waitMs: (retryAfterSeconds: number) => number
  /** Milliseconds before a failed request is repeated. */
  readonly retryMs: number
  /** Milliseconds between two reads of the same resource, and their number. */
  readonly pollMs: number
  readonly polls: number
  /** The number of events after which the client leaves a stream. */
  readonly leavesAfter: number
  /** Returns the headers of the request that resumes a stream; undefined for a client that does not resume. */
  readonly resumeWith: (lastEventId: string) => Readonly<Record<string, string>> | undefined
  /** Further requests at the end, on a thread with an ended run. */
  readonly atEnd: (client: Sender, thread: string, run: string) => Promise<void>
}

/** Sends a request and returns the response. */
type Sender = (method: string, path: string, body?: unknown, headers?: object) => Promise<Response>

export const goodHabits: Habits = {
  change: (request) => request,
  waitMs: (seconds) => 1000 * seconds,
  retryMs: 60,
  pollMs: 60,
  polls: 10,
  leavesAfter: Number.POSITIVE_INFINITY,
  resumeWith: (id) => ({ 'last-event-id': id }),
  atEnd: async () => undefined,
}

/** Returns a function that sends requests with these habits. */
function senderOf(server: Fetcher, { change, waitMs, retryMs }: Habits): Sender {
  return async (method, path, body, headers = {}) => {
    const content = body === undefined && !path.startsWith('/api') ? {} : { 'content-type': 'application/json' }
    const changed = change({ method, path, headers: { ...content, ...headers }, body })
    const text = typeof changed.body === 'string' ? changed.body : JSON.stringify(changed.body)
    for (;;) {
      const init = { method: changed.method, headers: changed.headers, ...(text !== undefined && { body: text }) }
      const response = await server.fetch(new Request(`http://mock${changed.path}`, init))
      if (response.status === 429) await setTimeout(waitMs(Number(response.headers.get('retry-after'))))
      else if (response.status >= 500) await setTimeout(retryMs)
      else return response
    }
  }
}

const input = say('Hi')

/** The parts of the interface that a test uses. */
export type Tour = 'deployment' | 'refusals' | 'outages' | 'polling' | 'streams' | 'exports'

/** Uses a part of the interface as the specification shows it. */
export async function use(tour: Tour, server: Fetcher, habits: Habits): Promise<void> {
  const send = senderOf(server, habits)
  const { thread_id } = await json(await send('POST', '/threads', {}))
  const runs = `/threads/${thread_id}/runs`
  switch (tour) {
    case 'deployment': {
      const run = { assistant_id: 'echo', ...input, multitask_strategy: 'enqueue' }
      const { run_id } = await json(await send('POST', runs, run))
      await send('GET', `${runs}/${run_id}/join`)
      await send('GET', `/threads/${thread_id}/state`)
      const { assistant_id } = await json(await send('POST', '/assistants', { graph_id: 'echo', config: {} }))
      await send('GET', `/assistants/${assistant_id}`)
      await send('POST', '/assistants/search', { limit: 10, offset: 0 })
      return habits.atEnd(send, String(thread_id), String(run_id))
    }
    case 'refusals':
      await send('GET', `/threads/${thread_id}/state`)
      return
    case 'outages':
      await send('GET', runs)
      return
    case 'polling':
      for (let poll = 0; poll < habits.polls; poll++) {
        await send('GET', `/threads/${thread_id}/state`)
        await setTimeout(habits.pollMs)
      }
      return
    case 'streams':
      for (let stream = 0; stream < 2; stream++) await readStream(send, runs, habits)
      return
    case 'exports':
      return useExports(send)
  }
}

async function readStream(send: Sender, runs: string, { leavesAfter, resumeWith }: Habits): Promise<void> {
  const body = { assistant_id: 'echo', ...input, stream_mode: ['updates'] }
  const response = await send('POST', `${runs}/stream`, body, { accept: 'text/event-stream' })
  let events = 0
  let lastId = ''
  let run = ''
  try {
    for await (const { data, id = '' } of eventReader(response)) {
      lastId = id
      run ||= Object(data).run_id
      if (++events >= leavesAfter) return
    }
  } catch {
    const headers = resumeWith(lastId)
    if (headers !== undefined) await (await send('GET', `${runs}/${run}/stream`, undefined, headers)).text()
  }
}

async function useExports(send: Sender): Promise<void> {
  const api = (method: string, path: string, body?: unknown) =>
    send(method, `/api/v1/bulk-exports${path}`, body, ENTERPRISE)
  const destination = {
    destination_type: 's3',
    display_name: 'mine',
    config: { bucket_name: 'exports', prefix: 'runs', region: 'eu-west-1' },
    credentials: { access_key_id: 'key', secret_access_key: 'secret' },
  }
  const { id } = await json(await api('POST', '/destinations', destination))
  const common = {
    bulk_export_destination_id: id,
    session_id: '00000000-0000-4000-8000-000000000001',
    start_time: '2026-01-01T00:00:00Z',
    export_fields: ['id', 'name'],
  }
  await api('POST', '', { ...common, end_time: '2026-01-02T00:00:00Z' })
  const scheduled = await json(await api('POST', '', { ...common, interval_hours: 24 }))
  await api('GET', '')
  await api('GET', `/${scheduled['id']}/runs`)
  await api('PATCH', `/${scheduled['id']}`, { status: 'Cancelled' })
}

async function json(response: Response): Promise<Record<string, unknown>> {
  return Object(await response.json())
}
