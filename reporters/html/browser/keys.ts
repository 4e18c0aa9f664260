/** `/` focuses the search field, Escape leaves it, and the arrow keys move between the visible requirements. */
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
      const next = nextStop(root, target, key === 'ArrowDown' ? 1 : -1, search)
      if (next === undefined) return
      event.preventDefault()
      next.focus()
    }
  })
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLSelectElement || (target instanceof HTMLInputElement && target.type === 'search')
}

/** The requirement before or after `from`; from the search field, the first one. */
function nextStop(
  root: Document,
  from: EventTarget | null,
  step: 1 | -1,
  search: HTMLInputElement | null,
): HTMLElement | undefined {
  const stops = [...root.querySelectorAll<HTMLElement>('[data-v] > summary, a[data-v]')].filter((stop) =>
    stop.checkVisibility(),
  )
  if (from === search && search !== null) return step === 1 ? stops[0] : undefined
  const index = stops.indexOf(from as HTMLElement)
  return index === -1 ? undefined : stops[index + step]
}
