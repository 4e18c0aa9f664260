/** What the address says after `#`: a row to show, and what the list is narrowed to. */
export interface State {
  /** Id of an element of the page; empty where none is named. */
  anchor: string
  /** Values by filter; a filter without values is absent. */
  filters: Record<string, string[]>
  /** The text to search for. */
  query: string
}

/** @example parseState('#run.join.answers?verdict=fail,warning&q=join') */
export function parseState(hash: string): State {
  const text = hash.replace(/^#/, '')
  const mark = text.indexOf('?')
  const params = new URLSearchParams(mark === -1 ? '' : text.slice(mark + 1))
  const filters: Record<string, string[]> = {}
  for (const [name, value] of params) {
    if (name !== 'q' && value !== '') filters[name] = value.split(',')
  }
  return { anchor: decoded(mark === -1 ? text : text.slice(0, mark)), filters, query: params.get('q') ?? '' }
}

/** The same state as an address; empty where nothing is named. */
export function formatState({ anchor, filters, query }: State): string {
  const params = new URLSearchParams(Object.entries(filters).map(([name, values]) => [name, values.join(',')]))
  if (query !== '') params.set('q', query)
  const search = params.toString().replaceAll('%2C', ',')
  return `#${encodeURIComponent(anchor)}${search === '' ? '' : `?${search}`}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
