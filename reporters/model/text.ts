const unsafe = /[\u0300-\u036f\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufffe\uffff]/gu
const escapes: Record<string, string> = { '\n': '\n', '\t': '\t', '\r': '\\r' }

/**
 * Escapes characters that can control a terminal, reorder text or break XML 1.0: control characters except line feed and
 * tab, bidirectional controls and lone surrogates. Also combining accents, so that texts that differ only in their Unicode
 * normalization look different.
 *
 * @example visible('\u001b[2J') // '\\x1b[2J'
 */
export function visible(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return escapes[character] ?? (code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`)
  })
}

/** Truncates a text to `limit` characters and adds a note with the full length. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text
  const start = text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')
  return `${start}… (truncated from ${text.length} characters; the JSON report has the full text)`
}

/** White space, or a value in quotes, whose spaces a reader must see. */
const spaces = /"(?:[^"\\\n]|\\.)*"|\s+/g

/** Joins a text to one line, escapes it like `visible`, and truncates it to `limit` characters with an ellipsis. */
export function oneLine(text: string, limit = 500): string {
  const start = text.slice(0, limit * 4)
  const line = visible(start.replace(spaces, (found) => (found.startsWith('"') ? found : ' ')).trim())
  return line.length <= limit && start.length === text.length ? line : `${line.slice(0, limit - 1).toWellFormed()}…`
}

/** @example plural(2, 'accepted gap') // '2 accepted gaps' */
export function plural(count: number, singular: string, many: string = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : many}`
}

/** @example slug('Threads and runs') // 'threads-and-runs' */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
}
