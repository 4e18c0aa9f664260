/** A source of numbers from 0 up to, and without, 1. */
export type Random = () => number

const TWO_TO_32 = 2 ** 32

/** Mixes a text into 32 bits (FNV-1a with a final avalanche); `salt` gives independent values for one text. */
function hash(text: string, salt: number): number {
  let h = 0x811c9dc5 ^ salt
  for (let index = 0; index < text.length; index++) {
    h = Math.imul(h ^ text.charCodeAt(index), 0x01000193)
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/** The same seed gives the same numbers on every platform (the generator is sfc32). */
export function seededRandom(seed: string | number): Random {
  const text = String(seed)
  let a = hash(text, 1)
  let b = hash(text, 2)
  let c = hash(text, 3)
  let counter = 1
  const next = (): number => {
    const sum = (a + b + counter++) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / TWO_TO_32
  }
  // The first values still show the seed's shape.
  for (let round = 0; round < 12; round++) next()
  return next
}

/** Numbers of the platform's cryptographic generator, fetched many at a time. */
export function cryptoRandom(): Random {
  const pool = new Uint32Array(256)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      crypto.getRandomValues(pool)
      used = 0
    }
    return (pool[used++] ?? 0) / TWO_TO_32
  }
}

/** A source of numbers that knows how many it has given. */
export interface CountedRandom {
  readonly next: Random
  readonly drawn: number
  /** Leaves numbers out until so many have been given. */
  skipTo(drawn: number): void
}

// More than any test draws; a state that says otherwise would keep the process busy for minutes.
const MOST = 1e8

export function countedRandom(random: Random): CountedRandom {
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
