import type { Exchange } from '../control/journal/exchange.ts'
import { type Case, type ClientRequirement, caseOf, pathOf } from './requirement.ts'

const RESUME = 'GET /threads/{thread_id}/runs/{run_id}/stream'

/** Requirements of event streams. */
export const streamRequirements: readonly ClientRequirement[] = [
  {
    id: 'client.stream.accept',
    section: 'Streams',
    level: 'SHOULD',
    statement: 'The header `Accept` of a request for a stream, if it is present, allows `text/event-stream`.',
    decided: 'every request that is answered with an event stream, and has the header',
    cases: ({ exchanges }) =>
      streamsIn(exchanges).flatMap((exchange) => {
        const accept = exchange.requestHeaders['accept']
        if (accept === undefined) return []
        return [caseOf(exchange, /text\/event-stream|text\/\*|\*\/\*/.test(accept), 'text/event-stream', accept)]
      }),
  },
  {
    id: 'client.stream.read-to-end',
    section: 'Streams',
    level: 'SHOULD',
    statement: 'A client reads a stream to its end, or asks for the run again after it has left.',
    decided:
      'every stream of a run that was not broken; it fails if the client closed it and sent no later request that names the run or reads the state of the thread',
    cases: ({ exchanges }) =>
      streamsIn(exchanges).flatMap((exchange): Case[] => {
        if (exchange.state !== 'ended' || !['client left', undefined].includes(exchange.failure)) return []
        const isRead = exchange.failure === undefined || nextUseOf(exchange, exchanges) !== undefined
        const received = `it was closed after ${exchange.events?.length ?? 0} events`
        return [caseOf(exchange, isRead, 'a stream that is read to its end', received)]
      }),
  },
  {
    id: 'client.stream.continues',
    section: 'Streams',
    level: 'SHOULD',
    statement:
      'After a broken stream, a client resumes it, joins or reads the run, reads the state, or sends the request again.',
    decided: 'every stream of a run whose connection was reset',
    cases: ({ exchanges }) =>
      streamsIn(exchanges)
        .filter(({ failure }) => failure === 'connection reset')
        .map((exchange) => {
          const again = exchanges.find(({ id, method, url }) => {
            return id > exchange.id && method === exchange.method && url === exchange.url
          })
          const next = nextUseOf(exchange, exchanges) ?? again
          return caseOf(exchange, next !== undefined, 'a request for the rest of the stream, or for the run', undefined)
        }),
  },
  {
    id: 'client.stream.last-event-id',
    section: 'Streams',
    level: 'SHOULD',
    statement: 'A client that resumes a stream sends `Last-Event-ID` with the id of the last event that it received.',
    decided: `every \`${RESUME}\` after a stream of the same run that broke, or was closed, after an event with an id. The id may be that of an earlier event: the client may have lost what arrived last.`,
    cases: ({ exchanges }) =>
      exchanges.flatMap((exchange): Case[] => {
        if (exchange.route !== RESUME) return []
        const before = streamsIn(exchanges).filter(
          (other) => other.id < exchange.id && other.failure !== undefined && runOf(other) === runOf(exchange),
        )
        const ids = before.flatMap(({ events = [] }) => events.flatMap(({ id }) => (id === undefined ? [] : [id])))
        const last = ids.at(-1)
        if (last === undefined) return []
        const received = exchange.requestHeaders['last-event-id']
        if (received !== undefined && ids.includes(received)) return [{ exchange, before }]
        return [{ exchange, before, failure: { expected: `Last-Event-ID: ${last}`, received: received ?? 'nothing' } }]
      }),
  },
]

function streamsIn(exchanges: readonly Exchange[]): Exchange[] {
  return exchanges.filter(({ events, route }) => events !== undefined && /\/runs\/(?:.*\/)?stream$/.test(route))
}

/** Returns the run of a stream, by its path or its first event. */
function runOf(exchange: Exchange): string | undefined {
  const metadata = exchange.events?.find(({ event }) => event === 'metadata')
  return pathOf(exchange).match(/\/runs\/([^/]+)\/stream$/)?.[1] ?? Object(metadata?.data).run_id
}

/** Returns the first later request that names the run of a stream, or reads the state of its thread. */
function nextUseOf(stream: Exchange, exchanges: readonly Exchange[]): Exchange | undefined {
  const run = runOf(stream)
  const thread = pathOf(stream).match(/^\/threads\/([^/]+)\//)?.[1]
  return exchanges.find((exchange) => {
    if (exchange.id <= stream.id) return false
    const path = pathOf(exchange)
    const readsThread = thread !== undefined && new RegExp(`/threads/${thread}(?:/state|/history)?$`).test(path)
    return readsThread || (run !== undefined && path.includes(`/runs/${run}`))
  })
}
