/** A piece of a pattern between two `%`: each finds itself in a text and gives where it ends there, or -1. */
interface Piece {
  /** The first place at `from` or later. */
  first(text: string, from: number): number
  /** At the very start. */
  start(text: string): number
  /** At the very end, beginning at `from` or later. */
  end(text: string, from: number): number
}

/**
 * A test for the pattern of `like`, letter case included: `%` stands for any characters, `_` for one, and a backslash
 * takes the meaning from the character after it. The time it takes grows with the text, never with the wildcards.
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
      const found = text.indexOf(piece, from)
      return found === -1 ? -1 : found + piece.length
    },
    start: (text) => (text.startsWith(piece) ? piece.length : -1),
    end: (text, from) => (text.length - piece.length >= from && text.endsWith(piece) ? text.length : -1),
  }
}

/** A piece with `_`, undefined here, which stands for one character whatever its length in UTF-16. */
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
