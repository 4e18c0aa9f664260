import type { Row } from './row.ts'

/** A bound that a row must meet. */
export interface Goal {
  readonly of: 'value' | 'ratio'
  readonly is: '<=' | '>='
  readonly bound: number
}

/** Creates a goal, for example `goal('ratio', '>=', 0.7)`. */
export function goal(of: Goal['of'], is: Goal['is'], bound: number): Goal {
  return { of, is, bound }
}

/** The values of a row, one for each round. */
export interface Samples {
  readonly name: string
  readonly unit: string
  readonly values: readonly number[]
  readonly goal?: Goal | undefined
  /** The row to compare with; undefined if there is none, for example because that server is not installed. */
  readonly reference?: Samples | undefined
}

/** Summarizes the rounds of a row. Without a reference, a goal for the ratio is dropped. */
export function summarize(samples: Samples): Omit<Row, 'command' | 'machine'> {
  const { name, unit, values, goal, reference } = samples
  const value = rounded(median(values))
  const ratio =
    reference === undefined ? null : rounded(median(values.map((value, round) => value / valueAt(reference, round))))
  const measured = goal?.of === 'ratio' ? ratio : value
  const hasGoal = goal !== undefined && measured !== null
  return {
    name,
    value,
    unit,
    goal: hasGoal ? `${goal.of} ${goal.is} ${goal.bound}` : null,
    met: hasGoal ? (goal.is === '<=' ? measured <= goal.bound : measured >= goal.bound) : null,
    reference: reference?.name ?? null,
    ratio,
    low: rounded(Math.min(...values)),
    high: rounded(Math.max(...values)),
  }
}

/** The middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2
}

function valueAt({ name, values }: Samples, round: number): number {
  const value = values[round]
  if (value === undefined) throw new Error(`${name} has only ${values.length} rounds`)
  return value
}

/** Rounds to four digits, the precision of these measurements. */
function rounded(value: number): number {
  return Number(value.toPrecision(4))
}
