/** Opens what an anchor names, and all that it lies in, and brings it into view; false where there is no such element. */
export function reveal(anchor: string): boolean {
  const target = anchor === '' ? null : document.getElementById(anchor)
  if (target === null) return false
  for (let at: HTMLElement | null = target; at !== null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true
    at.hidden = false
  }
  target.scrollIntoView()
  target.querySelector<HTMLElement>(':scope > summary')?.focus({ preventScroll: true })
  return true
}
