import { oneLine } from './model/text.ts'

/** Text on one line that is no markup, in Markdown and inside an HTML element alike. */
export function plain(text: string, length = 500): string {
  return oneLine(text, length).replace(/[&<>\\`*_[\]|~#]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Text on one line as a code span. */
export function code(text: string, length = 200): string {
  const line = oneLine(text, length) || ' '
  const fence = '`'.repeat(longestRun(line) + 1)
  return `${fence}${/^`|`$/.test(line) ? ` ${line} ` : line}${fence}`
}

/** A text of several lines as a block of code; its fence is longer than any in the text. */
export function codeBlock(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length))
}
