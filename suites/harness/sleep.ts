import { Inconclusive } from './errors.ts'
import type { Session } from './session.ts'
import { runsAreLost } from './waiting.ts'

/** Records how long a read of a thread state took, in milliseconds. */
export function recordRead({ progress }: Session, ms: number): void {
  progress.readMs = Math.max(ms, 0.9 * progress.readMs)
}

/** Records how long it took until a state showed that a graph sleeps, in milliseconds. */
export function recordStart({ progress }: Session, ms: number): void {
  progress.startMs = Math.max(ms, 0.9 * progress.startMs)
}

/** How many reads of a thread state should fit into the shortest sleep of a graph. */
const readsInSleep = 6

/** Longest sleep that is chosen because runs start late, as a multiple of `budgets.slowMs`: runs that sleep delay others. */
const longestForStart = 4

/** Longest sleep of a graph, as a multiple of `budgets.slowMs`. */
const longestSleep = 32

/**
 * Returns the sleep of a graph in milliseconds that suits the server: `budgets.slowMs`, doubled until several reads fit into
 * it and its second half begins after the start of the run.
 */
function suitableSleepMs({ budgets: { slowMs }, progress: { readMs, startMs } }: Session): number {
  const neededMs = Math.max(readsInSleep * readMs, Math.min(2 * startMs, longestForStart * slowMs))
  return slowMs * 2 ** Math.max(0, Math.ceil(Math.log2(neededMs / slowMs)))
}

/** Least sleep of a graph in each attempt: a multiple of `budgets.slowMs`, and of the sleep in the attempt before it. */
const attempts = [
  { factor: 1, growth: 1 },
  { factor: 4, growth: 2 },
  { factor: 16, growth: 4 },
] as const

/** Runs a part of a scenario, with a longer sleep each time, until its requests are sent during the sleep. Returns its result. */
export async function retryWithLongerSleep<T>(
  { session }: { readonly session: Session },
  run: (ms: number) => Promise<T>,
  isInTime: (result: T) => boolean = Boolean,
): Promise<T> {
  const { progress, budgets } = session
  let ms = 0
  const wereHidden = progress.steps === 'hidden'
  // A longer sleep does not help if the run does not start.
  const isLast = (index: number) =>
    runsAreLost(session) ||
    (index === attempts.length - 1 && (wereHidden || ['unknown', 'shown'].includes(progress.steps)))
  for (const [index, { factor, growth }] of attempts.entries()) {
    const leastMs = Math.max(suitableSleepMs(session), factor * budgets.slowMs, growth * ms)
    ms = Math.min(longestSleep * budgets.slowMs, leastMs)
    try {
      const result = await run(ms)
      if (isInTime(result) || isLast(index)) return result
    } catch (error) {
      // The sleep ended before the state showed it.
      if (!(error instanceof Inconclusive) || isLast(index)) throw error
    }
  }
  progress.steps = 'hidden'
  return retryWithLongerSleep({ session }, run, isInTime)
}
