import type { Fetch, Wrap } from '../../wrappers/fetch.ts'
import { type Fields, getRun, joinRun, listRuns } from '../../wrappers/requests.ts'
import { combine, everyObject, json, objects, replace, replaceJson, responses } from '../../wrappers/responses.ts'
import { changeResponse, matchesRoute, respondInstead } from '../../wrappers/routes.ts'
import { type Choice, choicesOf } from '../choice.ts'

/** How runs are shown, and when they start. */
export const runChoices: readonly Choice[] = choicesOf('deployment', {
  'run.start-delay': {
    description: 'How long a background run waits before it executes.',
    legal: 'States: a run is pending; when it starts is not shown (ruling 38)',
    values: {
      '50-ms': { options: { startDelayMs: 50 } },
      '300-ms': { options: { startDelayMs: 300 } },
    },
  },
  'run.executing-status': {
    description: 'The status of a run that executes.',
    legal: 'run.status.other-values: other statuses are not shown (ruling 3)',
    values: {
      'running-after-first-poll': {
        policies: ({ presentRun }) => ({
          presentRun: (run, dialect) => presentRun(run, { ...dialect, executingStatus: 'running' }),
        }),
      },
      running: executing('running'),
      'in-progress': executing('in_progress'),
    },
  },
  'run.failure-status': {
    description: 'The status of a run whose graph failed.',
    legal: 'run.status.of-failed-run: not shown (ruling 33)',
    values: { failed: failure('failed'), crashed: failure('crashed'), timeout: failure('timeout') },
  },
  'run.kwargs': {
    description: 'Further keys of `kwargs`.',
    legal: 'run.kwargs.further; kwargs may gain keys while the run goes on (ruling 12)',
    values: {
      further: {
        wrap: runs((run) => ({ ...run, kwargs: { ...Object(run['kwargs']), checkpoint: null, subgraphs: false } })),
      },
      growing: {
        wrap: runs((run) =>
          run['status'] === 'success'
            ? { ...run, kwargs: { ...Object(run['kwargs']), attempts: 1, resumable: false } }
            : run,
        ),
      },
    },
  },
  'run.updated-at': {
    description: 'Whether `updated_at` of a run changes.',
    legal: 'Run: `updated_at` is a timestamp; what changes it is not shown',
    values: { never: { wrap: runs((run) => ({ ...run, updated_at: run['created_at'] })) } },
  },
  'run.metadata': {
    description: 'The metadata of runs.',
    legal: 'Run: `metadata` is an object',
    values: {
      filled: {
        wrap: runs((run) => ({ ...run, metadata: { ...Object(run['metadata']), created_by: 'system', n: 1 } })),
      },
    },
  },
  'run.list-order': {
    description: 'The order of a list of runs.',
    legal: 'run.list.order: not shown',
    values: {
      'oldest-first': { wrap: listed((all) => all.toReversed()) },
      'by-id': { wrap: listed((all) => all.toSorted((a, b) => (reverseId(a) < reverseId(b) ? -1 : 1))) },
    },
  },
  'run.list-lag': {
    description: 'When a new run appears in lists.',
    legal: 'GET /threads/{thread_id}/runs: when it shows a new run is not shown (ruling 38)',
    values: { '300-ms': showsNewAfter(300), '1200-ms': showsNewAfter(1200) },
  },
  'run.list-status': {
    description: 'When lists show the end of a run.',
    legal: 'GET /threads/{thread_id}/runs: when it shows a change is not shown (ruling 38)',
    values: { '500-ms-late': showsEndAfter(500), '1200-ms-late': showsEndAfter(1200) },
  },
  'run.list-page': {
    description: 'How many runs a list without parameters shows, and which parameters are accepted.',
    legal: 'run.list.default-page-size, limits.page-size.runs, errors.query.*: not shown (ruling 32)',
    values: {
      one: { wrap: defaultPage(1) },
      two: { wrap: defaultPage(2) },
      ten: { wrap: defaultPage(10) },
      'two-of-at-most-five': { wrap: (fetch) => defaultPage(2)(refuseLongPages(5)(fetch)) },
      'one-of-two-whatever-limit': { wrap: (fetch) => defaultPage(1)(listed((all) => all.slice(0, 2))(fetch)) },
      'two-whatever-limit': { wrap: capPages(2) },
      'one-of-at-most-one': { wrap: (fetch) => defaultPage(1)(refuseLongPages(1)(fetch)) },
      'two-of-at-most-two': { wrap: (fetch) => defaultPage(2)(refuseLongPages(2)(fetch)) },
      'parameters-refused': { wrap: refuseParameters },
      'parameters-ignored': {
        wrap: (fetch) => (request) => fetch(new Request(request.url.replace(/\?.*$/, ''), request)),
      },
    },
  },
  'run.join-body': {
    description: 'The body of a join.',
    legal: 'run.join.body: not shown',
    values: {
      null: { wrap: joined((response) => replace(response, { body: 'null' })) },
      empty: { wrap: joined(() => new Response('', { status: 200 })) },
      'no-content': { wrap: joined(() => new Response(null, { status: 204 })) },
      text: { wrap: joined(() => new Response('done', { headers: { 'content-type': 'text/plain' } })) },
      list: { wrap: joined((response) => replace(response, { body: '[]' })) },
    },
  },
  'run.location': {
    description: 'Headers that name a run.',
    legal: 'run.create.headers: not shown',
    values: {
      none: {
        wrap: responses((response) => {
          const headers = new Headers(response.headers)
          headers.delete('content-location')
          return new Response(response.body, { status: response.status, headers })
        }),
      },
    },
  },
})

/** Changes records of runs in every response. */
function runs(change: (run: Fields) => Record<string, unknown>): Wrap {
  return json((body) =>
    everyObject(body, (object) => ('run_id' in object && 'kwargs' in object ? change(object) : object)),
  )
}

function executing(status: string) {
  const show = (run: unknown) => {
    const executes = ['pending', 'running'].includes(String(Object(run).status))
    return executes ? { ...Object(run), status } : run
  }
  return {
    wrap: combine(
      changeResponse(getRun, show),
      changeResponse(listRuns, (all) => (all as Fields[]).map(show)),
    ),
    excuses: {
      'run.status.pending-at-first-poll': 'advised only (ruling 3)',
      'multitask.enqueue.pending-while-queued': 'advised only',
    },
  }
}

function failure(status: string) {
  return {
    wrap: objects((object) => ('kwargs' in object && object['status'] === 'error' ? { ...object, status } : object)),
  }
}

function listed(change: (all: readonly unknown[]) => readonly unknown[]): Wrap {
  return changeResponse(listRuns, (body) => (Array.isArray(body) ? change(body) : body))
}

/** Time since the creation of a run, in milliseconds. */
function ageOf(run: unknown): number {
  return Date.now() - Date.parse(Object(run).created_at)
}

/** Lists a run once it is old enough, as an index that is refreshed once a second does. */
function showsNewAfter(ms: number): { wrap: Wrap } {
  return { wrap: listed((all) => all.filter((run) => ageOf(run) >= ms)) }
}

/** Shows a run as executing for a while after its end. */
function showsEndAfter(ms: number): { wrap: Wrap } {
  const showEndLate = (run: unknown) => {
    const { status, updated_at: updatedAt } = Object(run)
    const isOver = status !== 'pending' && status !== 'running'
    return isOver && Date.now() - Date.parse(updatedAt) < ms ? { ...Object(run), status: 'running' } : run
  }
  return { wrap: listed((all) => all.map(showEndLate)) }
}

function reverseId(run: unknown): string {
  return [...String(Object(run).run_id)].reverse().join('')
}

function defaultPage(size: number): Wrap {
  return changeResponse(listRuns, (body, { url }) =>
    Array.isArray(body) && new URL(url).search === '' ? body.slice(0, size) : body,
  )
}

/** Lists at most this many runs from the offset on, of all that other settings show. */
function capPages(most: number): Wrap {
  return respondInstead(listRuns, async (request, fetch) => {
    const { searchParams } = new URL(request.url)
    const offset = Number(searchParams.get('offset') ?? 0)
    const limit = Math.min(most, Number(searchParams.get('limit') ?? most))
    const response = await fetch(new Request(request.url.replace(/(\?.*)?$/, '?limit=1000'), request))
    return replaceJson(response, (all) => (Array.isArray(all) ? all.slice(offset, offset + limit) : all))
  })
}

function refuseLongPages(most: number): Wrap {
  return (fetch) => async (request) => {
    const limit = matchesRoute(request, listRuns) ? Number(new URL(request.url).searchParams.get('limit')) : 0
    return limit > most ? Response.json({ detail: `limit must be ${most} or less` }, { status: 422 }) : fetch(request)
  }
}

function refuseParameters(fetch: Fetch): Fetch {
  return async (request) => {
    if (new URL(request.url).search === '') return fetch(request)
    return Response.json({ detail: 'no query parameters are accepted' }, { status: 400 })
  }
}

function joined(change: (response: Response) => Response): Wrap {
  return responses((response, request) => (response.ok && matchesRoute(request, joinRun) ? change(response) : response))
}
