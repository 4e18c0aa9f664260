/** Fills an exchange that is shown whole elsewhere when it is opened, so that nobody has to go and look. */
export function fillRepeated(root: Document): void {
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
