/** The suffix of a text that was truncated in the report. */
const truncationNote = /… \(\d+ characters\)$/

/** Maximum length of an object or array on one line, in characters. */
const maxWidth = 72

/** Maximum nesting, so that the indentation does not become longer than the text. */
const maxDepth = 60

/**
 * Formats JSON with two spaces per level. Names and values keep their spelling, so that large numbers and repeated keys
 * do not change. JSON that was truncated in the report is formatted too; any other text is returned unchanged.
 */
export function formatJson(text: string): string {
  return formatted(text, () => false)
}

/**
 * Formats JSON like `formatJson`. If the result is longer than `limit`, objects and arrays within the outermost one that
 * contain none of the tokens in `keep` become `{…}` or `[…]`, unless the text has none of them.
 *
 * @example foldJson('{"kwargs":{…},"status":"pending"}', 40, ['"status"']) // { "kwargs": {…}, "status": "pending" }
 */
export function foldJson(text: string, limit: number, keep: readonly string[]): string {
  const whole = formatJson(text)
  if (whole.length <= limit || !keep.some((token) => text.includes(token))) return whole
  return formatted(text, (tokens) => !tokens.some((token) => keep.includes(token)))
}

function formatted(text: string, isFolded: (tokens: readonly string[]) => boolean): string {
  const note = text.match(truncationNote)?.[0] ?? ''
  const body = text.slice(0, text.length - note.length)
  if (note === '' ? !isJson(text) : !/^\s*[[{]/.test(body)) return text
  const tokens = tokenize(body)
  const result = tokens && format(tokens, isFolded)
  return result === undefined ? text : result + note
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The tokens of a text without whitespace, or undefined if the text is not JSON. */
function tokenize(text: string): string[] | undefined {
  const tokens: string[] = []
  // A truncated text can end inside a name or value.
  const token = /\s+|"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{},:]|true|false|null|-?\d[-+.\w]*|[-\w]+$/y
  while (token.lastIndex < text.length) {
    const match = token.exec(text)?.[0]
    if (match === undefined) return undefined
    if (match.trim() !== '') tokens.push(match)
  }
  return tokens
}

function format(tokens: readonly string[], isFolded: (tokens: readonly string[]) => boolean): string | undefined {
  const ends = closingTokens(tokens)
  let output = ''
  let depth = 0
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] ?? ''
    if (token === '{' || token === '[') {
      const end = ends.get(index)
      const line = end === undefined ? undefined : shortForm(tokens, index, end, depth > 0 && isFolded)
      if (line !== undefined && end !== undefined) {
        output += line
        index = end
        continue
      }
      depth += 1
      if (depth > maxDepth) return undefined
      output += token + newLine(depth)
    } else if (token === '}' || token === ']') {
      depth -= 1
      output += newLine(depth) + token
    } else if (token === ',') output += token + newLine(depth)
    else output += token === ':' ? ': ' : token
  }
  return output
}

/** Maps the index of each opening token to the index of its closing token, if the text has one. */
function closingTokens(tokens: readonly string[]): Map<number, number> {
  const open: number[] = []
  const ends = new Map<number, number>()
  for (const [index, token] of tokens.entries()) {
    if (token === '{' || token === '[') open.push(index)
    else if (token === '}' || token === ']') ends.set(open.pop() ?? -1, index)
  }
  return ends
}

/** The tokens on one line, or folded; undefined if the line would be too long. */
function shortForm(
  tokens: readonly string[],
  from: number,
  to: number,
  isFolded: false | ((tokens: readonly string[]) => boolean),
): string | undefined {
  const line = inline(tokens, from, to)
  const folds = line === undefined && isFolded !== false && isFolded(tokens.slice(from, to))
  return folds ? `${tokens[from]}…${tokens[to]}` : line
}

function inline(tokens: readonly string[], from: number, to: number): string | undefined {
  if (to - from > maxWidth) return undefined
  const parts = tokens.slice(from, to + 1).map((token) => (token === ',' ? ', ' : token === ':' ? ': ' : token))
  const line = parts.join('')
  return line.length <= maxWidth ? line : undefined
}

function newLine(depth: number): string {
  return `\n${'  '.repeat(Math.max(0, depth))}`
}
