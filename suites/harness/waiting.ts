import type { WaitKind } from './progress.ts'
import type { Session } from './session.ts'

/** Factor of waits before the first event of a kind: a server may be slow to execute its first run. */
const FIRST_WAIT_FACTOR = 3

/** Divisor of waits after one has timed out: the next event probably does not occur, either. */
export const TIMED_OUT_DIVISOR = 20

/** Number of missed events after which no other one is waited for longer: only some of them occur. */
const MANY_MISSED = 3

/** Longest sleep that is waited for if some runs do not end, as a multiple of `budgets.slowMs`. */
const LOST_SLEEPS = 2

/** Number of events, each of a wait that began later, after which an event probably does not occur. */
const OVERTAKEN = 10

/** Whether the next run probably does not end: the last one did not, or several did not. */
export function runsAreLost({ progress: { run } }: Session): boolean {
  return run.timedOut || run.missed >= MANY_MISSED
}

/**
 * Time in which all runs in flight end if the server executes them one after another, and the longest sleep of a graph, in
 * milliseconds. If no run ends, the time of one run.
 */
export function timeForAllRuns(session: Session): number {
  const { budgets, inFlight, progress } = session
  return budgets.waitMs * (runsAreLost(session) ? 1 : Math.max(1, inFlight.size)) + progress.sleepMs
}

/** Longest time from `startedAt` to wait for an event, in milliseconds. It may grow during the wait. */
export function waitLimit(session: Session, kind: WaitKind, startedAt: number): number {
  const { waitMs, slowMs } = session.budgets
  const { sleepMs, run } = session.progress
  const { endedAt, longestMs, timedOut, missed, latestStarts } = session.progress[kind]
  const shortest = waitMs / TIMED_OUT_DIVISOR
  if (Math.max(missed, run.missed) >= MANY_MISSED) return shortest + Math.min(sleepMs, LOST_SLEEPS * slowMs)
  // Others have occurred since: the server may execute runs one after another, one of them in each `budgets.waitMs`.
  if (endedAt >= startedAt) {
    const isOvertaken = latestStarts.length === OVERTAKEN && latestStarts.every((start) => start > startedAt)
    const patienceMs = isOvertaken ? waitMs : endedAt - startedAt
    return patienceMs + waitMs + sleepMs
  }
  if (timedOut || run.timedOut) return Math.max(shortest, 2 * longestMs)
  const isFirst = endedAt === 0 && !(['streamed-run', 'join'].includes(kind) && run.endedAt > 0)
  return (isFirst ? FIRST_WAIT_FACTOR : 1) * waitMs + sleepMs
}

/** Records the end of a wait. `ended`: whether the event occurred. */
export function recordWait(session: Session, kind: WaitKind, startedAt: number, ended: boolean): void {
  const progress = session.progress[kind]
  const now = performance.now()
  const othersEnded = progress.endedAt >= startedAt
  progress.timedOut = !ended && !othersEnded
  if (!ended) {
    if (othersEnded && now - startedAt >= session.budgets.waitMs) progress.missed += 1
    return
  }
  progress.endedAt = now
  progress.longestMs = Math.max(progress.longestMs, now - startedAt)
  progress.latestStarts = [...progress.latestStarts, startedAt].sort((a, b) => b - a).slice(0, OVERTAKEN)
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
