import type { State } from './state.ts'

/** Shows the rows that a state selects and hides all others; tells how many requirements are shown. */
export type RowFilter = (state: State) => { shown: number; all: number }

/** Which attribute of a row a filter compares. */
const attributes: Record<string, string> = { verdict: 'v', level: 'l', area: 'a', endpoint: 'e' }

export function createFilter(root: ParentNode): RowFilter {
  const rows = [...root.querySelectorAll<HTMLElement>('[data-v]')]
  const parts = [...root.querySelectorAll<HTMLElement>('.group, main > section')].filter(
    (part) => part.querySelector('[data-v]') !== null,
  )
  const texts = new Map<HTMLElement, string>()
  const textOf = (row: HTMLElement): string => {
    const known = texts.get(row)
    if (known !== undefined) return known
    const text = searchable(row)
    texts.set(row, text)
    return text
  }

  return ({ filters, query }) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    const shown = new Set<string>()
    const all = new Set<string>()
    for (const row of rows) {
      const id = idOf(row)
      const fits = isSelected(row, filters) && words.every((word) => textOf(row).includes(word))
      row.hidden = !fits
      all.add(id)
      if (fits) shown.add(id)
    }
    for (const part of parts) part.hidden = part.querySelector('[data-v]:not([hidden])') === null
    return { shown: shown.size, all: all.size }
  }
}

function isSelected(row: HTMLElement, filters: State['filters']): boolean {
  return Object.entries(filters).every(([name, values]) => {
    const attribute = attributes[name]
    if (attribute === undefined) return true
    const own = row.dataset[attribute] ?? ''
    return values.some((value) => (name === 'endpoint' ? own.split(' ').includes(value) : own === value))
  })
}

/** The id of a row's own element: a link to it counts as the row. */
function idOf(row: HTMLElement): string {
  return row.id || (row.getAttribute('href') ?? '').slice(1)
}

/** The words of a row without its exchanges: those of every other row would be found in them. */
function searchable(row: HTMLElement): string {
  const parts = row.querySelectorAll('summary, dd, .message, .interpretation, .t')
  const section = row.closest('.group')?.querySelector('h3')?.textContent ?? ''
  const texts = [...parts].filter((part) => part.closest('.x, .tl') === null).map((part) => part.textContent)
  return [idOf(row), section, ...texts].join(' ').toLowerCase()
}
