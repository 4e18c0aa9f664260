/** Returns a random number from 0 (inclusive) to 1 (exclusive). */
export type Random = () => number

const TWO_TO_32 = 2 ** 32

/** Hashes a text to 32 bits (FNV-1a with a final avalanche). Each `salt` gives an independent value. */
function hash(text: string, salt: number): number {
  let h = 0x811c9dc5 ^ salt
  for (let index = 0; index < text.length; index++) {
    h = Math.imul(h ^ text.charCodeAt(index), 0x01000193)
  }
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/** Creates a random generator (sfc32). The same seed gives the same numbers on every platform. */
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
  // The first values are correlated with the seed.
  for (let round = 0; round < 12; round++) next()
  return next
}

/** Creates a random generator from the platform's cryptographic one, read in blocks. */
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

/** A random generator that counts its numbers. */
export interface CountedRandom {
  readonly next: Random
  readonly drawn: number
  /** Skips numbers until `drawn` have been drawn. */
  skipTo(drawn: number): void
}

// More than any test draws. A larger number, in an invalid state, would block the process for minutes.
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
