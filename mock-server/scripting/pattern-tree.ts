/** A regular expression as a tree. */
export type Tree =
  /** One character. */
  | { readonly reads: (character: string) => boolean }
  /** A place between two characters; undefined is the start or the end of the text. */
  | { readonly holds: (before: string | undefined, after: string | undefined) => boolean }
  | { readonly sequence: readonly Tree[] }
  | { readonly choice: readonly Tree[] }
  | { readonly repeated: Tree; readonly min: number; readonly max: number }

/** The error of a part of a pattern that can only be searched by backtracking. The message names the part. */
export class NotSupported extends Error {}

// The start of a group, its end, an alternative, a quantifier, a character class, an escape, or one character.
const GROUPS = String.raw`\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?|\)|\||(?:[*+?]|\{(\d+)(,(\d*))?\})\??`
const CLASS = String.raw`\[(?:\\.|[^\]\\])*\]`
const ESCAPE = String.raw`\\(?:u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|k<|[1-9]|[^])`
// With the flag `u`, these are one character: \u{1F600}, \p{L} and a pair of surrogates.
const UNICODE_ESCAPE = String.raw`\\(?:[pPu]\{[^}]*\}|u[dD][89abAB][\dA-Fa-f]{2}\\u[dD][c-fC-F][\dA-Fa-f]{2})`

/** Parses a valid pattern. Throws NotSupported. */
export function parsePattern(pattern: string, flags: string): Tree {
  const isUnicode = flags.includes('u')
  const parts = isUnicode ? [GROUPS, CLASS, UNICODE_ESCAPE, ESCAPE, '[^]'] : [GROUPS, CLASS, ESCAPE, '[^]']
  const open: Tree[][][] = [[[]]]
  for (const [token, least, isRange, most] of pattern.matchAll(new RegExp(parts.join('|'), isUnicode ? 'gu' : 'g'))) {
    const alternatives = open.at(-1) ?? []
    const items = alternatives.at(-1) ?? []
    if (token.startsWith('(')) {
      if (/^\(\?<?[=!]/.test(token)) throw new NotSupported(`lookaround such as ${token}…)`)
      if (/^\(\?[a-z-]+:/.test(token)) throw new NotSupported(`flags of a group such as ${token}…)`)
      open.push([[]])
    } else if (token === ')') {
      open.pop()
      open.at(-1)?.at(-1)?.push(choiceOf(alternatives))
    } else if (token === '|') {
      alternatives.push([])
    } else if (least !== undefined || /^[*+?]/.test(token)) {
      const repeated = items.pop() ?? { sequence: [] }
      items.push({ repeated, ...boundsOf(token, least, isRange, most) })
    } else if (/^\\(?:[1-9]|k<)/.test(token)) {
      throw new NotSupported(`backreferences such as ${token}`)
    } else {
      items.push(placeOf(token, flags.includes('m')) ?? characterOf(token, flags))
    }
  }
  return choiceOf(open[0] ?? [])
}

/** Returns the number of characters of a tree with all repetitions written out. */
export function sizeOf(tree: Tree): number {
  if ('sequence' in tree) return tree.sequence.reduce((sum, item) => sum + sizeOf(item), 0)
  if ('choice' in tree) return tree.choice.reduce((sum, item) => sum + sizeOf(item), 1)
  if (!('repeated' in tree)) return 1
  return (sizeOf(tree.repeated) + 1) * (Number.isFinite(tree.max) ? tree.max : tree.min + 1)
}

function choiceOf(alternatives: readonly Tree[][]): Tree {
  const sequences = alternatives.map((sequence) => ({ sequence }))
  return sequences.length === 1 && sequences[0] !== undefined ? sequences[0] : { choice: sequences }
}

function boundsOf(
  token: string,
  least: string | undefined,
  isRange: string | undefined,
  most: string | undefined,
): { min: number; max: number } {
  if (least === undefined) {
    return { min: token.startsWith('+') ? 1 : 0, max: token.startsWith('?') ? 1 : Number.POSITIVE_INFINITY }
  }
  const max = isRange === undefined ? least : most
  return { min: Number(least), max: max === '' ? Number.POSITIVE_INFINITY : Number(max) }
}

/** Returns the tree of an anchor or a word boundary. */
function placeOf(token: string, isMultiline: boolean): Tree | undefined {
  const isEdge = (character: string | undefined): boolean =>
    character === undefined || (isMultiline && /[\n\r\u2028\u2029]/.test(character))
  const isWord = (character: string | undefined): boolean => character !== undefined && /\w/.test(character)
  switch (token) {
    case '^':
      return { holds: (before) => isEdge(before) }
    case '$':
      return { holds: (_before, after) => isEdge(after) }
    case '\\b':
      return { holds: (before, after) => isWord(before) !== isWord(after) }
    case '\\B':
      return { holds: (before, after) => isWord(before) === isWord(after) }
    default:
      return undefined
  }
}

function characterOf(token: string, flags: string): Tree {
  const expression = new RegExp(`^(?:${token})$`, flags.replace('m', ''))
  return { reads: (character) => expression.test(character) }
}
