import { oneLine } from './model/text.ts'

/** Escapes a text to one line without markup, for Markdown and for the content of an HTML element. */
export function plain(text: string, length = 500): string {
  return oneLine(text, length).replace(/[&<>\\`*_[\]|~#]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Renders a text as a code span on one line. */
export function code(text: string, length = 200): string {
  const line = oneLine(text, length) || ' '
  const fence = '`'.repeat(longestRun(line) + 1)
  return `${fence}${/^`|`$/.test(line) ? ` ${line} ` : line}${fence}`
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
