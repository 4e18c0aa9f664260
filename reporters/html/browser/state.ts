/** The state in the fragment of the URL: a requirement to show, the filters and the search text. */
export interface State {
  /** Id of an element of the page, or an empty string. */
  anchor: string
  /** Values by filter name. Filters without values are absent. */
  filters: Record<string, string[]>
  query: string
}

/** @example parseState('#run.join.waits?verdict=fail,warning&q=join') */
export function parseState(hash: string): State {
  const text = hash.replace(/^#/, '')
  const queryStart = text.indexOf('?')
  const params = new URLSearchParams(queryStart === -1 ? '' : text.slice(queryStart + 1))
  const filters: Record<string, string[]> = {}
  for (const [name, value] of params) {
    if (name !== 'q' && value !== '') filters[name] = value.split(',')
  }
  return { anchor: decode(queryStart === -1 ? text : text.slice(0, queryStart)), filters, query: params.get('q') ?? '' }
}

/** Formats a state as the fragment of a URL. */
export function formatState({ anchor, filters, query }: State): string {
  const params = new URLSearchParams(Object.entries(filters).map(([name, values]) => [name, values.join(',')]))
  if (query !== '') params.set('q', query)
  const search = params.toString().replaceAll('%2C', ',')
  return `#${encodeURIComponent(anchor)}${search === '' ? '' : `?${search}`}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
