import type { ByServer } from './measure.ts'
import type { Goal, Samples } from './samples.ts'

/** How the values of several servers are turned into rows. */
export interface Comparison<T> {
  /** First part of the name of each row; the name of the server is the second. */
  readonly name: string
  /** Name of the server that the others are compared to. */
  readonly reference: string
  /** Each entry yields one row for every server. */
  readonly rows: readonly ComparedRow<T>[]
}

interface ComparedRow<T> {
  /** Last part of the name, for a measure with several rows for each server. */
  readonly part?: string
  readonly unit: string
  readonly value: (round: T) => number
  /** Goals by the name of the server. */
  readonly goals?: Readonly<Record<string, Goal>>
}

/** Turns the rounds of several servers into rows, each compared to the row of the reference server. */
export function compare<T>(servers: ByServer<T>, { name, reference, rows }: Comparison<T>): Samples[] {
  return rows.flatMap(({ part, unit, value, goals }) => {
    const samples = new Map<string, Samples>()
    for (const [server, rounds] of servers) {
      const rowName = [name, server, part].filter((segment) => segment !== undefined).join('.')
      samples.set(server, { name: rowName, unit, values: rounds.map(value), goal: goals?.[server] })
    }
    const referenceRow = samples.get(reference)
    return [...samples.values()].map((row) => (row === referenceRow ? row : { ...row, reference: referenceRow }))
  })
}
