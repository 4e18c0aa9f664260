import { Inconclusive } from './errors.ts'
import type { WaitKind } from './progress.ts'
import type { Session } from './session.ts'

/**
 * Longest wait for one thing, in milliseconds: grows with the runs in flight, since a server may execute them one by one,
 * unless no run ends.
 */
export function waitBudget({ budgets, inFlight, progress }: Session): number {
  return budgets.waitMs * (progress.run.isStuck ? 1 : Math.max(1, inFlight.size))
}

/** How much longer the first waits are: a server may need some time until it executes its first run. */
const FIRST_WAIT_FACTOR = 3

/** How much shorter waits are on a server where they are in vain. */
const STUCK_DIVISOR = 20

/**
 * Returns how long to wait for something that was awaited from `started` on, in milliseconds: longer as long as other
 * waits end, because a server may execute runs one by one.
 */
export function waitLimit(session: Session, awaited: WaitKind, started: number): number {
  const { waitMs } = session.budgets
  const { endedAt, longestMs, isStuck } = session.progress[awaited]
  if (endedAt >= started) return waitBudget(session)
  const full = endedAt === 0 ? FIRST_WAIT_FACTOR * waitMs : waitMs
  return isStuck || session.progress.run.isStuck ? Math.max(waitMs / STUCK_DIVISOR, 2 * longestMs) : full
}

/** Notes whether a wait ended. Once one was in vain while no other one ended, later ones are short. */
export function recordWait(session: Session, awaited: WaitKind, started: number, ended: boolean): void {
  const progress = session.progress[awaited]
  const now = performance.now()
  progress.isStuck = !ended && progress.endedAt < started
  if (!ended) return
  progress.endedAt = now
  progress.longestMs = Math.max(progress.longestMs, now - started)
}

/** Probes something until the result is not undefined, as `poll` does. On a server where it never ends, waits are short. */
export async function pollEnd<T>(
  session: Session,
  awaited: WaitKind,
  probe: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const started = performance.now()
  const result = await poll(session, probe, { budgetMs: () => waitLimit(session, awaited, started) })
  recordWait(session, awaited, started, result !== undefined)
  return result
}

/** The shortest limit by the clock, in milliseconds: small budgets must not end early on a busy machine. */
const LEAST_LIMIT_MS = 60_000

/**
 * Probes until the result is not undefined. Returns undefined once the budget is spent. Only the pauses between probes
 * count, because on a busy machine responses take longer. A target with slow responses is waited for at most `longestMs`
 * milliseconds by the clock.
 *
 * `budgetMs` defaults to `waitBudget`, `longestMs` to four budgets and at least one minute.
 */
export async function poll<T>(
  session: Session,
  probe: () => Promise<T | undefined>,
  { budgetMs = () => waitBudget(session), longestMs }: { budgetMs?: () => number; longestMs?: number } = {},
): Promise<T | undefined> {
  const started = performance.now()
  let waited = 0
  for (let pause = 5; ; pause = Math.min(pause * 1.6, session.budgets.pollMs)) {
    const result = await probe()
    if (result !== undefined) return result
    const budget = budgetMs()
    const limit = longestMs ?? Math.max(LEAST_LIMIT_MS, 4 * budget)
    if (waited > budget || performance.now() - started > limit) return undefined
    await new Promise((resolve) => setTimeout(resolve, pause))
    waited += pause
  }
}

/** Waits before something that costs a server more than a look is tried again: longer each time, ten seconds at most. */
export async function backOff(again: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.min(10_000, 125 * 2 ** again)))
}

/** How much longer than at first a graph sleeps where the target was too slow. */
const longer = [1, 4, 16] as const

/** Runs a scenario with longer and longer sleeps until its requests were in time, and returns what it returned last. */
export async function retryWithLongerSleep<T>(
  { session }: { readonly session: Session },
  run: (ms: number) => Promise<T>,
  isInTime: (result: T) => boolean = Boolean,
): Promise<T> {
  const { slowMs } = session.budgets
  for (const factor of longer.slice(0, -1)) {
    try {
      const result = await run(slowMs * factor)
      if (isInTime(result)) return result
    } catch (error) {
      // The sleep was over before it was seen: it takes a longer one.
      if (!(error instanceof Inconclusive)) throw error
    }
  }
  return run(slowMs * (longer.at(-1) ?? 1))
}
