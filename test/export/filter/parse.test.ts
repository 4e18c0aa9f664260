import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFilter } from '../../../mock-server/export/filter/parse.ts'
import { FilterError } from '../../../mock-server/export/filter/tree.ts'
import { filterTree } from '../../fixtures/arbitrary-filters.ts'
import { printFilter } from '../../fixtures/print-filter.ts'

function errorOf(text: string): FilterError {
  try {
    parseFilter(text)
  } catch (error) {
    if (error instanceof FilterError) return error
    throw error
  }
  throw new Error(`${text} was understood`)
}

test('parses the functions and fields of the specification', () => {
  expect(parseFilter('and(eq(run_type, "llm"), like(name, "Chat%"))')).toEqual({
    kind: 'and',
    parts: [
      { kind: 'eq', field: 'run_type', value: 'llm' },
      { kind: 'like', field: 'name', pattern: 'Chat%' },
    ],
  })
  expect(parseFilter("and(eq(input_key, 'question'), like(input_value, '%refund%'))")).toMatchObject({ kind: 'and' })
})

test.each<[string, unknown]>([
  ['eq(name, "a \\"b\\" \'c\' \\\\ \\n \\u00e9")', `a "b" 'c' \\ \n é`],
  ["eq(name, 'a \"b\" \\'c\\'')", `a "b" 'c'`],
  ['eq(name, "50\\%")', '50\\%'],
  ['eq(total_tokens, -12.5e2)', -1250],
  ['eq(total_cost, .5)', 0.5],
  ['eq(is_root, true)', true],
  ['eq( is_root ,\n\tfalse )', false],
  ['gte(latency, 5)', 5],
  ['gte(latency, 5s)', 5],
  ['gte(latency, "1.5s")', 1.5],
  ['gt(start_time, "2026-01-01T00:00:00Z")', '2026-01-01T00:00:00Z'],
  ['gt(start_time, 2026-01-01T00:00:00.5+02:00)', '2026-01-01T00:00:00.5+02:00'],
  ['gt(start_time, 2026-01-01)', '2026-01-01'],
  ['eq(metadata_value, 7)', 7],
])('%s', (text, value) => {
  expect(parseFilter(text)).toMatchObject({ value })
})

test('lists can have any number of values, including none', () => {
  expect(parseFilter('in(run_type, ["llm", \'tool\'])')).toEqual({
    kind: 'in',
    field: 'run_type',
    values: ['llm', 'tool'],
  })
  expect(parseFilter('in(total_tokens, [])')).toEqual({ kind: 'in', field: 'total_tokens', values: [] })
})

test('search takes a text, alone or after a field', () => {
  expect(parseFilter('search("refund")')).toEqual({ kind: 'search', text: 'refund' })
  expect(parseFilter('search(name, "refund")')).toEqual({ kind: 'search', field: 'name', text: 'refund' })
})

test.each<[string, number, string, RegExp]>([
  ['', 0, 'the end of the filter', /^a function: and, or/],
  ['eq', 2, 'the end of the filter', /^"\(" after eq/],
  ['equals(name, "a")', 0, 'equals', /^a function: and, or/],
  ['eq(nam, "a")', 3, 'nam', /^a field: id, name/],
  ['eq("name", "a")', 3, '"name"', /^a field$/],
  ['eq(name "a")', 8, '"a"', /^a comma and a value after name/],
  ['eq(name, "a"', 12, 'the end of the filter', /^"\)": eq has no further argument/],
  ['eq(name, "a") x', 14, 'x', /^the end of the filter/],
  ['eq(name, "a"))', 13, ')', /^the end of the filter/],
  ['eq(error, null)', 10, 'null, which filters do not support', /^a string$/],
  ['eq(total_tokens, "many")', 17, '"many"', /^a number$/],
  ['eq(is_root, 1)', 12, '1', /^true or false$/],
  ['gt(start_time, "yesterday")', 15, '"yesterday"', /^an ISO 8601 time/],
  ['gt(latency, "5m")', 12, '"5m"', /^a duration in seconds/],
  ['gt(name, "a")', 3, 'name', /^for gt one of start_time, .*; name works with eq, neq, in, like, search$/],
  ['eq(tags, "a")', 3, 'tags', /tags works with has, in, like, search$/],
  ['in(name, "a")', 9, '"a"', /^a list of values in brackets$/],
  ['in(name, ["a" "b"])', 14, '"b"', /^a comma or "\]"$/],
  ['like(name, 5)', 11, '5', /^a pattern in quotes$/],
  ['and()', 4, ')', /^a function/],
  ['not(eq(name, "a"), eq(name, "b"))', 17, ',', /^"\)": not has one argument$/],
  ['eq(name, "a', 9, 'an unclosed string: "a', /^a closing "$/],
  ['eq(name; "a")', 7, '";"', /^a function, a field, a value, or punctuation$/],
  ['eq(total_tokens, 1e999)', 17, '1e999', /^a number$/],
  ['search(5)', 7, '5', /^a text in quotes or a field$/],
])('%s is not a filter, and the error has the position', (text, position, received, expected) => {
  const error = errorOf(text)
  expect([error.position, error.received]).toEqual([position, received])
  expect(error.expected).toMatch(expected)
  expect(error.message).toBe(`Filter, position ${position}: expected ${error.expected}, received ${received}`)
})

test('limits the nesting and the number of functions', () => {
  const nested = (depth: number): string => `${'not('.repeat(depth - 1)}eq(name, "a")${')'.repeat(depth - 1)}`
  expect(() => parseFilter(nested(32))).not.toThrow()
  expect(errorOf(nested(33))).toMatchObject({
    position: 32 * 4,
    expected: 'functions nested at most 32 levels deep',
  })
  expect(errorOf(nested(100_000))).toMatchObject({ position: 32 * 4 })
  const wide = (count: number): string => `and(${Array.from({ length: count - 1 }, () => 'eq(name, "a")').join(',')})`
  expect(() => parseFilter(wide(1000))).not.toThrow()
  expect(errorOf(wide(1001)).expected).toBe('at most 1000 functions')
  expect(() => parseFilter('not(eq(name, "a"))', { depth: 1 })).toThrow(FilterError)
})

test('a printed tree parses to the same tree', () => {
  fc.assert(
    fc.property(filterTree, (tree) => {
      expect(parseFilter(printFilter(tree))).toEqual(tree)
    }),
  )
})

test('any text parses or throws a FilterError with a position within the text', () => {
  const words = [
    'and',
    'or',
    'not',
    'eq',
    'in',
    'like',
    'search',
    '(',
    ')',
    '[',
    ']',
    ',',
    '"',
    "'",
    '\\',
    'name',
    'null',
  ]
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom(...words, '5', '5s', '-', '.', '2026-01-01', '"a"', 'true', ' ', '\u{1f642}'))
      .map((parts) => parts.join('')),
    fc.tuple(filterTree.map(printFilter), fc.nat(), fc.string()).map(([whole, at, other]) => {
      const cut = at % (whole.length + 1)
      return whole.slice(0, cut) + other + whole.slice(cut + 1)
    }),
  )
  fc.assert(
    fc.property(text, (any) => {
      try {
        parseFilter(any)
      } catch (error) {
        if (!(error instanceof FilterError)) throw error
        expect(error.position).toBeGreaterThanOrEqual(0)
        expect(error.position).toBeLessThanOrEqual(any.length)
      }
    }),
    { numRuns: 1000 },
  )
})
