/**
 * Replaces the content of an element. What has the same `data-key` before and after stays as the user left it: the focus, and
 * whether details are open.
 */
export function replaceKeeping(container: HTMLElement, ...content: readonly Node[]): void {
  const { activeElement } = document
  const focused =
    activeElement instanceof HTMLElement && container.contains(activeElement) ? activeElement.dataset['key'] : undefined
  const open = new Map(
    [...container.querySelectorAll<HTMLDetailsElement>('details[data-key]')].map(({ dataset, open }) => [
      dataset['key'],
      open,
    ]),
  )
  container.replaceChildren(...content)
  for (const details of container.querySelectorAll<HTMLDetailsElement>('details[data-key]')) {
    const wasOpen = open.get(details.dataset['key'])
    if (wasOpen !== undefined) details.open = wasOpen
  }
  if (focused === undefined) return
  const elements = [...container.querySelectorAll<HTMLElement>('[data-key]')]
  elements.find(({ dataset }) => dataset['key'] === focused)?.focus({ preventScroll: true })
}

/** Names an element, so that `replaceKeeping` finds it again. */
export function keyed<T extends HTMLElement>(element: T, key: string): T {
  element.dataset['key'] = key
  return element
}
