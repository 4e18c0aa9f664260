import { FILTER_FIELDS, type FilterField, OPERATIONS } from './fields.ts'
import { type Token, tokensOf } from './tokens.ts'
import { FilterError, type FilterNode, type FilterValue } from './tree.ts'
import { describeToken, readValue } from './values.ts'

/** Limits of a filter. */
export interface FilterLimits {
  /** Maximum nesting depth of functions. @default 32 */
  readonly depth?: number
  /** Maximum number of functions. @default 1000 */
  readonly functions?: number
}

const COMPARISONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'has'] as const
const FUNCTIONS: readonly string[] = ['and', 'or', 'not', ...COMPARISONS, 'in', 'like', 'search']

/**
 * Parses a filter expression. Throws a FilterError with the position for a syntax error, an unknown function or field, a
 * value that does not fit its field, and for `null`, which filters do not support. Section of the specification: Endpoints,
 * rule 9.
 *
 * @example parseFilter('and(eq(run_type, "llm"), like(name, "Chat%"))')
 */
export function parseFilter(text: string, { depth = 32, functions = 1000 }: FilterLimits = {}): FilterNode {
  const tokens = tokensOf(text)
  let token = next()
  let count = 0

  function next(): Token {
    const { value } = tokens.next()
    return value ?? { kind: 'end', text: '', position: text.length }
  }

  function fail(expected: string, at: Token = token): never {
    throw new FilterError(at.position, describeToken(at), expected)
  }

  function take(kind: Token['kind'], expected: string): Token {
    if (token.kind !== kind) fail(expected)
    const taken = token
    token = next()
    return taken
  }

  function list<T>(close: ')' | ']', item: () => T): readonly T[] {
    const items = [item()]
    while (token.kind === ',') {
      take(',', 'a comma')
      items.push(item())
    }
    take(close, `a comma or "${close}"`)
    return items
  }

  function expression(level: number): FilterNode {
    const name = take('name', `a function: ${FUNCTIONS.join(', ')}`)
    if (!FUNCTIONS.includes(name.text)) fail(`a function: ${FUNCTIONS.join(', ')}`, name)
    if (level > depth) fail(`functions nested at most ${depth} levels deep`, name)
    if (++count > functions) fail(`at most ${functions} functions`, name)
    take('(', `"(" after ${name.text}`)
    return call(name, level)
  }

  function call(name: Token, level: number): FilterNode {
    const kind = name.text
    if (kind === 'and' || kind === 'or') return { kind, parts: list(')', () => expression(level + 1)) }
    if (kind === 'not') {
      const part = expression(level + 1)
      take(')', '")": not has one argument')
      return { kind, part }
    }
    const parsed = kind === 'search' ? search() : condition(name)
    take(')', `")": ${kind} has no further argument`)
    return parsed
  }

  function condition(name: Token): FilterNode {
    const { field, type } = fieldFor(name.text)
    take(',', `a comma and a value after ${field}`)
    if (name.text === 'in') {
      take('[', 'a list of values in brackets')
      if (token.kind !== ']') return { kind: 'in', field, values: list(']', () => value(type)) }
      take(']', '"]"')
      return { kind: 'in', field, values: [] }
    }
    if (name.text === 'like') return { kind: 'like', field, pattern: take('string', 'a pattern in quotes').text }
    const kind = COMPARISONS.find((comparison) => comparison === name.text)
    return kind ? { kind, field, value: value(type) } : fail('a function', name)
  }

  function search(): FilterNode {
    if (token.kind === 'string') return { kind: 'search', text: take('string', 'a text').text }
    const { field } = fieldFor('search')
    take(',', `a comma and a text after ${field}`)
    return { kind: 'search', field, text: take('string', 'a text in quotes').text }
  }

  function fieldFor(operation: string): { readonly field: string; readonly type: FilterField } {
    const name = take('name', operation === 'search' ? 'a text in quotes or a field' : 'a field')
    const type = FILTER_FIELDS.get(name.text)
    if (!type) return fail(`a field: ${[...FILTER_FIELDS.keys()].join(', ')}`, name)
    if (!OPERATIONS[type.type].has(operation)) {
      const fieldsOfOperation = [...FILTER_FIELDS].filter(([, field]) => OPERATIONS[field.type].has(operation))
      fail(
        `for ${operation} one of ${fieldsOfOperation.map(([field]) => field).join(', ')}; ` +
          `${name.text} works with ${[...OPERATIONS[type.type]].join(', ')}`,
        name,
      )
    }
    return { field: name.text, type }
  }

  function value(type: FilterField): FilterValue {
    const read = readValue(token, type)
    token = next()
    return read
  }

  const tree = expression(1)
  take('end', 'the end of the filter')
  return tree
}
