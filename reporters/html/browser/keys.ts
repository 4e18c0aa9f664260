/** `/` leads to the search, Escape leaves it, arrow keys go from one shown row to the next. */
export function listenToKeys(root: Document): void {
  const search = root.querySelector<HTMLInputElement>('#q')
  root.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { target, key } = event
    if (key === '/' && !isTyping(target)) {
      event.preventDefault()
      search?.focus()
      search?.select()
    } else if (key === 'Escape' && target === search) search?.blur()
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      const next = neighbour(root, target, key === 'ArrowDown' ? 1 : -1, search)
      if (next === undefined) return
      event.preventDefault()
      next.focus()
    }
  })
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === 'search')
}

/** The row before or after the one that has the focus; the first one from the search. */
function neighbour(
  root: Document,
  from: EventTarget | null,
  step: 1 | -1,
  search: HTMLInputElement | null,
): HTMLElement | undefined {
  const stops = [...root.querySelectorAll<HTMLElement>('[data-v] > summary, a[data-v]')].filter((stop) =>
    stop.checkVisibility(),
  )
  if (from === search && search !== null) return step === 1 ? stops[0] : undefined
  const at = stops.indexOf(from as HTMLElement)
  return at === -1 ? undefined : stops[at + step]
}
