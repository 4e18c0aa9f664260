import { visible } from '../model/text.ts'

/** Markup that is safe as it stands; only `html` makes it. */
export interface Html {
  readonly markup: string
}

/** What may stand in a template: texts are escaped, nothing stands for `undefined` and `false`. */
export type Part = string | number | Html | undefined | false | readonly Part[]

/**
 * A template whose texts are all escaped, for element content and quoted attributes alike. What could steer a reader's
 * eye or break the page (control characters, bidirectional controls) becomes visible.
 *
 * @example html`<p title="${'"'}">${'<b>'}</p>`.markup // '<p title="&quot;">&lt;b&gt;</p>'
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.reduce((text, piece, index) => text + written(parts[index - 1]) + piece) }
}

/** Text of ours that is no HTML, such as a style sheet; never anything that a target said. */
export function verbatim(markup: string): Html {
  return { markup }
}

function written(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(written).join('')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return visible(text)
    .replace(/[&<>"']/g, (character) => entities[character] ?? '')
    .replace(/\p{Noncharacter_Code_Point}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
