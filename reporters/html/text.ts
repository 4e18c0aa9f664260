import { clip } from '../model/text.ts'
import { type Html, html } from './markup.ts'

/** Renders a sentence with code in backticks. */
export function prose(text: string, limit = 4000): Html {
  const pieces = clip(text, limit).split('`')
  const isBalanced = pieces.length % 2 === 1
  return html`${pieces.map((piece, index) => (isBalanced && index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`
}

/** Renders a requirement id that can break after each dot. */
export function breakableId(id: string): Html {
  const [first = '', ...others] = id.split('.')
  return html`${first}${others.map((part) => html`.<wbr>${part}`)}`
}

/** Renders preformatted text. HTML ignores the first newline of a `pre` element, so one is added. */
export function textBlock(text: string, limit: number): Html {
  return html`<pre>\n${text === '' ? '(empty)' : clip(text, limit)}</pre>`
}
