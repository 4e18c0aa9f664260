/** What the harness writes after the beginning of a long text. */
const cutNote = /… \(\d+ characters\)$/

/** Widest object or array that stays on one line, in characters. */
const oneLineWidth = 72

/** Deeper than this nobody reads, and indentation would outgrow the text. */
const deepest = 60

/**
 * Lays out JSON over lines, two spaces a level; every name and value keeps its own spelling, so that a large number or a
 * repeated key stays as it came. The beginning of a long JSON is laid out too; any other text comes back as it is.
 */
export function layOut(text: string): string {
  const note = text.match(cutNote)?.[0] ?? ''
  const body = text.slice(0, text.length - note.length)
  if (note === '' ? !isJson(text) : !/^\s*[[{]/.test(body)) return text
  const tokens = tokensOf(body)
  const laid = tokens && laidOut(tokens)
  return laid === undefined ? text : laid + note
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The tokens of a text without the space between them; undefined where something in it is none. */
function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = []
  // At the end of a text that was cut a name or value may be unfinished.
  const token = /\s+|"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{},:]|true|false|null|-?\d[-+.\w]*|[-\w]+$/y
  while (token.lastIndex < text.length) {
    const found = token.exec(text)?.[0]
    if (found === undefined) return undefined
    if (found.trim() !== '') tokens.push(found)
  }
  return tokens
}

function laidOut(tokens: readonly string[]): string | undefined {
  const ends = closings(tokens)
  let out = ''
  let depth = 0
  for (let at = 0; at < tokens.length; at += 1) {
    const part = tokens[at] ?? ''
    if (part === '{' || part === '[') {
      const end = ends.get(at)
      const whole = end === undefined ? undefined : inline(tokens, at, end)
      if (whole !== undefined && end !== undefined) {
        out += whole
        at = end
        continue
      }
      depth += 1
      if (depth > deepest) return undefined
      out += part + lineAt(depth)
    } else if (part === '}' || part === ']') {
      depth -= 1
      out += lineAt(depth) + part
    } else if (part === ',') out += part + lineAt(depth)
    else out += part === ':' ? ': ' : part
  }
  return out
}

/** Where each object and array that begins at a token ends; those that were cut have no end. */
function closings(tokens: readonly string[]): Map<number, number> {
  const open: number[] = []
  const ends = new Map<number, number>()
  for (const [at, part] of tokens.entries()) {
    if (part === '{' || part === '[') open.push(at)
    else if (part === '}' || part === ']') ends.set(open.pop() ?? -1, at)
  }
  return ends
}

/** The tokens on one line; undefined where that would be too wide. */
function inline(tokens: readonly string[], from: number, to: number): string | undefined {
  if (to - from > oneLineWidth) return undefined
  const parts = tokens.slice(from, to + 1).map((part) => (part === ',' ? ', ' : part === ':' ? ': ' : part))
  const line = parts.join('')
  return line.length <= oneLineWidth ? line : undefined
}

function lineAt(depth: number): string {
  return `\n${'  '.repeat(Math.max(0, depth))}`
}
