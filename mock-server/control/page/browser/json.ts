import { create } from '../../../../pages/browser/create.ts'

const MAX_LENGTH = 20_000
const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Shows a JSON value with its keys and texts in colors, or any other text as it is. A long one is cut until it is opened. */
export function jsonBlock(value: unknown): HTMLElement {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  const block = create('pre', { tabIndex: 0 })
  if (text.length <= MAX_LENGTH) {
    block.append(...(typeof value === 'string' ? [text] : colored(text)))
    return block
  }
  const rest = create('button', { type: 'button', className: 'button' }, `Show all ${text.length} characters`)
  rest.addEventListener('click', () => block.replaceChildren(text))
  block.append(`${text.slice(0, MAX_LENGTH)}…\n`, rest)
  return block
}

function colored(text: string): (Node | string)[] {
  const nodes: (Node | string)[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quoted, colon = ''] = match
    const className = quoted === undefined ? 'literal' : colon === '' ? 'text' : 'key'
    nodes.push(text.slice(end, match.index), create('span', { className }, quoted ?? whole), colon)
    end = match.index + whole.length
  }
  nodes.push(text.slice(end))
  return nodes
}
