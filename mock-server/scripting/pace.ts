import { z } from 'zod'
import { seededRandom } from '../runtime/random.ts'

/** The delays of a streamed message, in milliseconds of the server's clock. */
export interface Pace {
  /** Before the first piece. @default 0 */
  readonly firstMs?: number
  /** Before each further piece. @default 0 */
  readonly everyMs?: number
  /** The number of pieces per second after the first one, in place of `everyMs`. */
  readonly tokensPerSecond?: number
  /** The share by which each delay varies at random, from 0 to 1: with 0.5, it takes half to one and a half of its time. @default 0 */
  readonly jitter?: number
  /** Selects the variation for `jitter`: the same seed gives the same delays. @default 0 */
  readonly seed?: string | number
}

const ms = z.number().min(0)

/** The schemas of the delays of a streamed message. */
export const paceShape = {
  firstMs: ms.optional().describe('Milliseconds before the first piece'),
  everyMs: ms.optional().describe('Milliseconds before each further piece'),
  tokensPerSecond: z.number().gt(0).optional().describe('Pieces per second after the first one, in place of everyMs'),
  jitter: z.number().min(0).max(1).optional().describe('Share by which each delay varies at random'),
  seed: z
    .union([z.string(), z.number()], { error: 'expected a text or a number' })
    .optional()
    .describe('Selects the variation for jitter; the same seed gives the same delays'),
}

/** Returns a function that returns the delay before each piece in turn, in milliseconds. */
export function delaysOf({ firstMs = 0, everyMs = 0, tokensPerSecond, jitter = 0, seed = 0 }: Pace): () => number {
  const random = seededRandom(seed)
  const furtherMs = tokensPerSecond === undefined ? everyMs : 1000 / tokensPerSecond
  let isFirst = true
  return () => {
    const delay = isFirst ? firstMs : furtherMs
    isFirst = false
    return jitter === 0 ? delay : delay * (1 + jitter * (2 * random() - 1))
  }
}

/** Whether a pace has at most one delay for further pieces. */
export function hasOnePace({ everyMs, tokensPerSecond }: { everyMs?: unknown; tokensPerSecond?: unknown }): boolean {
  return everyMs === undefined || tokensPerSecond === undefined
}
