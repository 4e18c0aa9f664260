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

/** Shows the requirements that match a state and hides the others. Returns the number of both. */
export type Filter = (state: State) => { shown: number; all: number }

/** The data attribute that each filter compares. */
const attributes: Record<string, string> = { verdict: 'v', level: 'l', area: 'a', endpoint: 'e' }

export function createFilter(root: ParentNode): Filter {
  const items = [...root.querySelectorAll<HTMLElement>('[data-v]')]
  const containers = [...root.querySelectorAll<HTMLElement>('.group, main > section')].filter(
    (container) => container.querySelector('[data-v]') !== null,
  )
  const texts = new Map<HTMLElement, string>()
  const textOf = (item: HTMLElement): string => {
    const known = texts.get(item)
    if (known !== undefined) return known
    const text = searchableText(item)
    texts.set(item, text)
    return text
  }

  return ({ filters, query }) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    const shown = new Set<string>()
    const all = new Set<string>()
    for (const item of items) {
      const id = idOf(item)
      const matches = isSelected(item, filters) && words.every((word) => textOf(item).includes(word))
      item.hidden = !matches
      all.add(id)
      if (matches) shown.add(id)
    }
    for (const container of containers) container.hidden = container.querySelector('[data-v]:not([hidden])') === null
    return { shown: shown.size, all: all.size }
  }
}

function isSelected(item: HTMLElement, filters: State['filters']): boolean {
  return Object.entries(filters).every(([name, values]) => {
    const attribute = attributes[name]
    if (attribute === undefined) return true
    const actual = item.dataset[attribute] ?? ''
    return values.some((value) => (name === 'endpoint' ? actual.split(' ').includes(value) : actual === value))
  })
}

/** The id of the element for a requirement, also for a link to that element. */
function idOf(item: HTMLElement): string {
  return item.id || (item.getAttribute('href') ?? '').slice(1)
}

/** The text of a requirement without its exchanges, which would match too many searches. */
function searchableText(item: HTMLElement): string {
  const parts = item.querySelectorAll('summary, dd, .message, .interpretation, .t')
  const section = item.closest('.group')?.querySelector('h3')?.textContent ?? ''
  const texts = [...parts].filter((part) => part.closest('.x, .tl') === null).map((part) => part.textContent)
  return [idOf(item), section, ...texts].join(' ').toLowerCase()
}
