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

/** What a reader looks for in JSON. */
export interface Wanted {
  /** The place of an object or field, for example `values.messages[2]`. */
  readonly path?: string | undefined
  /** Without a path: names and strings, as JSON. */
  readonly tokens: readonly string[]
}

/** Lines of JSON that are shown without folding. */
const shortLines = 25

/**
 * Formats JSON like `formatJson`. If the result is long, objects and arrays within the outermost one that contain nothing
 * that a reader looks for become `{…}` or `[…]`.
 *
 * @example foldJson(state, { path: 'values.messages[1]', tokens: [] }) // … "messages": [{…}, { "content": … }] …
 */
export function foldJson(text: string, { path, tokens }: Wanted): string {
  const whole = formatJson(text)
  if (whole.split('\n').length <= shortLines) return whole
  if (path !== undefined) return formatted(text, (_, at) => !isWithin(path, at) && !isWithin(at, path))
  if (!tokens.some((token) => text.includes(token))) return whole
  return formatted(text, (parts) => !parts.some((part) => tokens.includes(part)))
}

/** Whether a place is another one, or within it: `messages[1]` is not within `messages[10]`. */
function isWithin(path: string, outer: string): boolean {
  return path.startsWith(outer) && (outer === '' || /^$|^[.[]/.test(path.slice(outer.length)))
}

/** Whether an object or array is folded, by its tokens and its place. */
type Folds = (tokens: readonly string[], path: string) => boolean

function formatted(text: string, isFolded: Folds): string {
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

function format(tokens: readonly string[], isFolded: Folds): string | undefined {
  const ends = closingTokens(tokens)
  let output = ''
  // The open objects and arrays: the place of each, and of its current value.
  const open: { readonly path: string; name: string; index: number | undefined }[] = []
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index] ?? ''
    const inner = open.at(-1)
    if (token === '{' || token === '[') {
      const path = inner === undefined ? '' : placeIn(inner)
      const end = ends.get(index)
      const folds = inner !== undefined && ((of: readonly string[]) => isFolded(of, path))
      const line = end === undefined ? undefined : shortForm(tokens, index, end, folds)
      if (line !== undefined && end !== undefined) {
        output += line
        index = end
        continue
      }
      open.push({ path, name: '', index: token === '[' ? 0 : undefined })
      if (open.length > maxDepth) return undefined
      output += token + newLine(open.length)
    } else if (token === '}' || token === ']') {
      open.pop()
      output += newLine(open.length) + token
    } else if (token === ',') {
      if (inner?.index !== undefined) inner.index += 1
      output += token + newLine(open.length)
    } else {
      if (inner && tokens[index + 1] === ':') inner.name = token.slice(1, -1)
      output += token === ':' ? ': ' : token
    }
  }
  return output
}

function placeIn({ path, name, index }: { path: string; name: string; index: number | undefined }): string {
  if (index !== undefined) return `${path}[${index}]`
  return path === '' ? name : `${path}.${name}`
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
