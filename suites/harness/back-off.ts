import { setTimeout } from 'node:timers/promises'

/** Returns the pause before a refused request is repeated, in milliseconds: from 50 ms, doubled each time, to one second. */
export function retryPauseMs(attempt: number): number {
  return Math.min(1000, 25 * 2 ** attempt)
}

/** Waits before a request that is expensive for the server is repeated: longer after each attempt, at most ten seconds. */
export async function backOff(attempt: number): Promise<void> {
  await setTimeout(Math.min(10_000, 125 * 2 ** attempt))
}
