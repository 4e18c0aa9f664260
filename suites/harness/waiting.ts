import type { WaitKind } from './progress.ts'
import type { Session } from './session.ts'

/** Factor of waits before the first event of a kind: a server may be slow to execute its first run. */
const FIRST_WAIT_FACTOR = 3

/** Divisor of waits after one has timed out: the next event probably does not occur, either. */
export const TIMED_OUT_DIVISOR = 20

/**
 * Time in which all runs in flight end if the server executes them one after another, and the longest sleep of a graph, in
 * milliseconds. If no run ends, the time of one run.
 */
export function timeForAllRuns({ budgets, inFlight, progress }: Session): number {
  return budgets.waitMs * (progress.run.timedOut ? 1 : Math.max(1, inFlight.size)) + progress.sleepMs
}

/** Longest time from `startedAt` to wait for an event, in milliseconds. It may grow during the wait. */
export function waitLimit(session: Session, kind: WaitKind, startedAt: number): number {
  const { waitMs } = session.budgets
  const { sleepMs, run } = session.progress
  const { endedAt, longestMs, timedOut } = session.progress[kind]
  // Others have occurred since: the server may execute runs one after another, one of them in each `budgets.waitMs`.
  if (endedAt >= startedAt) return Math.min(timeForAllRuns(session), endedAt - startedAt + waitMs + sleepMs)
  if (timedOut || run.timedOut) return Math.max(waitMs / TIMED_OUT_DIVISOR, 2 * longestMs)
  const isFirst = endedAt === 0 && !(kind === 'streamed-run' && run.endedAt > 0)
  return (isFirst ? FIRST_WAIT_FACTOR : 1) * waitMs + sleepMs
}

/** Records the end of a wait. `ended`: whether the event occurred. */
export function recordWait(session: Session, kind: WaitKind, startedAt: number, ended: boolean): void {
  const progress = session.progress[kind]
  const now = performance.now()
  progress.timedOut = !ended && progress.endedAt < startedAt
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
 * @param options.budgetMs - returns the longest total pause, in milliseconds; by default `timeForAllRuns`
 * @param options.longestMs - longest time with responses, in milliseconds; by default four budgets, at least one minute
 */
export async function poll<T>(
  session: Session,
  probe: () => Promise<T | undefined>,
  { budgetMs = () => timeForAllRuns(session), longestMs }: { budgetMs?: () => number; longestMs?: number } = {},
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
