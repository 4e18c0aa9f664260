import { Inconclusive } from './errors.ts'
import type { Session } from './session.ts'
import { runsAreLost } from './waiting.ts'

/** Records how long a read of a thread state took, in milliseconds. */
export function recordRead({ progress }: Session, ms: number): void {
  progress.readMs = Math.max(ms, 0.9 * progress.readMs)
}

/** How many reads of a thread state should fit into the shortest sleep of a graph. */
const readsInSleep = 6

/** Longest sleep of a graph, as a multiple of `budgets.slowMs`. */
const longestSleep = 32

/** Returns the sleep of a graph in milliseconds: `budgets.slowMs`, doubled until it suits the time of reads, times a factor. */
function sleepMs({ budgets, progress }: Session, factor = 1): number {
  const doublings = Math.ceil(Math.log2((readsInSleep * progress.readMs) / budgets.slowMs))
  return budgets.slowMs * Math.min(longestSleep, factor * 2 ** Math.max(0, doublings))
}

/** Factors of the sleep of a graph in each attempt. */
const sleepFactors = [1, 4, 16] as const

/** Runs a part of a scenario, with a longer sleep each time, until its requests are sent during the sleep. Returns its result. */
export async function retryWithLongerSleep<T>(
  { session }: { readonly session: Session },
  run: (ms: number) => Promise<T>,
  isInTime: (result: T) => boolean = Boolean,
): Promise<T> {
  const { progress } = session
  const last = sleepFactors.at(-1)
  const wereHidden = progress.steps === 'hidden'
  // A longer sleep does not help if the run does not start.
  const isLast = (factor: number) =>
    runsAreLost(session) || (factor === last && (wereHidden || ['unknown', 'shown'].includes(progress.steps)))
  for (const factor of sleepFactors) {
    try {
      const result = await run(sleepMs(session, factor))
      if (isInTime(result) || isLast(factor)) return result
    } catch (error) {
      // The sleep ended before the state showed it.
      if (!(error instanceof Inconclusive) || isLast(factor)) throw error
    }
  }
  progress.steps = 'hidden'
  return retryWithLongerSleep({ session }, run, isInTime)
}
