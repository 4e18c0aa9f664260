import { contentText } from '../../graphs/message.ts'
import type { Message } from '../../graphs/types.ts'
import { isObject } from '../../http/fields.ts'
import { type Mismatch, mismatches, textMatcher } from '../../scripting/match.ts'
import type { TextPattern } from '../../scripting/pattern.ts'
import type { Exchange } from '../journal/exchange.ts'
import { routePattern } from '../route-pattern.ts'
import type { ExpectedCall } from './expected-call.ts'

/** Returns what differs between a request and an expected one: nothing if the request is such a request. */
export function differencesOf(exchange: Exchange, expected: ExpectedCall): Mismatch[] {
  const { pathname, searchParams } = new URL(exchange.url)
  const { route, method, status, text, body, headers, query } = expected
  return [
    ...(route === undefined || routePattern(route)(exchange.method, pathname)
      ? []
      : [{ field: 'route', expected: route, received: exchange.route }]),
    ...(method === undefined ? [] : mismatches(exchange.method, method.toUpperCase(), 'method')),
    ...(status === undefined ? [] : mismatches(exchange.status, status, 'status')),
    ...(text === undefined ? [] : textDifferences('text', newestText(exchange.requestBody), text)),
    ...(body === undefined ? [] : mismatches(exchange.requestBody, body, 'body')),
    ...Object.entries(headers ?? {}).flatMap(([name, value]) =>
      textDifferences(`headers.${name}`, exchange.requestHeaders[name.toLowerCase()], value),
    ),
    ...Object.entries(query ?? {}).flatMap(([name, value]) =>
      textDifferences(`query.${name}`, searchParams.get(name) ?? undefined, value),
    ),
  ]
}

function textDifferences(field: string, received: string | undefined, expected: string | TextPattern): Mismatch[] {
  return received !== undefined && textMatcher(expected)(received) ? [] : [{ field, expected, received }]
}

/** Returns the text of the newest human message in the body of a request that creates a run. */
function newestText(body: unknown): string | undefined {
  const input = isObject(body) ? body['input'] : undefined
  const messages = isObject(input) ? [input['messages']].flat() : []
  const human = messages.findLast(
    (message) =>
      typeof message === 'string' || ['user', 'human'].includes(Object(message).role ?? Object(message).type),
  )
  const content = isObject(human) ? human['content'] : human
  return typeof content === 'string' || Array.isArray(content) ? contentText(content as Message['content']) : undefined
}
