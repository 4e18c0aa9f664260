import type { Expression } from './expression.ts'
import type { KnownRun } from './known-run.ts'

/** Maximum number of values that are used in filters. */
const maxValues = 24
/** Maximum number of filters that are compared. */
const maxCompared = 300
/** Maximum number of runs that filters are compared on. */
const maxSampled = 200
/** Text without characters that have a meaning in filters, and short enough not to be truncated by a store. */
const plainText = /^[\p{L}\p{N}]([\p{L}\p{N} .,:!?/_-]{0,58}[\p{L}\p{N}.!?])?$/u
const plainPart = /^[\p{L}\p{N}]([\p{L}\p{N} -]*[\p{L}\p{N}])?$/u

/** Types of runs. */
export function typesOf(runs: readonly KnownRun[]): readonly string[] {
  return mostFrequent(runs.map(({ run_type }) => run_type)).filter((type) => plainText.test(type))
}

/** Names of runs that are plain text. */
export function namesOf(runs: readonly KnownRun[]): readonly string[] {
  return mostFrequent(runs.map(({ name }) => name)).filter((name) => plainText.test(name))
}

/** Keys of inputs of runs that are plain text. */
export function keysOf(runs: readonly KnownRun[]): readonly string[] {
  return mostFrequent(runs.flatMap(({ inputs }) => Object.keys(inputs))).filter((key) =>
    /^[\p{L}\p{N}_-]{1,60}$/u.test(key),
  )
}

/** Keys and values of inputs of runs that are plain text. */
export function inputsOf(runs: readonly KnownRun[]): readonly (readonly [key: string, value: string])[] {
  return keysOf(runs).flatMap((key) => {
    const values = runs.map(({ inputs }) => inputs[key]).filter((value) => typeof value === 'string')
    return mostFrequent(values.filter((value) => plainText.test(value))).map((value) => [key, value] as const)
  })
}

/** Part of each text, from and to a fraction of its length, if it has no characters with a meaning in patterns. */
export function substrings(texts: readonly string[], from: number, to: number): readonly string[] {
  const parts = texts.map((text) => text.slice(Math.floor(text.length * from), Math.ceil(text.length * to)).trim())
  return [...new Set(parts)].filter((part) => plainPart.test(part))
}

/** All pairs of an element of the first list and an element of the second. */
export function pairs<A, B>(first: readonly A[], second: readonly B[]): readonly (readonly [A, B])[] {
  return first.flatMap((a) => second.map((b) => [a, b] as const))
}

/**
 * The expression that separates runs best: about half of them pass, for few the result is unspecified, and its `wider`
 * expressions pass more. Undefined if no expression passes some runs and not others.
 */
export function mostSelective(expressions: readonly Expression[], runs: readonly KnownRun[]): Expression | undefined {
  const sample = sampleOf(runs, maxSampled)
  const rated = sampleOf(expressions, maxCompared).map((expression) => ({
    expression,
    rate: rate(expression, sample),
  }))
  return rated.filter((each) => each.rate > 0).sort((a, b) => b.rate - a.rate)[0]?.expression
}

function rate(expression: Expression, runs: readonly KnownRun[]): number {
  const results = runs.map((run) => expression.passes(run))
  const count = (expected: boolean) => results.filter((result) => result === expected).length
  const wider = (expression.wider ?? []).filter((part) =>
    runs.some((run, index) => results[index] === false && part.passes(run) === true),
  )
  // At most 1, so that every `wider` expression counts more.
  const balance = (2 * Math.min(count(true), count(false))) / runs.length
  return balance === 0 ? 0 : balance + wider.length
}

/** At most `count` elements, evenly spread. */
function sampleOf<T>(all: readonly T[], count: number): readonly T[] {
  const every = Math.ceil(all.length / count)
  return all.filter((_, index) => index % every === 0)
}

/** The most frequent values, in descending order of frequency. */
function mostFrequent(values: readonly string[]): readonly string[] {
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, same]) => ({ value, count: same.length }))
  return counts
    .sort((a, b) => b.count - a.count)
    .slice(0, maxValues)
    .map(({ value }) => value)
}
