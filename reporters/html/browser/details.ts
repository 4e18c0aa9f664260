import type { Tables } from './tables.ts'

/** Opens the card or the row with an id and its parents, scrolls to it and focuses it. */
export function reveal(anchor: string, tables: Tables): void {
  if (anchor === '') return
  const target = document.getElementById(anchor) ?? tables().find(({ id }) => id === anchor)?.element
  if (!target) return
  for (let element: HTMLElement | null = target; element !== null; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement) element.open = true
  }
  target.scrollIntoView()
  target.querySelector<HTMLElement>(':scope > summary, :scope > td > a')?.focus({ preventScroll: true })
}
