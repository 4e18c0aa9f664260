import type { Row } from './tables.ts'

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

/** Whether a state selects a part of the requirements. */
export function hasFilters({ filters, query }: State): boolean {
  return query !== '' || Object.keys(filters).length > 0
}

/** Shows the rows that match a state and hides the others, and groups and sections without a match. Returns their number. */
export function filterRows(rows: readonly Row[], { filters, query }: State): number {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const selected = Object.entries(filters)
  let shown = 0
  for (const { element, values, text } of rows) {
    const matches =
      selected.every(([name, wanted]) => values[name]?.some((value) => wanted.includes(value)) ?? true) &&
      words.every((word) => text.includes(word))
    element.hidden = !matches
    if (matches) shown += 1
  }
  for (const container of new Set(rows.flatMap(({ element }) => containersOf(element)))) {
    const matching = container.querySelectorAll('tr:not([hidden]) > td:first-child').length
    container.hidden = matching === 0
    const count = container.querySelector<HTMLElement>(':scope > summary .n')
    if (count) showCount(count, matching)
  }
  return shown
}

function containersOf(row: Element): HTMLElement[] {
  return [row.closest('tbody'), row.closest<HTMLElement>('.section')].filter((container) => container !== null)
}

/** Writes `3 of 840` into a heading, or the number alone if all match. */
function showCount(count: HTMLElement, matching: number): void {
  count.dataset['all'] ??= count.textContent
  const { all = '' } = count.dataset
  count.textContent = String(matching) === all ? all : `${matching} of ${all}`
}
