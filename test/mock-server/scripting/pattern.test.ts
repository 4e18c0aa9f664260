import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searcher, textPattern } from '../../../mock-server/scripting/pattern.ts'

/** The message for a pattern that is refused; undefined for one that is accepted. */
function problemOf(pattern: string, flags?: string): string | undefined {
  return textPattern.safeParse({ pattern, ...(flags !== undefined && { flags }) }).error?.issues[0]?.message
}

const atoms = [
  'a',
  'b',
  'A',
  '.',
  '[ab]',
  '[^a]',
  '[^]',
  '[]',
  '\\w',
  '\\s',
  '\\d',
  '\\.',
  '\\n',
  '\\x61',
  '\\u0062',
  'é',
  '{',
  ']',
]
const places = ['^', '$', '\\b', '\\B']
const quantifier = fc.constantFrom('', '', '*', '+', '?', '*?', '{2}', '{1,}', '{0,2}', '{0}')
const { pattern: anyPattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    fc.tuple(fc.constantFrom(...atoms), quantifier).map((parts) => parts.join('')),
    fc.constantFrom(...places),
    fc.tuple(tie('pattern'), tie('pattern')).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern'), quantifier).map(([left, right, many]) => `(?:${left}|${right})${many}`),
    fc.tuple(tie('pattern'), quantifier).map(([inner, many]) => `(${inner})${many}`),
  ),
}))
const anyText = fc.string({ unit: fc.constantFrom('a', 'b', 'A', ' ', '\n', '1', 'é', '.', '{'), maxLength: 8 })

test('finds what the regular expressions of the platform find', () => {
  let accepted = 0
  const anyFlags = fc.constantFrom('', 'i', 'm', 's', 'u', 'im', 'imsu')
  fc.assert(
    fc.property(anyPattern, anyFlags, anyText, (pattern, flags, text) => {
      if (problemOf(pattern, flags) !== undefined) return
      accepted++
      expect(searcher({ pattern, flags })(text)).toBe(new RegExp(pattern, flags).test(text))
    }),
    { numRuns: 3000 },
  )
  expect(accepted).toBeGreaterThan(1000)
})

test.each([
  ['^.$', 'u', '😀', true],
  ['^.$', '', '😀', false],
  ['\\p{L}+', 'u', '1é', true],
  ['^\\u{1F600}$', 'u', '😀', true],
  ['^\\ud83d\\ude00$', 'u', '😀', true],
  ['^u{3}$', '', 'uuu', true],
  ['(?<year>\\d{4})-\\d\\d', '', 'in 2026-11', true],
  ['^b', 'm', 'a\nb', true],
  ['^b', '', 'a\nb', false],
])('searches %j with the flags %j in %j: %j', (pattern, flags, text, isFound) => {
  expect(problemOf(pattern, flags)).toBeUndefined()
  expect(searcher({ pattern, flags })(text)).toBe(isFound)
})

// With backtracking, each of these would take longer than the test may.
test.each([
  '(a+)+b',
  '(a|a)*b',
  '(a|ab)*c',
  '(.*)*x',
  '(?:a*){30}b',
  '.*a.*a.*a.*b',
  `${'a?'.repeat(30)}${'a'.repeat(30)}b`,
])('takes linear time for %j', (pattern) => {
  expect(problemOf(pattern)).toBeUndefined()
  expect(searcher({ pattern })('a'.repeat(5000))).toBe(false)
})

test.each([
  ['(', 'without errors (Unterminated group)'],
  ['a**', 'without errors (Nothing to repeat)'],
  ['a(?=b)', 'without lookaround such as (?=…)'],
  ['a(?!b)', 'without lookaround such as (?!…)'],
  ['(?<=a)b', 'without lookaround such as (?<=…)'],
  ['(?<!a)b', 'without lookaround such as (?<!…)'],
  ['(a)\\1', 'without backreferences such as \\1'],
  ['(?<x>a)\\k<x>', 'without backreferences such as \\k<'],
  ['(?i:a)', 'without flags of a group such as (?i:…)'],
  ['a{2001}', 'with at most 2000 characters when all repetitions are written out'],
  ['((a{1000}){1000}){1000}', 'with at most 2000 characters when all repetitions are written out'],
])('refuses %j', (pattern, message) => {
  expect(problemOf(pattern)).toBe(`expected a regular expression ${message}`)
})
