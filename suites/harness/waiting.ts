import { Inconclusive } from './errors.ts'
import type { Session } from './session.ts'

/** Longest wait for one thing, in milliseconds: grows with the runs in flight, since a server may work them off one by one. */
export function waitBudget(session: Session): number {
  return session.budgets.waitMs * Math.max(1, session.inFlight.size)
}

/** The shortest limit by the clock, in milliseconds: small budgets must not end early on a busy machine. */
const LEAST_LIMIT_MS = 60_000

/**
 * Probes until the result is not undefined. Returns undefined once the budget is spent. Only the pauses between probes
 * count, because on a busy machine responses take longer. A target with slow responses is waited for at most `longestMs`
 * milliseconds by the clock.
 *
 * `longestMs` defaults to four budgets, and at least one minute.
 */
export async function poll<T>(
  session: Session,
  probe: () => Promise<T | undefined>,
  longestMs?: number,
): Promise<T | undefined> {
  const started = performance.now()
  let waited = 0
  for (let pause = 5; ; pause = Math.min(pause * 1.6, session.budgets.pollMs)) {
    const result = await probe()
    if (result !== undefined) return result
    const budget = waitBudget(session)
    const limit = longestMs ?? Math.max(LEAST_LIMIT_MS, 4 * budget)
    if (waited > budget || performance.now() - started > limit) return undefined
    await new Promise((resolve) => setTimeout(resolve, pause))
    waited += pause
  }
}

/** Waits before something that costs a server more than a look is tried again: longer each time, ten seconds at most. */
export async function pauseBefore(again: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.min(10_000, 125 * 2 ** again)))
}

/** How much longer than at first a graph sleeps where the target was too slow. */
const longer = [1, 4, 16] as const

/** Runs a scenario with longer and longer sleeps until its requests were in time, and returns what it returned last. */
export async function untilInTime<T>(
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
