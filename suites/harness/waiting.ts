import { Inconclusive } from './errors.ts'
import type { WaitKind } from './progress.ts'
import type { Session } from './session.ts'

/**
 * Longest wait for one event, in milliseconds: the longest sleep of a graph, and a time in proportion to the runs in flight,
 * because a server may execute them one after another, unless no run ends.
 */
export function waitBudget({ budgets, inFlight, progress }: Session): number {
  return budgets.waitMs * (progress.run.isStuck ? 1 : Math.max(1, inFlight.size)) + progress.sleepMs
}

/** Factor of waits before the first event of a kind: a server may be slow to execute its first run. */
const FIRST_WAIT_FACTOR = 3

/** Divisor of waits after one has taken the whole budget without an event. */
export const STUCK_DIVISOR = 20

/**
 * Longest wait for an event, in milliseconds, apart from the longest sleep of a graph. Longer if other events of the kind
 * have occurred since `startedAt`, because a server may execute runs one after another: then one of them ends within each
 * `budgets.waitMs`.
 */
export function waitLimit(session: Session, kind: WaitKind, startedAt: number): number {
  const { waitMs } = session.budgets
  const { sleepMs, run } = session.progress
  const { endedAt, longestMs, isStuck } = session.progress[kind]
  if (endedAt >= startedAt) return Math.min(waitBudget(session), endedAt - startedAt + waitMs + sleepMs)
  if (isStuck || run.isStuck) return Math.max(waitMs / STUCK_DIVISOR, 2 * longestMs)
  const isFirst = endedAt === 0 && !(kind === 'streamed-run' && run.endedAt > 0)
  return (isFirst ? FIRST_WAIT_FACTOR : 1) * waitMs + sleepMs
}

/** Records the end of a wait. `ended`: whether the event occurred. */
export function recordWait(session: Session, kind: WaitKind, startedAt: number, ended: boolean): void {
  const progress = session.progress[kind]
  const now = performance.now()
  progress.isStuck = !ended && progress.endedAt < startedAt
  if (!ended) return
  progress.endedAt = now
  progress.longestMs = Math.max(progress.longestMs, now - startedAt)
}

/** Calls a function until it does not return undefined, like `poll`, within `waitLimit` and recorded by `recordWait`. */
export async function pollEnd<T>(
  session: Session,
  kind: WaitKind,
  probe: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const startedAt = performance.now()
  const result = await poll(session, probe, { budgetMs: () => waitLimit(session, kind, startedAt) })
  recordWait(session, kind, startedAt, result !== undefined)
  return result
}

/** Shortest time limit of `poll`, in milliseconds: small budgets must not end early on a busy machine. */
const LEAST_LIMIT_MS = 60_000

/**
 * Calls a function until it does not return undefined. Returns undefined when the pauses between the calls exceed the
 * budget: responses do not count, because they take longer on a busy machine.
 *
 * @param options.budgetMs - returns the longest total pause, in milliseconds; by default `waitBudget`
 * @param options.longestMs - longest time with responses, in milliseconds; by default four budgets, at least one minute
 */
export async function poll<T>(
  session: Session,
  probe: () => Promise<T | undefined>,
  { budgetMs = () => waitBudget(session), longestMs }: { budgetMs?: () => number; longestMs?: number } = {},
): Promise<T | undefined> {
  const startedAt = performance.now()
  let waitedMs = 0
  for (let pause = 10; ; pause = Math.min(pause * 2, session.budgets.pollMs)) {
    const result = await probe()
    if (result !== undefined) return result
    const budget = budgetMs()
    const limit = longestMs ?? Math.max(LEAST_LIMIT_MS, 4 * budget)
    if (waitedMs > budget || performance.now() - startedAt > limit) return undefined
    await new Promise((resolve) => setTimeout(resolve, pause))
    waitedMs += pause
  }
}

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
  for (const factor of sleepFactors) {
    try {
      const result = await run(sleepMs(session, factor))
      if (isInTime(result) || factor === last) return result
    } catch (error) {
      // The sleep ended before the state showed it.
      if (!(error instanceof Inconclusive)) throw error
      if (factor === last && ['unknown', 'shown'].includes(progress.steps)) throw error
    }
  }
  progress.steps = 'hidden'
  return run(sleepMs(session, sleepFactors[1]))
}
