/** A row of a table of requirements. */
export interface Row {
  element: HTMLTableRowElement
  id: string
  /** What the filters compare, by filter name. */
  values: Readonly<Record<string, readonly string[]>>
  /** Lower case. */
  text: string
}

/** Returns the rows of all tables. The first call creates the tables from the text of their `noscript` elements. */
export type Tables = () => readonly Row[]

export function createTables(root: Document): Tables {
  let rows: readonly Row[] | undefined
  const load = () => {
    for (const source of root.querySelectorAll('details > noscript')) {
      const container = root.createElement('div')
      // The text was escaped when the page was rendered.
      container.innerHTML = source.textContent
      source.replaceWith(container)
    }
    rows = [...root.querySelectorAll<HTMLTableRowElement>('.list td:first-child')].map((cell) => createRow(root, cell))
    return rows
  }
  const tables = () => rows ?? load()
  for (const section of root.querySelectorAll<HTMLDetailsElement>('#unspecified, #requirements'))
    section.addEventListener('toggle', () => section.open && tables(), { once: true })
  return tables
}

/** Adds the color of the verdict and a link to a row. */
function createRow(root: Document, cell: Element): Row {
  const element = cell.parentElement as HTMLTableRowElement
  const [, level, statement] = element.cells
  const verdict = cell.textContent.trim()
  const label = root.createElement('span')
  label.className = `v ${verdict}`
  label.textContent = verdict
  cell.replaceChildren(label)
  const code = statement?.querySelector('code')
  const id = code?.textContent ?? ''
  if (code) {
    const link = root.createElement('a')
    link.href = `#${encodeURIComponent(id)}`
    code.replaceWith(link)
    link.append(code)
  }
  const group = element.closest('tbody')
  const values = {
    verdict: [verdict],
    level: [level?.textContent.trim() ?? ''],
    area: [group?.dataset['a'] ?? ''],
    // Without the attribute, the requirement has results on all endpoints.
    ...(element.dataset['e'] !== undefined && { endpoint: element.dataset['e'].split(' ') }),
  }
  const section = group?.querySelector('th')?.firstChild?.textContent ?? ''
  return { element, id, values, text: `${section} ${element.textContent}`.toLowerCase() }
}
