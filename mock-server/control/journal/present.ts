import { createParser } from 'eventsource-parser'
import { pathName } from '../route-names.ts'
import { type Capture, textOf } from './capture.ts'
import { type Entry, type Exchange, isStream, type SentEvent } from './exchange.ts'
import type { Secrets } from './secrets.ts'

/** Returns the method and path of an entry as in the API's description. */
export function routeOf({ method, path }: Pick<Entry, 'method' | 'path'>): string {
  return `${method} ${pathName(path)}`
}

/** Returns an entry as an exchange without secrets. */
export function present(entry: Entry, secrets: Secrets): Exchange {
  const { id, method, at, state, status, endedAt, failure, requestBody, responseBody, responseHeaders } = entry
  const request = bodyOf(requestBody, secrets)
  const response = isStream(entry) ? undefined : bodyOf(responseBody, secrets)
  return {
    id,
    method,
    url: secrets.url(entry.url),
    route: secrets.text(routeOf(entry)),
    at,
    state,
    requestHeaders: secrets.headers(entry.requestHeaders),
    ...(request !== undefined && { requestBody: request }),
    ...(status !== undefined && { status }),
    ...(responseHeaders !== undefined && { responseHeaders: secrets.headers(responseHeaders) }),
    ...(response !== undefined && { responseBody: response }),
    ...(isStream(entry) && { events: eventsOf(responseBody, secrets) }),
    ...(endedAt !== undefined && { endedAt }),
    ...(failure !== undefined && { failure }),
    ...(entry.webhook !== undefined && { webhook: entry.webhook }),
    isCut: requestBody.keptBytes < requestBody.size || responseBody.keptBytes < responseBody.size,
  }
}

function bodyOf(capture: Capture, secrets: Secrets): unknown {
  return capture.size === 0 ? undefined : valueIn(textOf(capture), secrets)
}

/** Returns the parsed value of JSON, or the text itself if it is not JSON. */
function valueIn(text: string, secrets: Secrets): unknown {
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
