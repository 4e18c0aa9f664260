const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g

/** Widest object or array that stays on one line, in characters. */
const oneLineWidth = 72

/** Deeper than this nobody reads, and indentation would outgrow the text. */
const deepest = 60

/**
 * Lays out JSON over lines, two spaces a level; every name and value keeps its own spelling, so that a large number or a
 * repeated key stays as it came. A text that is not JSON comes back as it is.
 */
export function layOut(text: string): string {
  return isJson(text) ? laidOut(text) : text
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function laidOut(text: string): string {
  const tokens = text.match(token) ?? []
  const ends = closings(tokens)
  let out = ''
  let depth = 0
  for (let at = 0; at < tokens.length; at += 1) {
    const part = tokens[at] ?? ''
    const end = ends.get(at)
    if (end !== undefined) {
      const whole = inline(tokens, at, end)
      if (whole !== undefined) {
        out += whole
        at = end
        continue
      }
      depth += 1
      if (depth > deepest) return text
      out += part + lineAt(depth)
    } else if (part === '}' || part === ']') {
      depth -= 1
      out += lineAt(depth) + part
    } else if (part === ',') out += part + lineAt(depth)
    else out += part === ':' ? ': ' : part
  }
  return out
}

/** Where each object and array that begins at a token ends. */
function closings(tokens: readonly string[]): Map<number, number> {
  const open: number[] = []
  const ends = new Map<number, number>()
  for (const [at, part] of tokens.entries()) {
    if (part === '{' || part === '[') open.push(at)
    else if (part === '}' || part === ']') ends.set(open.pop() ?? 0, at)
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
  return `\n${'  '.repeat(depth)}`
}
