import { differs, type Matrix, type MatrixRequirement, withReport } from '../../../matrix/matrix.ts'
import { formatState, hasFilters, parseState, type State } from '../filter.ts'
import { fillForm, readForm } from '../form.ts'
import { startDropZone } from './drop-zone.ts'
import { listenToKeys } from './keys.ts'
import { renderDetail, renderSection, renderTable, type View } from './table.ts'

/** More servers than these have symbols without texts in their cells. */
const maxWideServers = 5
/** Sections with matches are opened up to this number of cells, so that every search is fast. */
const maxOpenedCells = 8000

/**
 * Starts the table, its filters and the drop zone. The fragment of the URL holds the filters and the requirement or cell
 * to show: `#ID`, `#ID--SERVER`.
 */
export function startMatrix(root: Document): void {
  const data = root.querySelector('#data')
  const container = root.querySelector('#matrix')
  const form = root.querySelector<HTMLFormElement>('#search')
  const status = root.querySelector('#status')
  const noMatch = root.querySelector<HTMLElement>('#nothing')
  if (data === null || container === null || form === null || status === null || noMatch === null) return
  const wide = matchMedia('(width >= 40rem)')
  let matrix: Matrix = JSON.parse(data.textContent)
  let state = parseState(location.hash)
  const open = new Set<string>()

  const view = (): View => ({
    matrix,
    rows: matrix.requirements.filter((row) => matches(row, state)),
    open,
    isDense: matrix.servers.length > maxWideServers || !wide.matches,
    hrefOf: (anchor) => formatState({ ...state, anchor }),
    onToggle: toggle,
  })
  const toggle = (section: string) => {
    if (!open.delete(section)) open.add(section)
    const button = root.activeElement
    const body = button?.closest('tbody')
    const next = renderSection(view(), section)
    body?.replaceWith(next)
    next.querySelector('button')?.focus()
  }
  const render = () => {
    const current = view()
    container.replaceChildren(renderTable(current))
    const { length } = current.rows
    status.textContent = hasFilters(state)
      ? `${length} of ${matrix.requirements.length} rows`
      : `All ${length} rows. Open a section to see them.`
    noMatch.hidden = length > 0
    const present = new Set(matrix.requirements.flatMap(({ results }) => results.map((result) => result?.verdict)))
    for (const box of form.querySelectorAll<HTMLInputElement>('[name=verdict]')) {
      const label = box.closest('label')
      if (label) label.hidden = !present.has(box.value as never)
    }
  }
  /** Opens the matching sections: all that fit in the number of cells. */
  const openMatches = () => {
    open.clear()
    if (!hasFilters(state)) return
    let cells = 0
    for (const [section, rows] of Map.groupBy(view().rows, (row) => row.section)) {
      cells += rows.length * matrix.servers.length
      if (cells <= maxOpenedCells) open.add(section)
    }
  }
  const reveal = () => {
    for (const element of root.querySelectorAll('.detail')) element.remove()
    root.querySelector('.current')?.classList.remove('current')
    const [id = '', server = ''] = state.anchor.split(/--(?!.*--)/)
    const row = matrix.requirements.find((requirement) => requirement.id === id)
    if (row === undefined) return
    if (!open.has(row.section)) {
      open.add(row.section)
      render()
    }
    const link = root.getElementById(`cell:${state.anchor}`)
    const line = link?.closest('tr')
    if (!link || !line) return
    const detail = renderDetail(view(), row, server)
    line.after(detail)
    link.closest('td, th')?.classList.add('current')
    link.focus({ preventScroll: true })
    detail.scrollIntoView({ block: 'nearest' })
    link.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  const show = (next: State) => {
    const isSameFilter = formatState({ ...next, anchor: '' }) === formatState({ ...state, anchor: '' })
    state = next
    if (!isSameFilter) {
      fillForm(form, state)
      openMatches()
      render()
    }
    reveal()
  }
  const clear = () => {
    show({ anchor: '', filters: {}, query: '' })
    history.replaceState(null, '', formatState(state))
  }

  form.hidden = false
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('input', () => {
    state = { ...readForm(form), anchor: '' }
    history.replaceState(null, '', formatState(state))
    openMatches()
    render()
  })
  form.addEventListener('reset', (event) => {
    event.preventDefault()
    clear()
  })
  addEventListener('hashchange', () => show(parseState(location.hash)))
  wide.addEventListener('change', render)
  listenToKeys(root, () => hasFilters(state) && clear())
  startDropZone(root, (report) => {
    matrix = withReport(matrix, report, { isOwn: true })
    render()
  })
  fillForm(form, state)
  openMatches()
  render()
  reveal()
}

const texts = new WeakMap<MatrixRequirement, string>()

/** What is searched of a row, in lower case. */
function textOf(row: MatrixRequirement): string {
  const { id, section, statement, results } = row
  const text =
    texts.get(row) ?? [id, section, statement, ...results.map((result) => result?.text)].join('\n').toLowerCase()
  texts.set(row, text)
  return text
}

function matches(row: MatrixRequirement, { filters, query }: State): boolean {
  const { verdict, rows } = filters
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return (
    (verdict?.some((name) => row.results.some((result) => result?.verdict === name)) ?? true) &&
    (rows === undefined || differs(row)) &&
    words.every((word) => textOf(row).includes(word))
  )
}
