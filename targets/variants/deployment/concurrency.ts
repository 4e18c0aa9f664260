import type { Fetch, Wrap } from '../../wrappers/fetch.ts'
import {
  createRun,
  type Fields,
  getRun,
  joinRun,
  jsonBody,
  listRuns,
  pathIds,
  withBody,
} from '../../wrappers/requests.ts'
import { combine, json, objects } from '../../wrappers/responses.ts'
import { matchesRoute, type Route, respondInstead } from '../../wrappers/routes.ts'
import { type Choice, choicesOf } from '../choice.ts'

/** How long a thread is busy after a run has ended, in milliseconds. */
const releaseMs = 200

/** Runs that are created while another one is in flight. */
export const concurrencyChoices: readonly Choice[] = choicesOf('deployment', {
  'multitask.reject': {
    description: 'What happens to a run that is created with `reject` on a busy thread.',
    legal: 'multitask.reject.answer-on-busy-thread: not shown (ruling 4)',
    values: {
      queued: { policies: ({ multitask }) => ({ multitask: { ...multitask, reject: multitask.enqueue } }) },
      'executing-run': { wrap: respondInstead(createRun, returnExecuting) },
      recorded: { wrap: recordRefused },
      ...Object.fromEntries(
        [202, 400, 404, 500, 503].map((status) => [`refused-${status}`, { wrap: refuseBusy(status) }]),
      ),
    },
  },
  'multitask.interrupt': {
    description: 'What happens to queued runs when a run interrupts.',
    legal: 'multitask.interrupt.queued-run: not shown (ruling 6)',
    values: {
      'queued-runs-stay': {
        policies: ({ multitask }) => ({
          multitask: {
            ...multitask,
            interrupt: ({ jobs: [first], interrupt }) => {
              if (first !== undefined) interrupt(first)
            },
          },
        }),
      },
    },
  },
  'multitask.interrupted-run': {
    description: 'How far an interrupted run gets.',
    legal: 'how fast an interrupted run stops is not shown (ruling 6)',
    values: {
      'to-its-end': {
        policies: ({ multitask }) => ({ multitask: { ...multitask, interrupt: multitask.enqueue } }),
        wrap: showInterrupted,
        excuses: { 'multitask.interrupt.later-steps-left-out': 'advised only' },
      },
    },
  },
  'multitask.interrupted-join': {
    description: 'What the join of an interrupted run returns.',
    legal: 'what the join of an interrupted run returns is not judged (ruling 6)',
    values: { refused: { wrap: respondInstead(joinRun, refuseInterrupted) } },
  },
  'thread.release': {
    description: 'When a thread is idle after a run.',
    legal: 'Thread status, transitions: not shown',
    values: {
      late: {
        wrap: combine(
          ...['', '/stream', '/wait'].map((end) =>
            refuseFreshThreads({ ...createRun, path: `${createRun.path}${end}` }),
          ),
        ),
      },
    },
  },
})

/** Shows the oldest run in flight as interrupted at its end if a run with `interrupt` is created. */
function showInterrupted(fetch: Fetch): Fetch {
  const interrupted = new Set<unknown>()
  const shown = objects((object) => {
    const isInterrupted = object['status'] === 'success' && interrupted.has(object['run_id'])
    return isInterrupted ? { ...object, status: 'interrupted' } : object
  })(fetch)
  return respondInstead(createRun, async (request) => {
    if ((await jsonBody(request))['multitask_strategy'] !== 'interrupt') return shown(request)
    const inFlight = (await runsOf(request, fetch)).filter(isInFlight)
    const [oldest] = inFlight.toSorted((a, b) => (String(a['created_at']) < String(b['created_at']) ? -1 : 1))
    const response = await shown(request)
    if (oldest !== undefined && response.ok) interrupted.add(oldest['run_id'])
    return response
  })(shown)
}

const isInFlight = ({ status }: Fields) => ['pending', 'running'].includes(String(status))

/** Refuses the join of a run that was interrupted. */
async function refuseInterrupted(request: Request, fetch: Fetch): Promise<Response> {
  const response = await fetch(request.clone())
  const { runId } = pathIds(request)
  const run = (await runsOf(request, fetch)).find((each) => each['run_id'] === runId)
  return run?.['status'] === 'interrupted' ? Response.json({ detail: 'interrupted' }, { status: 409 }) : response
}

/** Refuses runs on busy threads with another status than 409. */
function refuseBusy(status: number): Wrap {
  return respondInstead(createRun, async (request, fetch) => {
    const response = await fetch(request)
    return response.status === 409 ? Response.json({ detail: 'the thread is busy' }, { status }) : response
  })
}

/** Responds with the run in flight instead of a refusal because of it. */
async function returnExecuting(request: Request, fetch: Fetch): Promise<Response> {
  const response = await fetch(request.clone())
  if (response.status !== 409) return response
  const run = (await runsOf(request, fetch)).find(isInFlight)
  return run === undefined ? response : Response.json(run)
}

/** Creates a run that never starts and has the status `rejected`, instead of a refusal of a run on a busy thread. */
function recordRefused(fetch: Fetch): Fetch {
  const refused = new Map<string, Fields>()
  const withRefused = json((body, request) => {
    if (!matchesRoute(request, listRuns) || !Array.isArray(body)) return body
    const { threadId } = pathIds(request)
    return [...[...refused.values()].filter((run) => run['thread_id'] === threadId), ...body]
  })(fetch)
  return async (request) => {
    const known =
      matchesRoute(request, getRun) || matchesRoute(request, joinRun) ? refused.get(pathIds(request).runId) : undefined
    if (known !== undefined) return Response.json(known)
    const sent = request.clone()
    const response = await withRefused(request)
    if (response.status !== 409 || !matchesRoute(request, createRun)) return response
    const run: Fields = { ...(await createElsewhere(sent, fetch)), status: 'rejected' }
    refused.set(String(run['run_id']), run)
    return Response.json(run)
  }
}

/** Creates a run on a new thread, and returns its record as if it were on the thread that the request names. */
async function createElsewhere(request: Request, fetch: Fetch): Promise<Fields> {
  const { threadId } = pathIds(request)
  const create = (url: string, body: unknown) => fetch(new Request(url, withBody(request, body)))
  const thread = (await (await create(new URL('/threads', request.url).href, {})).json()) as Fields
  const elsewhere = String(thread['thread_id'])
  const response = await create(request.url.replace(threadId, elsewhere), await jsonBody(request))
  return JSON.parse((await response.text()).replaceAll(elsewhere, threadId))
}

/** Lists all runs of the thread that a request names, not only those on the first page. */
async function runsOf(request: Request, fetch: Fetch): Promise<readonly Fields[]> {
  const { origin } = new URL(request.url)
  const headers = authorization(request.headers)
  const list = await fetch(new Request(`${origin}/threads/${pathIds(request).threadId}/runs?limit=1000`, { headers }))
  return list.ok ? ((await list.json()) as Fields[]) : []
}

/** Refuses runs with `reject` on a thread on which a run ended a moment ago. */
function refuseFreshThreads(route: Route): Wrap {
  return respondInstead(route, async (request, inner) => {
    const { multitask_strategy: strategy = 'reject' } = await jsonBody(request)
    if (strategy !== 'reject') return inner(request)
    const isFresh = (run: Fields) => Date.now() - Date.parse(String(run['updated_at'])) < releaseMs
    const isBusy = (await runsOf(request, inner)).some((run) => run['status'] !== 'pending' && isFresh(run))
    return isBusy ? Response.json({ detail: 'the thread is busy' }, { status: 409 }) : inner(request)
  })
}

function authorization(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name !== 'content-length' && name !== 'content-type'))
}
