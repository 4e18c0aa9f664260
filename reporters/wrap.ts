import { stripVTControlCharacters } from 'node:util'

/**
 * Breaks a text into lines of at most `width` characters: at spaces; if a word is longer than a line, after commas and
 * slashes, or anywhere.
 */
export function wrapped(text: string, width: number): string {
  return indented(width, '', text)
}

/** Puts a text after a prefix; its further lines are indented. The prefix can contain colors. */
export function indented(width: number, prefix: string, text: string, indent = 0): string {
  const lines: string[] = []
  let line = prefix
  let length = stripVTControlCharacters(prefix).length
  for (const { part, space } of partsOf(text, width - indent)) {
    if (length > indent && length + space.length + part.length > width) {
      lines.push(line.trimEnd())
      line = ' '.repeat(indent) + part
      length = indent + part.length
    } else {
      line += space + part
      length += space.length + part.length
    }
  }
  return [...lines, line].join('\n')
}

/** Part of a text that stays on one line, and the space before it, which a line break replaces. */
interface Part {
  readonly part: string
  readonly space: '' | ' '
}

function partsOf(text: string, room: number): readonly Part[] {
  // Half of the room, because a character outside the basic plane counts as two.
  const anyPart = new RegExp(`.{1,${Math.floor(room / 2)}}`, 'gsu')
  return text.split(' ').flatMap((word, index) => {
    const pieces = word.length > room ? word.split(/(?<=[,/])/) : [word]
    const parts = pieces.flatMap((piece) => (piece.length > room ? (piece.match(anyPart) ?? []) : piece))
    return parts.map((part, at): Part => ({ part, space: index > 0 && at === 0 ? ' ' : '' }))
  })
}
