/**
 * `/` focuses the search field, `n` and `p` move between the failures, and the arrow keys move between everything that is
 * visible.
 */
export function listenToKeys(root: Document): void {
  const search = root.querySelector<HTMLInputElement>('#q')
  root.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const { target, key } = event
    const isTyping = target instanceof HTMLSelectElement || target === search
    if (key === '/' && !isTyping) {
      event.preventDefault()
      search?.focus()
      search?.select()
      return
    }
    const isArrow = key === 'ArrowDown' || key === 'ArrowUp'
    if (!isArrow && (isTyping || !['n', 'p'].includes(key))) return
    const selector = isArrow ? '.card > summary, .list a' : '#failures > .card > summary'
    const stops = [...root.querySelectorAll<HTMLElement>(selector)].filter((stop) => stop.checkVisibility())
    const index = stops.indexOf(target as HTMLElement)
    // Arrow keys scroll, except from the search field and between stops.
    if (isArrow && index === -1 && target !== search) return
    const next = stops[key === 'ArrowDown' || key === 'n' ? index + 1 : index - 1]
    if (next === undefined) return
    event.preventDefault()
    next.focus()
    next.scrollIntoView({ block: 'nearest' })
  })
}
