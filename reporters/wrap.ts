import { stripVTControlCharacters } from 'node:util'

/** Breaks a text at spaces into lines of at most `width` characters. A longer word gets a line of its own. */
export function wrapped(text: string, width: number): string {
  return indented(width, '', text)
}

/** Puts a text after a prefix; its further lines are indented. The prefix can contain colors. */
export function indented(width: number, prefix: string, text: string, indent = 0): string {
  const lines: string[] = []
  let line = prefix
  let length = stripVTControlCharacters(prefix).length
  let isEmpty = true
  for (const word of text.split(' ')) {
    if (!isEmpty && length + 1 + word.length > width) {
      lines.push(line)
      line = ' '.repeat(indent) + word
      length = indent + word.length
    } else {
      line += isEmpty ? word : ` ${word}`
      length += word.length + (isEmpty ? 0 : 1)
      isEmpty = false
    }
  }
  return [...lines, line].join('\n')
}
