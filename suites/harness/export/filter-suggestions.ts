import type { Expression } from './expression.ts'
import type { KnownRun } from './known-run.ts'

/** Values of one kind from which suggestions are made. */
const mostValues = 24
/** Suggestions that are compared, and runs over which. */
const mostCompared = 300
const mostSampled = 200
/** Text in which no sign means something in a filter, and that no store cuts. */
const plainText = /^[\p{L}\p{N}]([\p{L}\p{N} .,:!?/_-]{0,58}[\p{L}\p{N}.!?])?$/u
const plainPiece = /^[\p{L}\p{N}]([\p{L}\p{N} -]*[\p{L}\p{N}])?$/u

/** The types of some runs. */
export function typesOf(runs: readonly KnownRun[]): readonly string[] {
  return mostFrequent(runs.map(({ run_type }) => run_type)).filter((type) => plainText.test(type))
}

/** The names of some runs that are plain text. */
export function namesOf(runs: readonly KnownRun[]): readonly string[] {
  return mostFrequent(runs.map(({ name }) => name)).filter((name) => plainText.test(name))
}

/** The keys of the inputs of some runs that are plain text. */
export function keysOf(runs: readonly KnownRun[]): readonly string[] {
  return mostFrequent(runs.flatMap(({ inputs }) => Object.keys(inputs))).filter((key) =>
    /^[\p{L}\p{N}_-]{1,60}$/u.test(key),
  )
}

/** Keys and values of the inputs of some runs that are plain text. */
export function inputsOf(runs: readonly KnownRun[]): readonly (readonly [key: string, value: string])[] {
  return keysOf(runs).flatMap((key) => {
    const values = runs.map(({ inputs }) => inputs[key]).filter((value) => typeof value === 'string')
    return mostFrequent(values.filter((value) => plainText.test(value))).map((value) => [key, value] as const)
  })
}

/** A stretch of each text, given by where it begins and ends, as parts of its length; without signs that patterns know. */
export function substrings(texts: readonly string[], from: number, to: number): readonly string[] {
  const found = texts.map((text) => text.slice(Math.floor(text.length * from), Math.ceil(text.length * to)).trim())
  return [...new Set(found)].filter((piece) => plainPiece.test(piece))
}

/** Each with each. */
export function pairs<A, B>(one: readonly A[], other: readonly B[]): readonly (readonly [A, B])[] {
  return one.flatMap((a) => other.map((b) => [a, b] as const))
}

/**
 * The expression that tells runs apart best: about half of them pass, few are left open, and what it may be taken for
 * lets more pass. Undefined where none lets one pass and another not.
 */
export function mostSelective(expressions: readonly Expression[], runs: readonly KnownRun[]): Expression | undefined {
  const sample = sampleOf(runs, mostSampled)
  const rated = sampleOf(expressions, mostCompared).map((expression) => ({
    expression,
    rate: rate(expression, sample),
  }))
  return rated.filter((one) => one.rate > 0).sort((a, b) => b.rate - a.rate)[0]?.expression
}

function rate(expression: Expression, runs: readonly KnownRun[]): number {
  const found = runs.map((run) => expression.passes(run))
  const [passing, failing] = [true, false].map((wanted) => found.filter((one) => one === wanted).length) as [
    number,
    number,
  ]
  const wider = (expression.wider ?? []).filter((part) =>
    runs.some((run, index) => found[index] === false && part.passes(run) === true),
  )
  // At most 1, and more for each way in which one may be wrong about it.
  const balance = (2 * Math.min(passing, failing)) / runs.length
  return balance === 0 ? 0 : balance + wider.length
}

/** Some of many, from the first to the last. */
function sampleOf<T>(all: readonly T[], count: number): readonly T[] {
  const every = Math.ceil(all.length / count)
  return all.filter((_, index) => index % every === 0)
}

/** The values that occur most often. */
function mostFrequent(values: readonly string[]): readonly string[] {
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, same]) => ({ value, count: same.length }))
  return counts
    .sort((a, b) => b.count - a.count)
    .slice(0, mostValues)
    .map(({ value }) => value)
}
