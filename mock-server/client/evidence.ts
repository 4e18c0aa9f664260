import type { Evidence, Exchange as ReportedExchange } from '../../reporters/model/report.ts'
import { environmentName, quote, split, word } from '../../reporters/model/shell.ts'
import type { Exchange } from '../control/journal/exchange.ts'

const LONGEST_BODY = 4000
const MOST_EVENTS = 60

/**
 * Returns the evidence of a decision: earlier requests, then the one that decided it, with the events of its stream.
 * `urlVariable` is an environment variable for the base URL in curl commands.
 */
export function evidenceOf(before: readonly Exchange[], exchange: Exchange, urlVariable?: string): Evidence {
  const { events = [], url, at } = exchange
  const stream = events.slice(0, MOST_EVENTS).map(({ event, data, id, at: sentAt }) => ({
    atMs: sentAt - at,
    event,
    data: clipped(data) ?? '',
    ...(id !== undefined && { id }),
  }))
  return {
    exchanges: [...before, exchange].map((each) => reported(each, urlVariable)),
    ...(stream.length > 0 && { streams: [{ url, events: stream }] }),
  }
}

function reported(exchange: Exchange, urlVariable: string | undefined): ReportedExchange {
  const { method, url, requestHeaders, status, responseHeaders, at, endedAt, failure } = exchange
  const requestBody = clipped(exchange.requestBody)
  const responseBody = clipped(exchange.responseBody)
  return {
    method,
    url,
    requestHeaders,
    ...(requestBody !== undefined && { requestBody }),
    ...(status !== undefined && { status }),
    ...(responseHeaders !== undefined && { responseHeaders }),
    ...(responseBody !== undefined && { responseBody }),
    startedAt: new Date(at).toISOString(),
    durationMs: (endedAt ?? at) - at,
    ...(failure !== undefined && { error: failure }),
    curl: curl(exchange, requestBody, urlVariable),
  }
}

function curl(
  { method, url, requestHeaders, events }: Exchange,
  body: string | undefined,
  urlVariable: string | undefined,
): string {
  const address = urlVariable === undefined ? quote(url) : word(split({ text: url }, new URL(url).origin, urlVariable))
  const headers = Object.entries(requestHeaders)
    .filter(([name]) => !['host', 'connection', 'content-length', 'accept-encoding'].includes(name))
    .flatMap(([name, value]) => ['-H', word(split({ text: `${name}: ${value}` }, '[redacted]', environmentName(name)))])
  const data = body === undefined ? [] : ['--data-binary', quote(body)]
  return ['curl', '-sS', events === undefined ? '-i' : '-N', '-X', method, address, ...headers, ...data].join(' ')
}

function clipped(body: unknown): string | undefined {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  if (text === undefined || text.length <= LONGEST_BODY) return text
  return `${text.slice(0, LONGEST_BODY)}… (${text.length} characters)`
}
