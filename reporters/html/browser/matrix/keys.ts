/** `/` focuses the search field, Escape clears the filters, and the arrow keys move between the cells of the table. */
export function listenToKeys(root: Document, clear: () => void): void {
  const search = root.querySelector<HTMLInputElement>('#q')
  root.addEventListener('keydown', (event) => {
    const { target, key, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || !(target instanceof HTMLElement)) return
    if (key === 'Escape') clear()
    const next = key === '/' && target !== search ? search : neighbor(target.closest('tbody td, tbody th'), key)
    if (!next) return
    event.preventDefault()
    next.focus()
    if (next === search) search.select()
  })
}

/** The link or button in the next cell in the direction of an arrow key. */
function neighbor(cell: HTMLTableCellElement | null, key: string): HTMLElement | null | undefined {
  const row = cell?.parentElement
  if (!cell || !(row instanceof HTMLTableRowElement)) return undefined
  const column = cell.cellIndex
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    return row.cells[column + (key === 'ArrowLeft' ? -1 : 1)]?.querySelector<HTMLElement>('a, button')
  }
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return undefined
  const rows = [...(row.closest('table')?.querySelectorAll<HTMLTableRowElement>('tbody tr:not(.detail)') ?? [])]
  const next = rows[rows.indexOf(row) + (key === 'ArrowUp' ? -1 : 1)]
  const stop = (index: number) => next?.cells[index]?.querySelector<HTMLElement>('a, button')
  return stop(column) ?? stop(0)
}
