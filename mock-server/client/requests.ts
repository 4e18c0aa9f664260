import type { Exchange } from '../control/journal/exchange.ts'
import { isUuid } from '../http/request.ts'
import { type Case, type ClientRequirement, caseOf, isSameRequest, pathOf } from './requirement.ts'

const EXPORT_PATH = /^\/api\/v1\/bulk-exports(?:\/|$)/
const IDS = /\/(threads|runs|assistants)\/([^/]+)/g
/** Words in place of ids. */
const WORDS: ReadonlySet<string> = new Set([
  ...['search', 'count', 'stream', 'wait', 'batch', 'prune', 'crons', 'cancel', 'state', 'history', 'runs', 'join'],
])

/** Returns the ids in the path of a request, with their collections. */
function idsOf(exchange: Exchange): { readonly collection: string; readonly id: string }[] {
  return [...pathOf(exchange).matchAll(IDS)]
    .map(([, collection = '', id = '']) => ({ collection, id }))
    .filter(({ id }) => !WORDS.has(id))
}

/** Requirements of headers and ids. */
export const requestRequirements: readonly ClientRequirement[] = [
  {
    id: 'client.request.content-type',
    section: 'Requests',
    level: 'MUST',
    statement: 'A request with a body has `Content-Type: application/json`.',
    decided: 'every request with a body',
    cases: ({ exchanges }) =>
      exchanges
        .filter(({ requestBody, requestHeaders }) => {
          return requestBody !== undefined || Number(requestHeaders['content-length'] ?? 0) > 0
        })
        .map(jsonType),
  },
  exportHeader('X-API-Key'),
  exportHeader('X-Tenant-Id'),
  {
    id: 'client.export.content-type',
    section: 'Bulk export requests',
    level: 'MUST',
    statement: 'Every request to the bulk export API has `Content-Type: application/json`, also without a body.',
    decided: 'every request below `/api/v1/bulk-exports`',
    cases: ({ exchanges }) => exchanges.filter(isExport).map(jsonType),
  },
  {
    id: 'client.request.uuid',
    section: 'Ids',
    level: 'MUST',
    statement: 'The id of a thread, a run or an assistant in a path is a UUID.',
    decided: 'every request with such an id',
    cases: ({ exchanges }) =>
      exchanges.flatMap((exchange) =>
        idsOf(exchange).map(({ id }) => caseOf(exchange, isUuid(decodeURIComponent(id)), 'a UUID', id)),
      ),
  },
  {
    id: 'client.request.undocumented',
    section: 'Requests',
    level: 'UNSPECIFIED',
    statement: 'Which endpoints a client uses that the specification does not show.',
    decided: 'every request to another endpoint',
    cases: ({ exchanges }) =>
      exchanges
        .filter(({ route }) => !DOCUMENTED_ROUTES.has(route))
        .map((exchange) => caseOf(exchange, false, 'a documented endpoint', exchange.route)),
  },
  {
    id: 'client.ids.known',
    section: 'Ids',
    level: 'SHOULD',
    statement: 'A client uses ids that it has received.',
    decided: 'every request with an id in its path; it fails if the response is 404 and no earlier response has the id',
    cases: ({ exchanges }) => {
      const seen = new Set<string>()
      return exchanges.flatMap((exchange) => {
        const ids = idsOf(exchange).filter(({ id }) => isUuid(id))
        const unknown = ids.find(({ id }) => !seen.has(id.toLowerCase()))
        const { requestBody, responseBody, events, responseHeaders } = exchange
        // An id of the client's own choice is in the body of its request.
        for (const uuid of JSON.stringify([requestBody, responseBody, events, responseHeaders]).matchAll(UUID)) {
          if (exchange.status !== 404) seen.add(uuid[0].toLowerCase())
        }
        if (ids.length === 0) return []
        const isGuess = unknown !== undefined && exchange.status === 404
        return [caseOf(exchange, !isGuess, 'an id that the client has received', unknown?.id)]
      })
    },
  },
  {
    id: 'client.ids.deleted',
    section: 'Ids',
    level: 'SHOULD',
    statement: 'A client does not use a thread or an assistant that it has deleted.',
    decided: 'every request that is sent after a successful DELETE, and names the same id',
    cases: ({ exchanges }) =>
      exchanges.flatMap((deletion) => {
        if (deletion.method !== 'DELETE' || !isSuccess(deletion)) return []
        const deleted = idsOf(deletion).at(-1)?.id
        const later = exchanges.filter(
          (exchange) => exchange.id > deletion.id && idsOf(exchange).some(({ id }) => id === deleted),
        )
        if (later.length === 0) return [{ exchange: deletion }]
        return later.map((exchange): Case => {
          const failure = {
            expected: `no use of ${deleted}, which request ${deletion.id} deleted`,
            received: exchange.route,
          }
          return { exchange, before: [deletion], failure }
        })
      }),
  },
  {
    id: 'client.ids.ended',
    section: 'Ids',
    level: 'SHOULD',
    statement: 'A client does not cancel or join a run again after it has received that the run ended.',
    decided:
      'every run of which a response was complete: a join, a status other than `pending` and `running`, or a whole stream',
    cases: ({ exchanges }) =>
      exchanges.flatMap((exchange) => {
        const run = endedRunOf(exchange)
        if (run === undefined) return []
        const again = exchanges.find(
          (later) =>
            later.id > exchange.id &&
            later.at >= (exchange.endedAt ?? Number.POSITIVE_INFINITY) &&
            pathOf(later).match(/\/runs\/([^/]+)\/(?:cancel|join)$/)?.[1] === run,
        )
        if (again === undefined) return [{ exchange }]
        const expected = `no use of the run ${run}, which had ended in the response to request ${exchange.id}`
        return [{ exchange: again, before: [exchange], failure: { expected, received: again.route } }]
      }),
  },
  {
    id: 'client.request.repeats-refused',
    section: 'Retries',
    level: 'SHOULD',
    statement: 'A client does not repeat a request unchanged that the server refuses as invalid.',
    decided:
      'every request with the status 400, 403, 405, 413, 415 or 422; it fails if the next two equal requests follow',
    cases: ({ exchanges }) =>
      exchanges.filter(isInvalid).map((exchange) => {
        const equal = exchanges.filter((other) => other.id > exchange.id && isSameRequest(exchange, other))
        const expected = 'another request, or none'
        const received = `the same request again, as request ${equal.map(({ id }) => id).join(', ')}`
        return caseOf(exchange, equal.filter(isInvalid).length < 2, expected, received)
      }),
  },
]

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi

const DOCUMENTED_ROUTES: ReadonlySet<string> = new Set([
  'POST /threads',
  'GET /threads',
  'GET /threads/{thread_id}/runs',
  'POST /threads/{thread_id}/runs',
  'GET /threads/{thread_id}/runs/{run_id}',
  'GET /threads/{thread_id}/runs/{run_id}/join',
  'GET /threads/{thread_id}/state',
  'POST /threads/{thread_id}/runs/stream',
  'POST /assistants',
  'POST /assistants/search',
  'GET /assistants/{assistant_id}',
  'POST /api/v1/bulk-exports/destinations',
  'POST /api/v1/bulk-exports',
  'GET /api/v1/bulk-exports/{export_id}',
  'GET /api/v1/bulk-exports/{export_id}/runs',
  'GET /api/v1/bulk-exports',
  'PATCH /api/v1/bulk-exports/{export_id}',
])

function isExport(exchange: Exchange): boolean {
  return EXPORT_PATH.test(pathOf(exchange))
}

function isSuccess({ status = 0 }: Exchange): boolean {
  return status >= 200 && status < 300
}

function isInvalid({ status = 0 }: Exchange): boolean {
  return [400, 403, 405, 413, 415, 422].includes(status)
}

function jsonType(exchange: Exchange): Case {
  const type = exchange.requestHeaders['content-type']
  return caseOf(exchange, /^application\/json\b/i.test(type ?? ''), 'Content-Type: application/json', type)
}

function exportHeader(name: string): ClientRequirement {
  return {
    id: `client.export.${name.toLowerCase()}`,
    section: 'Bulk export requests',
    level: 'MUST',
    statement: `Every request to the bulk export API has the header \`${name}\`.`,
    decided: 'every request below `/api/v1/bulk-exports`',
    cases: ({ exchanges }) =>
      exchanges.filter(isExport).map((exchange) => {
        return caseOf(
          exchange,
          exchange.requestHeaders[name.toLowerCase()] !== undefined,
          `the header ${name}`,
          undefined,
        )
      }),
  }
}

/** Returns the run that the client knows to have ended when it has read this response. */
function endedRunOf(exchange: Exchange): string | undefined {
  const { route, responseBody, events, failure, state } = exchange
  if (!isSuccess(exchange) || failure !== undefined || state !== 'ended') return undefined
  const run = pathOf(exchange).match(/\/runs\/([^/]+)/)?.[1]
  if (route.endsWith('/{run_id}/join')) return run
  if (route === 'GET /threads/{thread_id}/runs/{run_id}') {
    return ['pending', 'running'].includes(Object(responseBody).status) ? undefined : run
  }
  if (!route.endsWith('/runs/stream')) return undefined
  return Object(events?.find(({ event }) => event === 'metadata')?.data).run_id
}
