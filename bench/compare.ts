import type { ByServer } from './measure.ts'
import type { Goal, Samples } from './samples.ts'

/** How the values of several servers become rows. */
export interface Comparison<T> {
  /** What is measured; the name of the server follows it. */
  readonly name: string
  /** The server that all the others are put beside. */
  readonly beside: string
  /** Each is a row for every server. */
  readonly rows: readonly ComparedRow<T>[]
}

interface ComparedRow<T> {
  /** Follows the name of the server, where a measure has several kinds of rows. */
  readonly part?: string
  readonly unit: string
  readonly value: (round: T) => number
  /** What is promised, by server. */
  readonly goals?: Readonly<Record<string, Goal>>
}

/** The rows of every kind: one for each server, beside that of one of them. */
export function compare<T>(servers: ByServer<T>, { name, beside, rows }: Comparison<T>): Samples[] {
  return rows.flatMap(({ part, unit, value, goals }) => {
    const samples = new Map<string, Samples>()
    for (const [server, rounds] of servers) {
      const rowName = [name, server, part].filter((word) => word !== undefined).join('.')
      samples.set(server, { name: rowName, unit, values: rounds.map(value), goal: goals?.[server] })
    }
    const reference = samples.get(beside)
    return [...samples.values()].map((row) => (row === reference ? row : { ...row, beside: reference }))
  })
}
