import type { Random } from '../../runtime/random.ts'
import { BucketError } from '../bucket/bucket.ts'

/** Number of retries of a request to a bucket before the run is retried. */
export const REQUEST_RETRIES = 2
/** Number of retries of a run before it fails. */
export const RUN_RETRIES = 5

const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 30_000

/**
 * Returns the delay before retry `n`, counted from 0, in milliseconds.
 *
 * Delays double up to 30 seconds. A random factor from 0.5 to 1 spreads retries out.
 */
export function retryDelayMs(n: number, random: Random): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** n) * (0.5 + random() / 2)
}

/** Returns whether the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  return error instanceof BucketError && (error.problem === 'busy' || error.problem === 'unreachable')
}
