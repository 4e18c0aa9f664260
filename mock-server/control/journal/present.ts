import { createParser } from 'eventsource-parser'
import { pathName } from '../route-names.ts'
import { type Capture, textOf } from './capture.ts'
import { type Entry, type Exchange, isStream, type SentEvent } from './exchange.ts'
import type { Secrets } from './secrets.ts'

/** Returns the method and path of an entry as in the API's description. */
export function routeOf({ method, path }: Pick<Entry, 'method' | 'path'>): string {
  return `${method} ${pathName(path)}`
}

/** Returns the fields of an entry that need neither its headers nor its bodies, without secrets. */
export function outlineOf(entry: Entry, secrets: Secrets) {
  const { id, method, at, state, status, endedAt, failure, webhook } = entry
  return {
    ...{ id, method, url: secrets.url(entry.url), route: secrets.text(routeOf(entry)), at, state },
    ...(status !== undefined && { status }),
    ...(endedAt !== undefined && { endedAt }),
    ...(failure !== undefined && { failure }),
    ...(webhook !== undefined && { webhook }),
  }
}

/** Returns an entry as an exchange without secrets. */
export function present(entry: Entry, secrets: Secrets): Exchange {
  const { requestBody, responseBody, responseHeaders } = entry
  const request = bodyOf(requestBody, secrets)
  const response = isStream(entry) ? undefined : bodyOf(responseBody, secrets)
  return {
    ...outlineOf(entry, secrets),
    requestHeaders: secrets.headers(entry.requestHeaders),
    ...(request !== undefined && { requestBody: request }),
    ...(responseHeaders !== undefined && { responseHeaders: secrets.headers(responseHeaders) }),
    ...(response !== undefined && { responseBody: response }),
    ...(isStream(entry) && { events: eventsOf(responseBody, secrets) }),
    isCut: requestBody.keptBytes < requestBody.size || responseBody.keptBytes < responseBody.size,
  }
}

function bodyOf(capture: Capture, secrets: Secrets): unknown {
  return capture.size === 0 ? undefined : valueIn(textOf(capture), secrets)
}

/** Returns the parsed value of JSON, or the text itself if it is not JSON, without secrets. */
export function valueIn(text: string, secrets: Secrets): unknown {
  try {
    return secrets.json(JSON.parse(text))
  } catch {
    return secrets.text(text)
  }
}

function eventsOf({ chunks }: Capture, secrets: Secrets): SentEvent[] {
  const events: SentEvent[] = []
  let now = 0
  const parser = createParser({
    onEvent: ({ event = 'message', data, id }) =>
      events.push({ event, data: valueIn(data, secrets), ...(id !== undefined && { id }), at: now }),
  })
  const decoder = new TextDecoder()
  for (const { bytes, at } of chunks) {
    now = at
    parser.feed(decoder.decode(bytes, { stream: true }))
  }
  return events
}
