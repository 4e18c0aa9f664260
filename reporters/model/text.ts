const hidden = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufffe\uffff]/gu
const names: Record<string, string> = { '\n': '\n', '\t': '\t', '\r': '\\r' }

/**
 * Makes everything visible that could steer a terminal, reorder text or break XML 1.0: control characters except line
 * feed and tab, bidirectional controls, lone surrogates. An escape character becomes `\x1b`.
 */
export function visible(text: string): string {
  return text.replace(hidden, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return names[character] ?? (code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`)
  })
}

/** Cuts a text that is longer than `limit` characters and says so. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}… (cut: ${text.length} characters, whole in the JSON report)`
}

/** A visible text on one line, shortened with an ellipsis beyond `limit` characters. */
export function oneLine(text: string, limit = 500): string {
  const start = text.slice(0, limit * 4)
  const line = visible(start.replace(/\s+/g, ' ').trim())
  return line.length <= limit && start.length === text.length ? line : `${line.slice(0, limit - 1).toWellFormed()}…`
}

/** @example plural(2, 'accepted gap') // '2 accepted gaps' */
export function plural(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** @example slug('Threads and runs') // 'threads-and-runs' */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
}
