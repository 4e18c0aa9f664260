import { oneLine } from './model/text.ts'

/** Escapes a text to one line without markup, for Markdown and for the content of an HTML element. */
export function plain(text: string, length = 500): string {
  return escaped(oneLine(text, length))
}

function escaped(text: string): string {
  return text.replace(/[&<>\\`*_[\]|~#]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Renders a text as a code span on one line. */
export function code(text: string, length = 200): string {
  const line = oneLine(text, length) || ' '
  const fence = '`'.repeat(longestRun(line) + 1)
  return `${fence}${/^`|`$/.test(line) ? ` ${line} ` : line}${fence}`
}

/** Renders a sentence on one line. Text in backticks becomes code, and the rest is escaped. */
export function prose(text: string, length = 500): string {
  const pieces = oneLine(text, length).split('`')
  const isBalanced = pieces.length % 2 === 1
  return pieces.map((piece, index) => (isBalanced && index % 2 === 1 ? code(piece, length) : escaped(piece))).join('')
}

/** Renders a text as a code block. Its fence is longer than any run of backticks in the text. */
export function codeBlock(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

/** Escapes vertical bars, which end a table cell even inside code. */
export function cell(markdown: string): string {
  return markdown.replaceAll('|', '\\|')
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
}

/** A section of a text; it can be shortened by leaving out items at its end. */
export interface Section {
  /** What the items are, in the plural, for the note about left-out items: `failures`. */
  name: string
  before: string
  items: readonly string[]
  after: string
}

/** Bytes reserved for each following section, so that a long section does not push out the others. */
const reserved = 30_000

/**
 * Joins sections up to `limit` bytes of UTF-8, in whole items. Empty sections are left out.
 *
 * @returns The text, and what was left out: `312 of 400 failures`.
 */
export function joinWithin(limit: number, sections: readonly Section[]): { text: string; leftOut: string[] } {
  const present = sections.filter((section) => section.items.length > 0)
  const leftOut: string[] = []
  let text = ''
  let used = 0
  for (const [index, { name, before, items, after }] of present.entries()) {
    const available = limit - used - Math.min(reserved, limit / 20) * (present.length - 1 - index)
    let size = Buffer.byteLength(before) + Buffer.byteLength(after)
    let fitting = 0
    for (const item of items) {
      if (size + Buffer.byteLength(item) > available) break
      size += Buffer.byteLength(item)
      fitting += 1
    }
    if (fitting < items.length) leftOut.push(`${items.length - fitting} of ${items.length} ${name}`)
    if (fitting === 0) continue
    text += before + items.slice(0, fitting).join('') + after
    used += size
  }
  return { text, leftOut }
}
