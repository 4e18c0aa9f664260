import { FilterError } from './tree.ts'

/** A token of a filter. */
export interface Token {
  readonly kind: 'name' | 'string' | 'number' | 'duration' | 'time' | '(' | ')' | '[' | ']' | ',' | 'end'
  /** Text as written; for a string, its value with escapes resolved. */
  readonly text: string
  /** Index in the filter, from 0. */
  readonly position: number
}

const SPACE = /\s+/y
const NAME = /[A-Za-z_]\w*/y
const TIME = /\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?/y
const NUMBER = /-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y
const PUNCTUATION = new Set(['(', ')', '[', ']', ','])
const ESCAPES: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' },
  ...{ '"': '"', "'": "'", '\\': '\\', '/': '/' },
}

/** Splits a filter into tokens; the last has the kind `end`. Throws a FilterError for an unknown or unclosed token. */
export function* tokensOf(text: string): Generator<Token, void> {
  let position = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = position
    return pattern.exec(text)?.[0]
  }
  while (true) {
    position += match(SPACE)?.length ?? 0
    const next = text.charAt(position)
    if (next === '') {
      yield { kind: 'end', text: '', position }
      return
    }
    let length = 1
    if (PUNCTUATION.has(next)) {
      yield { kind: next as Token['kind'], text: next, position }
    } else if (next === '"' || next === "'") {
      const { value, end } = stringAt(text, position)
      yield { kind: 'string', text: value, position }
      length = end - position
    } else {
      const word = wordAt(match, text, position)
      yield { ...word, position }
      length = word.text.length + (word.kind === 'duration' ? 1 : 0)
    }
    position += length
  }
}

function wordAt(
  match: (pattern: RegExp) => string | undefined,
  text: string,
  position: number,
): Pick<Token, 'kind' | 'text'> {
  const name = match(NAME)
  if (name !== undefined) return { kind: 'name', text: name }
  const time = match(TIME)
  if (time !== undefined) return { kind: 'time', text: time }
  const number = match(NUMBER)
  if (number === undefined) {
    const character = String.fromCodePoint(text.codePointAt(position) ?? 0)
    throw new FilterError(position, JSON.stringify(character), 'a function, a field, a value, or punctuation')
  }
  const end = position + number.length
  const seconds = text.charAt(end) === 's' && !/\w/.test(text.charAt(end + 1))
  return { kind: seconds ? 'duration' : 'number', text: number }
}

/** Reads the string with its opening quote at `start`. Unknown escapes keep their backslash, because `like` uses `\%`. */
function stringAt(text: string, start: number): { readonly value: string; readonly end: number } {
  const quote = text.charAt(start)
  let value = ''
  for (let index = start + 1; index < text.length; index++) {
    const character = text.charAt(index)
    if (character === quote) return { value, end: index + 1 }
    if (character !== '\\') {
      value += character
      continue
    }
    index++
    const escaped = text.charAt(index)
    const code = escaped === 'u' ? /^[\da-fA-F]{4}/.exec(text.slice(index + 1, index + 5))?.[0] : undefined
    if (code !== undefined) {
      value += String.fromCharCode(Number.parseInt(code, 16))
      index += 4
    } else {
      value += ESCAPES[escaped] ?? `\\${escaped}`
    }
  }
  throw new FilterError(start, `an unclosed string: ${text.slice(start, start + 30)}`, `a closing ${quote}`)
}
