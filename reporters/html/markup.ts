import { visible } from '../model/text.ts'

/** Escaped markup; create it with `html`. */
export interface Html {
  readonly markup: string
}

/** A value in a template: text is escaped, `undefined` and `false` are left out. */
export type Part = string | number | Html | undefined | false | readonly Part[]

/**
 * Creates markup from a template. All texts are escaped, for element content and for quoted attributes. Control
 * characters and bidirectional controls become visible.
 *
 * @example html`<p title="${'"'}">${'<b>'}</p>`.markup // '<p title="&quot;">&lt;b&gt;</p>'
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: strings.reduce((text, piece, index) => text + markupOf(parts[index - 1]) + piece) }
}

/** Escapes a text for the content of an element only: quotes stay as they are, which makes JSON much shorter. */
export function contentOf(text: string): Html {
  return { markup: escapeHtml(text, /[&<>]/g) }
}

/** Inserts a text without escaping, such as the style sheet. Never use it for texts from a target. */
export function verbatim(markup: string): Html {
  return { markup }
}

function markupOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string') return escapeHtml(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(markupOf).join('')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string, special = /[&<>"']/g): string {
  return visible(text)
    .replace(special, (character) => entities[character] ?? '')
    .replace(/\p{Noncharacter_Code_Point}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
