import type { RequirementId } from '../../catalog/generated/ids.ts'
import { and, type Expression, eq, hasInput, input, like } from './expression.ts'
import { inputsOf, keysOf, namesOf, pairs, substrings, typesOf } from './filter-suggestions.ts'
import type { KnownRun } from './known-run.ts'

/** Documented form of a filter. */
export interface FilterCase {
  readonly requirement: RequirementId
  /** Filter for the runs that the driver adds. */
  readonly seeded: Expression
  /** Returns filters for the runs of a project, for a target without a driver. */
  suggested(runs: readonly KnownRun[]): readonly Expression[]
}

/**
 * Longer than an index may be, with spaces, characters outside ASCII, and some that have a meaning in patterns, in filters or
 * in SQL.
 */
export const longName = `Größe  of 名前's (5 %), ${'long '.repeat(25)}end`

const types = (runs: readonly KnownRun[]) => typesOf(runs).map((type) => eq('run_type', type))
const prefixes = (runs: readonly KnownRun[]) => substrings(namesOf(runs), 0, 0.6).map((piece) => like(`${piece}%`))
const infixes = (runs: readonly KnownRun[]) => substrings(namesOf(runs), 0.2, 0.8).map((piece) => like(`%${piece}%`))
const suffixes = (runs: readonly KnownRun[]) => substrings(namesOf(runs), 0.4, 1).map((piece) => like(`%${piece}`))
const middles = (runs: readonly KnownRun[]) =>
  namesOf(runs).flatMap((name) =>
    pairs(substrings([name], 0, 0.3), substrings([name], 0.7, 1)).map(([start, end]) => like(`${start}%${end}`)),
  )

/** A filter that no run passes, with characters in its value that separate the parts of filters. */
export const passedByNone = eq('name', 'touchstone (none), no run has this name)')

/** Documented filters. */
export const filterCases: readonly FilterCase[] = [
  { requirement: 'export.filter.eq.run_type', seeded: eq('run_type', 'llm'), suggested: types },
  {
    requirement: 'export.filter.eq.name',
    seeded: eq('name', longName),
    suggested: (runs) => namesOf(runs).map((name) => eq('name', name)),
  },
  {
    requirement: 'export.filter.eq.input_key',
    seeded: hasInput('city'),
    suggested: (runs) => keysOf(runs).map(hasInput),
  },
  {
    requirement: 'export.filter.eq.input_value',
    seeded: input('city', 'eq', 'Paris'),
    suggested: (runs) => inputsOf(runs).map(([key, value]) => input(key, 'eq', value)),
  },
  { requirement: 'export.filter.like.prefix', seeded: like('Alpha%'), suggested: prefixes },
  { requirement: 'export.filter.like.suffix', seeded: like('%search'), suggested: suffixes },
  { requirement: 'export.filter.like.infix', seeded: like('%search%'), suggested: infixes },
  { requirement: 'export.filter.like.middle', seeded: like('v1%.0%0 beta'), suggested: middles },
  {
    requirement: 'export.filter.like.input_value',
    seeded: input('city', 'like', 'Paris%'),
    suggested: (runs) =>
      inputsOf(runs).flatMap(([key, value]) =>
        substrings([value], 0, 0.6).map((piece) => input(key, 'like', `${piece}%`)),
      ),
  },
  {
    requirement: 'export.filter.and',
    // A value with the characters that separate the parts of filters.
    seeded: and(eq('run_type', 'chain'), like(`${longName.slice(0, 30)}%`)),
    suggested: (runs) => pairs(types(runs), prefixes(runs)).map(([type, name]) => and(type, name)),
  },
  {
    requirement: 'export.filter.and.nested',
    seeded: and(eq('run_type', 'tool'), and(like('%search%'), and(like('Beta%'), like('%tool')))),
    suggested: (runs) =>
      pairs(types(runs), pairs(infixes(runs), prefixes(runs))).map(([type, [infix, prefix]]) =>
        and(type, and(infix, prefix)),
      ),
  },
]
