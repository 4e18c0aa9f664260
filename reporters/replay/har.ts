import { STATUS_CODES } from 'node:http'
import type { Entry, Har, Header, Page } from 'har-format'
import type { Exchange, Outcome, Report, StreamEvent } from '../model/report.ts'
import { oneLine } from '../model/text.ts'

/**
 * Renders the exchanges of a failure as HTTP Archive 1.2, for the network panel of a browser, with one page per check.
 * `_events` of an event stream has the arrival time of each event, in milliseconds from the request.
 */
export function renderHar(report: Report, outcomes: readonly Outcome[]): string {
  const pages = outcomes.map(
    ({ endpoint, check, evidence, failure }, index): Page => ({
      id: `check-${index + 1}`,
      title: oneLine(`${endpoint}: ${check}`, 300),
      startedDateTime: evidence?.exchanges[0]?.startedAt ?? report.startedAt,
      pageTimings: {},
      ...(failure === undefined ? {} : { comment: oneLine(failure.message, 1000) }),
    }),
  )
  const entries = outcomes.flatMap((outcome, index) => entriesOf(outcome, `check-${index + 1}`))
  const har: Har = {
    log: { version: '1.2', creator: { name: report.suite.name, version: report.suite.version }, pages, entries },
  }
  return `${JSON.stringify(har, null, 2)}\n`
}

function entriesOf({ evidence }: Outcome, pageref: string): Entry[] {
  const streams = [...(evidence?.streams ?? [])]
  // A report has only the last streams of a check, so match them from the end.
  const entries = (evidence?.exchanges ?? []).toReversed().map((exchange) => {
    const match = isStream(exchange)
      ? streams.findLastIndex(({ url }) => url === `${exchange.method} ${exchange.url}`)
      : -1
    const [stream] = match < 0 ? [] : streams.splice(match, 1)
    return entry(exchange, stream?.events, pageref)
  })
  return entries.toReversed()
}

function isStream({ responseHeaders }: Exchange): boolean {
  return responseHeaders?.['content-type']?.startsWith('text/event-stream') ?? false
}

function entry(exchange: Exchange, events: readonly StreamEvent[] | undefined, pageref: string): Entry {
  const { startedAt, durationMs, error } = exchange
  const wait = Math.min(events?.[0]?.atMs ?? durationMs, durationMs)
  const time = Math.max(durationMs, events?.at(-1)?.atMs ?? 0)
  const clipped = /… \(\d+ characters\)$/
  const notes = [
    error,
    clipped.test(exchange.requestBody ?? '') && 'the request body was cut in the report',
    clipped.test(exchange.responseBody ?? '') && 'the response body was cut in the report',
  ].filter((note) => typeof note === 'string')
  return {
    pageref,
    startedDateTime: startedAt,
    time,
    request: request(exchange),
    response: response(exchange, events),
    cache: {},
    timings: { send: 0, wait, receive: time - wait },
    ...(notes.length > 0 && { comment: oneLine(notes.join('; '), 1000) }),
    ...(events && { _events: events }),
  }
}

function request({ method, url, requestHeaders, requestBody: text }: Exchange): Entry['request'] {
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers(requestHeaders),
    queryString: [...(URL.parse(url)?.searchParams ?? [])].map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: Buffer.byteLength(text ?? ''),
    ...(text !== undefined && { postData: { mimeType: requestHeaders['content-type'] ?? '', text } }),
  }
}

function response(exchange: Exchange, events: readonly StreamEvent[] | undefined): Entry['response'] {
  const { status = 0, responseHeaders = {} } = exchange
  const text = exchange.responseBody ?? events?.map(eventText).join('')
  const size = exchange.responseBytes ?? Buffer.byteLength(text ?? '')
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers(responseHeaders),
    content: { size, mimeType: responseHeaders['content-type'] ?? '', ...(text !== undefined && { text }) },
    redirectURL: responseHeaders['location'] ?? '',
    headersSize: -1,
    bodySize: size,
  }
}

function eventText({ event, data, id }: StreamEvent): string {
  const lines = data.split('\n').map((line) => `data: ${line}\n`)
  return `event: ${event}\n${lines.join('')}${id === undefined ? '' : `id: ${id}\n`}\n`
}

function headers(values: Readonly<Record<string, string>>): Header[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}
