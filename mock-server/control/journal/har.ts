import type { Entry, Har, Header } from 'har-format'
import type { Exchange, SentEvent } from './exchange.ts'

/** Renders exchanges as HTTP Archive 1.2. `_events` of an event stream has the time of each event, in milliseconds from the request. */
export function renderHar(exchanges: readonly Exchange[]): string {
  const creator = { name: 'touchstone mock server', version: '1' }
  const har: Har = { log: { version: '1.2', creator, entries: exchanges.map(entry) } }
  return `${JSON.stringify(har, null, 2)}\n`
}

function entry(exchange: Exchange): Entry {
  const { at, endedAt, events, failure, state, isCut } = exchange
  const end = Math.max(endedAt ?? at, events?.at(-1)?.at ?? at)
  const firstByte = events?.[0]?.at ?? end
  const notes = [
    failure,
    isCut ? 'bodies are truncated' : undefined,
    state === 'ended' ? undefined : 'in progress',
  ].filter((note) => note !== undefined)
  return {
    startedDateTime: new Date(at).toISOString(),
    time: end - at,
    request: request(exchange),
    response: response(exchange),
    cache: {},
    timings: { send: 0, wait: firstByte - at, receive: end - firstByte },
    ...(notes.length > 0 && { comment: notes.join('; ') }),
    ...(events && { _events: events.map(({ at: sentAt, ...event }) => ({ atMs: sentAt - at, ...event })) }),
  }
}

function request({ method, url, requestHeaders, requestBody }: Exchange): Entry['request'] {
  const text = textOf(requestBody)
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers(requestHeaders),
    queryString: [...(URL.parse(url)?.searchParams ?? [])].map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: byteLength(text),
    ...(text !== undefined && { postData: { mimeType: requestHeaders['content-type'] ?? '', text } }),
  }
}

function response({ status = 0, responseHeaders = {}, responseBody, events }: Exchange): Entry['response'] {
  const text = events?.map(eventText).join('') ?? textOf(responseBody)
  const size = byteLength(text)
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: headers(responseHeaders),
    content: { size, mimeType: responseHeaders['content-type'] ?? '', ...(text !== undefined && { text }) },
    redirectURL: responseHeaders['location'] ?? '',
    headersSize: -1,
    bodySize: size,
  }
}

function eventText({ event, data, id }: SentEvent): string {
  const lines = (textOf(data) ?? '').split('\n').map((line) => `data: ${line}\n`)
  return `event: ${event}\n${lines.join('')}${id === undefined ? '' : `id: ${id}\n`}\n`
}

function textOf(body: unknown): string | undefined {
  return typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
}

function headers(values: Readonly<Record<string, string>>): Header[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}

function byteLength(text = ''): number {
  return new TextEncoder().encode(text).byteLength
}
