import { clip } from '../model/text.ts'
import { type Html, html } from './markup.ts'

/** A sentence in which `code` stands between backticks. */
export function prose(text: string, limit = 4000): Html {
  const pieces = clip(text, limit).split('`')
  const closed = pieces.length % 2 === 1
  return html`${pieces.map((piece, index) => (closed && index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`
}

/** The id of a row, which may break after its dots. */
export function dotted(id: string): Html {
  const [first = '', ...others] = id.split('.')
  return html`${first}${others.map((part) => html`.<wbr>${part}`)}`
}

/** A text kept with its lines; the newline at its start keeps one that the text itself begins with. */
export function block(text: string, limit: number): Html {
  return html`<pre>\n${text === '' ? '(empty)' : clip(text, limit)}</pre>`
}
