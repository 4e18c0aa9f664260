import type { Exchange } from '../control/journal/exchange.ts'
import { type Case, type ClientRequirement, isSameRequest } from './requirement.ts'

/** Pauses that are shorter than this do not spare the server. */
const SHORTEST_PAUSE_MS = 50
/** Timers may fire early by this much. */
const TIMER_MS = 10
const MOST_FAST_POLLS = 10

/** Requirements of pauses and repetitions. */
export const retryRequirements: readonly ClientRequirement[] = [
  {
    id: 'client.retry.retry-after',
    section: 'Retries',
    level: 'SHOULD',
    statement: 'A client does not repeat a request before the time that `Retry-After` names.',
    decided: 'every request with the status 429 or 503 and this header that the client repeats',
    needsRealTime: true,
    cases: ({ exchanges }) =>
      exchanges.flatMap((exchange): Case[] => {
        const waitMs = retryAfterMs(exchange)
        const next = repetitionOf(exchange, exchanges)
        if (waitMs === undefined || next === undefined) return []
        const pause = pauseBetween(exchange, next)
        if (pause >= waitMs - TIMER_MS) return [{ exchange: next, before: [exchange] }]
        const failure = { expected: `a pause of at least ${waitMs} ms`, received: `a pause of ${pause} ms` }
        return [{ exchange: next, before: [exchange], failure }]
      }),
  },
  {
    id: 'client.retry.pause',
    section: 'Retries',
    level: 'SHOULD',
    statement: 'A client that repeats a failed request pauses before the second repetition.',
    decided: `every third attempt after a status 429 or 5xx or a connection reset; it fails if both pauses are shorter than ${SHORTEST_PAUSE_MS} ms`,
    needsRealTime: true,
    cases: ({ exchanges }) =>
      exchanges.filter(isTemporary).flatMap((first): Case[] => {
        const second = repetitionOf(first, exchanges)
        const third = second && repetitionOf(second, exchanges)
        if (second === undefined || third === undefined || !isTemporary(second)) return []
        const pauses = [pauseBetween(first, second), pauseBetween(second, third)]
        const before = [first, second]
        if (pauses.some((pause) => pause >= SHORTEST_PAUSE_MS)) return [{ exchange: third, before }]
        const expected = `a pause of at least ${SHORTEST_PAUSE_MS} ms before an attempt`
        return [{ exchange: third, before, failure: { expected, received: `pauses of ${pauses.join(' and ')} ms` } }]
      }),
  },
  {
    id: 'client.poll.pause',
    section: 'Retries',
    level: 'SHOULD',
    statement: 'A client that reads the same resource until it changes pauses between the requests.',
    decided: `every resource that is read ${MOST_FAST_POLLS} times in a row without a change; it fails if all pauses are shorter than ${SHORTEST_PAUSE_MS} ms`,
    needsRealTime: true,
    cases: ({ exchanges }) =>
      [...Map.groupBy(exchanges.filter(isRead), ({ url }) => url).values()].flatMap((reads) =>
        reads.flatMap((last, index): Case[] => {
          const row = reads.slice(Math.max(0, index + 1 - MOST_FAST_POLLS), index + 1)
          if (row.length < MOST_FAST_POLLS || row.some((read) => !hasSameResponse(read, last))) return []
          const pauses = row.slice(1).map((read, at) => pauseBetween(row[at] ?? read, read))
          // Concurrent reads are no polling.
          if (pauses.some((pause) => pause < 0)) return []
          const before = row.slice(0, 2)
          if (pauses.some((pause) => pause >= SHORTEST_PAUSE_MS)) return [{ exchange: last, before }]
          const expected = `a pause of at least ${SHORTEST_PAUSE_MS} ms between reads`
          const received = `${row.length} equal reads with pauses of at most ${Math.max(...pauses)} ms`
          return [{ exchange: last, before, failure: { expected, received } }]
        }),
      ),
  },
]

/** Returns the next equal request after the response. A concurrent one was sent without knowing the response. */
function repetitionOf(exchange: Exchange, exchanges: readonly Exchange[]): Exchange | undefined {
  const { id, endedAt = Number.POSITIVE_INFINITY } = exchange
  return exchanges.find((later) => later.id > id && later.at >= endedAt && isSameRequest(exchange, later))
}

function pauseBetween(earlier: Exchange, later: Exchange): number {
  return later.at - (earlier.endedAt ?? later.at)
}

function isTemporary({ status = 0, failure }: Exchange): boolean {
  return status === 429 || status >= 500 || (status === 0 && failure === 'connection reset')
}

function isRead({ method, events, route }: Exchange): boolean {
  return method === 'GET' && events === undefined && !route.endsWith('/join')
}

function hasSameResponse(one: Exchange, other: Exchange): boolean {
  return one.status === other.status && JSON.stringify(one.responseBody) === JSON.stringify(other.responseBody)
}

/** Returns how long a response asks to wait. */
function retryAfterMs({ status, responseHeaders, endedAt = 0 }: Exchange): number | undefined {
  const value = responseHeaders?.['retry-after']
  if (value === undefined || (status !== 429 && status !== 503)) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - endedAt
  return Number.isNaN(ms) ? undefined : ms
}
