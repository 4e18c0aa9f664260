/** Opens the failures for the printer, and closes again what was closed. */
export function openForPrint(root: Document): void {
  let opened: HTMLDetailsElement[] = []
  addEventListener('beforeprint', () => {
    opened = [...root.querySelectorAll<HTMLDetailsElement>('#failures > .card:not([open])')]
    for (const card of opened) card.open = true
  })
  addEventListener('afterprint', () => {
    for (const card of opened) card.open = false
    opened = []
  })
}
