import type { CallSummary } from '../../journal/changes.ts'

/** The kinds of requests that can be shown alone. */
export const kinds: Readonly<Record<string, (call: CallSummary) => boolean>> = {
  'All requests': () => true,
  'Failed (status 400 or higher, or broken)': ({ status = 0, failure }) => failure !== undefined || status >= 400,
  Streams: ({ isStream }) => isStream,
  'In progress': ({ state }) => state !== 'ended',
  Webhooks: ({ webhook }) => webhook !== undefined,
}

const texts = new WeakMap<CallSummary, string>()

/** Returns the calls of a kind that contain all words of a query. */
export function filterCalls(calls: readonly CallSummary[], kind: string, query: string): readonly CallSummary[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const isKind = kinds[kind] ?? (() => true)
  return calls.filter((call) => isKind(call) && words.every((word) => textOf(call).includes(word)))
}

/** What is searched of a call, in lower case. */
function textOf(call: CallSummary): string {
  const { id, method, url, route, status, failure = '' } = call
  const text = texts.get(call) ?? `#${id} ${method} ${pathOf(url)} ${route} ${status} ${failure}`.toLowerCase()
  texts.set(call, text)
  return text
}

/** Returns the path and query of a URL. */
export function pathOf(url: string): string {
  // In a URL without secrets, even the host may be redacted.
  const parsed = URL.parse(url)
  return parsed === null ? url : parsed.pathname + parsed.search
}
