import type { Entry, Har } from 'har-format'
import { harEntry, sentEvent } from '../../../fixtures/har.ts'
import type { Exchange } from './exchange.ts'

/** Exchanges as HTTP Archive 1.2; `_events` of a stream has the arrival of each event, in milliseconds from its request. */
export function renderHar(exchanges: readonly Exchange[]): string {
  const creator = { name: 'touchstone mock server', version: '1' }
  const har: Har = { log: { version: '1.2', creator, entries: exchanges.map(entry) } }
  return `${JSON.stringify(har, null, 2)}\n`
}

function entry(exchange: Exchange): Entry {
  const { at, endedAt, events, failure, state, isCut } = exchange
  const last = Math.max(endedAt ?? at, events?.at(-1)?.at ?? at)
  const notes = [
    failure,
    isCut ? 'bodies are kept in part' : undefined,
    state === 'ended' ? undefined : 'still under way',
  ].filter((note) => note !== undefined)
  return {
    ...harEntry({
      ...exchange,
      startedAt: new Date(at).toISOString(),
      waitMs: (events?.[0]?.at ?? last) - at,
      timeMs: last - at,
      requestBody: text(exchange.requestBody),
      status: exchange.status ?? 0,
      statusText: '',
      responseHeaders: exchange.responseHeaders ?? {},
      responseBody:
        events?.map((event) => sentEvent({ ...event, data: text(event.data) ?? '' })).join('') ??
        text(exchange.responseBody),
    }),
    ...(notes.length === 0 ? {} : { comment: notes.join('; ') }),
    ...(events === undefined
      ? {}
      : { _events: events.map(({ at: moment, ...event }) => ({ atMs: moment - at, ...event })) }),
  }
}

function text(body: unknown): string | undefined {
  return typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
}
