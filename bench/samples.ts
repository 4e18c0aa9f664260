import type { Row } from './row.ts'

/** What is promised of a row. */
export interface Goal {
  readonly of: 'value' | 'ratio'
  readonly is: '<=' | '>='
  readonly bound: number
}

/** A goal as it stands in the results: `goal('ratio', '>=', 0.7)`. */
export function goal(of: Goal['of'], is: Goal['is'], bound: number): Goal {
  return { of, is, bound }
}

/** A row before it is summed up: one value a round. */
export interface Samples {
  readonly name: string
  readonly unit: string
  readonly values: readonly number[]
  readonly goal?: Goal | undefined
  /** Undefined where nothing stands beside it, for instance because that server is not installed. */
  readonly beside?: Samples | undefined
}

/** Sums up the rounds; a goal for a ratio falls away where nothing stands beside. */
export function sumUp(samples: Samples): Omit<Row, 'command' | 'machine'> {
  const { name, unit, values, goal: promised, beside } = samples
  const value = rounded(median(values))
  const ratio = beside === undefined ? null : rounded(median(values.map((one, round) => one / at(beside, round))))
  const judged = promised?.of === 'ratio' ? ratio : value
  const judgeable = promised !== undefined && judged !== null
  return {
    name,
    value,
    unit,
    goal: judgeable ? `${promised.of} ${promised.is} ${promised.bound}` : null,
    met: judgeable ? (promised.is === '<=' ? judged <= promised.bound : judged >= promised.bound) : null,
    beside: beside?.name ?? null,
    ratio,
    low: rounded(Math.min(...values)),
    high: rounded(Math.max(...values)),
  }
}

/** The middle of the values, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2
}

function at({ name, values }: Samples, round: number): number {
  const value = values[round]
  if (value === undefined) throw new Error(`${name} has only ${values.length} rounds`)
  return value
}

/** Four digits: what a measurement here can tell at most. */
function rounded(value: number): number {
  return Number(value.toPrecision(4))
}
