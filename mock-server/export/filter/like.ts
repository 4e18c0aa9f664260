/** Part of a pattern between two `%`. Every method returns the index at which the match ends, or -1. */
interface Piece {
  /** Matches at the first position from `from`. */
  first(text: string, from: number): number
  /** Matches at the start of the text. */
  start(text: string): number
  /** Matches at the end of the text, starting at `from` or later. */
  end(text: string, from: number): number
}

/**
 * Compiles a pattern of `like` into a case-sensitive test: `%` matches any characters, `_` one character, and a backslash
 * escapes the next character. The run time is linear in the text, however many wildcards the pattern has.
 */
export function likeTest(pattern: string): (text: string) => boolean {
  const pieces = piecesOf(pattern)
  const [first, ...rest] = pieces
  const last = rest.pop()
  if (!first) return () => false
  if (!last) return (text) => first.start(text) === text.length
  return (text) => {
    let at = first.start(text)
    for (const piece of rest) {
      if (at === -1) return false
      at = piece.first(text, at)
    }
    return at !== -1 && last.end(text, at) !== -1
  }
}

function piecesOf(pattern: string): readonly Piece[] {
  const pieces: Piece[] = []
  let characters: (string | undefined)[] = []
  const close = (): void => {
    pieces.push(characters.includes(undefined) ? wildPiece(characters) : plainPiece(characters.join('')))
    characters = []
  }
  let escaped = false
  for (const character of pattern) {
    if (!escaped && character === '\\') {
      escaped = true
      continue
    }
    if (!escaped && character === '%') close()
    else characters.push(!escaped && character === '_' ? undefined : character)
    escaped = false
  }
  if (escaped) characters.push('\\')
  close()
  return pieces
}

function plainPiece(piece: string): Piece {
  return {
    first(text, from) {
      const index = text.indexOf(piece, from)
      return index === -1 ? -1 : index + piece.length
    },
    start: (text) => (text.startsWith(piece) ? piece.length : -1),
    end: (text, from) => (text.length - piece.length >= from && text.endsWith(piece) ? text.length : -1),
  }
}

/** Creates a piece with wildcards `_`, here undefined. Each matches one code point. */
function wildPiece(characters: readonly (string | undefined)[]): Piece {
  const source = characters.map((character) => character?.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&') ?? '.').join('')
  const ends = (pattern: RegExp, text: string, from: number): number => {
    pattern.lastIndex = from
    return pattern.test(text) ? pattern.lastIndex : -1
  }
  const [anywhere, here, atEnd] = [
    new RegExp(source, 'gsu'),
    new RegExp(source, 'ysu'),
    new RegExp(`(?:${source})$`, 'gsu'),
  ]
  return {
    first: (text, from) => ends(anywhere, text, from),
    start: (text) => ends(here, text, 0),
    end: (text, from) => ends(atEnd, text, from),
  }
}
