/** Creates an element with its properties and children. Texts are never parsed as markup. */
export function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<Omit<HTMLElementTagNameMap[Tag], 'style'>>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

/** Creates the nodes of a sentence with code in backticks. */
export function prose(text: string): (Node | string)[] {
  const pieces = text.split('`')
  if (pieces.length % 2 === 0) return [text]
  return pieces.map((piece, index) => (index % 2 === 1 ? create('code', {}, piece) : piece))
}
