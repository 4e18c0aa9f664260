/** Opens the element with an id and its parents, and scrolls to it. Returns false if there is no such element. */
export function reveal(anchor: string): boolean {
  const target = anchor === '' ? null : document.getElementById(anchor)
  if (target === null) return false
  for (let element: HTMLElement | null = target; element !== null; element = element.parentElement) {
    if (element instanceof HTMLDetailsElement) element.open = true
    element.hidden = false
  }
  target.scrollIntoView()
  target.querySelector<HTMLElement>(':scope > summary')?.focus({ preventScroll: true })
  return true
}

/** When an exchange that is shown above is opened, copies its content from there. */
export function fillRepeatedExchanges(root: Document): void {
  root.addEventListener(
    'toggle',
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || !target.open) return
      const source = root.getElementById(target.dataset['same'] ?? '')
      if (source === null) return
      delete target.dataset['same']
      const copies = [...source.children].slice(1).map((part) => part.cloneNode(true))
      target.replaceChildren(...[...target.children].slice(0, 1), ...copies)
    },
    true,
  )
}

/** Opens the failures before printing, and closes them again afterwards. */
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
