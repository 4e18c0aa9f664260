import type { Random } from '../../runtime/random.ts'
import { BucketError } from '../bucket/bucket.ts'

/** How often and how soon what failed is tried again. */
export interface RetryPolicy {
  /** How often one request to a bucket is repeated before its run is tried again as a whole. */
  readonly requestRetries: number
  /** How often a run is repeated before it has failed. */
  readonly runRetries: number
  /** Milliseconds before repetition `n`, counted from 0. */
  readonly delayMs: (n: number, random: Random) => number
}

const FIRST_MS = 500
const LONGEST_MS = 30_000

/** Delays double up to half a minute, and each is drawn from its upper half, so that many do not come back together. */
export const retryPolicy: RetryPolicy = {
  requestRetries: 2,
  runRetries: 5,
  delayMs: (n, random) => Math.min(LONGEST_MS, FIRST_MS * 2 ** n) * (0.5 + random() / 2),
}

/** Whether a bucket may well take the same request a moment later. */
export function mayPass(error: unknown): boolean {
  return error instanceof BucketError && (error.problem === 'busy' || error.problem === 'unreachable')
}
