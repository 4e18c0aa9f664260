import type { Random } from '../../runtime/random.ts'
import { BucketError } from '../bucket/bucket.ts'

/** How often a request to a bucket is repeated before its run is repeated. */
export const REQUEST_RETRIES = 2
/** How often a run is repeated before it fails. */
export const RUN_RETRIES = 5

const FIRST_MS = 500
const LONGEST_MS = 30_000

/**
 * Returns the milliseconds before repetition `n`, counted from 0.
 *
 * Delays double up to half a minute. Each is drawn from its upper half, so that retries spread out.
 */
export function retryDelayMs(n: number, random: Random): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** n) * (0.5 + random() / 2)
}

/** Whether a bucket may accept the same request a moment later. */
export function mayPass(error: unknown): boolean {
  return error instanceof BucketError && (error.problem === 'busy' || error.problem === 'unreachable')
}
