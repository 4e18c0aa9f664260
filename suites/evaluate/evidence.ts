import type { Evidence, Exchange as ReportedExchange } from '../../reporters/model/report.ts'
import { uuidsIn } from '../catalog/facts.ts'
import type { Exchange } from '../model/exchange.ts'
import type { Subject } from '../rules/rule.ts'
import { markedSecrets, withoutVariables } from '../trace/redact.ts'
import { type Creators, originsOf, withCreators } from './creators.ts'
import { curl } from './curl.ts'

/** Longest body kept in a report, in characters: enough for any response of a test graph. */
const bodyLimit = 4000
/** Longest data of one event, in characters. */
const dataLimit = 1000
/** Events kept of one stream. */
const eventLimit = 60
/** Exchanges of the setup that are kept; the latest are kept, with the requests that created what they name. */
const setupLimit = 11

/**
 * Returns the evidence of a case: its setup, the requests that created what it names and what was received, then the exchange
 * that decides it. `startedAt` is the start of the trace in milliseconds since the Unix epoch.
 */
export function evidenceOf(
  { exchange, setup = [], mustShow }: Subject,
  creators: Creators,
  startedAt: number,
  received = '',
): Evidence {
  const known = new Set(setup.filter((each) => each !== undefined && each !== exchange) as readonly Exchange[])
  const latest = [...known].sort(inOrder).slice(-setupLimit)
  const origins = originsOf(received, creators).filter(({ id }) => id < exchange.id)
  const before = [...withCreators([...origins, ...latest, exchange], creators)].filter((each) => each !== exchange)
  const shown = [...before.sort(inOrder), exchange]
  const showsUsers = new Set(shown.map(({ user }) => user)).size > 1
  // Of a long list, the entry that was received.
  const inBody = mustShow ?? uuidsIn(received).find((id) => exchange.text.includes(id))
  const streams = [exchange]
    .filter(({ events }) => events.length > 0)
    .map(({ url, events }) => ({
      url: withoutVariables(url),
      events: events
        .slice(0, eventLimit)
        .map((event) => ({ ...event, data: clip(withoutVariables(event.data), dataLimit) })),
    }))
  return {
    exchanges: shown.map((each) => ({
      ...reported(each, startedAt, each === exchange ? inBody : undefined),
      ...(showsUsers && { user: each.user }),
    })),
    ...(streams.length > 0 ? { streams } : {}),
  }
}

/** Compares exchanges by the order in which they were sent. */
function inOrder(a: Exchange, b: Exchange): number {
  return a.id - b.id
}

/** Returns an exchange as a report shows it. */
function reported(exchange: Exchange, startedAt: number, mustShow?: string): ReportedExchange {
  const { method, url, requestHeaders, requestText, status, headers, text, sentAt, closedAt } = exchange
  const end = Number.isFinite(closedAt) ? closedAt : sentAt
  const error = exchange.fate === 'left' ? 'closed by the client' : exchange.error
  const body = requestText === undefined ? undefined : clip(requestText, bodyLimit)
  const request = { method, url, headers: requestHeaders, ...(body === undefined ? {} : { body }) }
  const secrets = markedSecrets(url, body ?? '', ...Object.values(requestHeaders))
  return {
    method,
    url: withoutVariables(url),
    requestHeaders: plain(requestHeaders),
    ...(body === undefined ? {} : { requestBody: withoutVariables(body) }),
    ...(status === undefined ? {} : { status, responseHeaders: plain(headers) }),
    ...(text === ''
      ? {}
      : {
          responseBody: clipAround(withoutVariables(text), bodyLimit, mustShow),
          responseBytes: Buffer.byteLength(text),
        }),
    startedAt: new Date(startedAt + sentAt).toISOString(),
    durationMs: Math.round((end - sentAt) * 10) / 10,
    ...(error === undefined ? {} : { error: withoutVariables(error) }),
    curl: curl({ ...request, streams: exchange.events.length > 0 }, secrets, bodyLimit),
  }
}

function plain(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, withoutVariables(value)]))
}

/** Cuts a long text so that the result contains a given part of it, and some characters before that. */
function clipAround(text: string, limit: number, mustShow: string | undefined): string {
  const at = mustShow === undefined ? -1 : text.indexOf(mustShow)
  const start = at - contextLength
  if (text.length <= limit || start <= 0) return clip(text, limit)
  return `(${start} characters) …${text.slice(start, start + limit)}… (${text.length} characters)`
}

/** Number of characters shown before the text that must be shown. */
const contextLength = 100

function clip(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}… (${text.length} characters)` : text
}
