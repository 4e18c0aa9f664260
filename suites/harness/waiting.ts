import type { Session } from './session.ts'

/** Longest wait for one thing, in milliseconds: grows with the runs in flight, since a server may work them off one by one. */
export function waitBudget(session: Session): number {
  return session.budgets.waitMs * Math.max(1, session.inFlight.size)
}

/**
 * Probes until the result is not undefined. Returns undefined once the budget is spent: only the pauses between probes
 * count, since on a busy machine responses take longer, and so does what is waited for. `longestMs` is by the clock.
 */
export async function poll<T>(
  session: Session,
  probe: () => Promise<T | undefined>,
  longestMs: number = Number.POSITIVE_INFINITY,
): Promise<T | undefined> {
  const started = performance.now()
  let waited = 0
  for (let pause = 5; ; pause = Math.min(pause * 1.6, session.budgets.pollMs)) {
    const result = await probe()
    if (result !== undefined) return result
    if (waited > waitBudget(session) || performance.now() - started > longestMs) return undefined
    await new Promise((resolve) => setTimeout(resolve, pause))
    waited += pause
  }
}

/** Waits before something that costs a server more than a look is tried again: longer each time, ten seconds at most. */
export async function pauseBefore(again: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.min(10_000, 125 * 2 ** again)))
}
