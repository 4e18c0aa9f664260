import type { Random } from '../random.ts'

/** A source of numbers that knows how many it has given. */
export interface CountedRandom {
  readonly next: Random
  readonly drawn: number
  /** Leaves numbers out until so many have been given. */
  skipTo(drawn: number): void
}

// More than any test draws; a state that says otherwise would keep the process busy for minutes.
const MOST = 1e8

export function counted(random: Random): CountedRandom {
  let drawn = 0
  const next = (): number => {
    drawn++
    return random()
  }
  return {
    next,
    get drawn() {
      return drawn
    },
    skipTo: (wanted) => {
      while (drawn < Math.min(wanted, MOST)) next()
    },
  }
}
