import type { Session } from './session.ts'

/** Longest wait for one thing, in milliseconds: grows with the runs in flight, since a server may work them off one by one. */
export function waitBudget(session: Session): number {
  return session.budgets.waitMs * Math.max(1, session.inFlight.size)
}

/**
 * Probes until the result is not undefined. Returns undefined once the budget is spent.
 *
 * Only the pauses between probes count, up to `slowest` times the budget by the clock: on a busy machine responses take
 * longer, and so does what is waited for.
 */
export async function poll<T>(
  session: Session,
  probe: () => Promise<T | undefined>,
  slowest = 4,
): Promise<T | undefined> {
  const started = performance.now()
  let waited = 0
  for (let pause = 5; ; pause = Math.min(pause * 1.6, session.budgets.pollMs)) {
    const result = await probe()
    if (result !== undefined) return result
    const budget = waitBudget(session)
    if (waited > budget || performance.now() - started > slowest * budget) return undefined
    await new Promise((resolve) => setTimeout(resolve, pause))
    waited += pause
  }
}

/** Waits before something that costs a server more than a look is tried again: longer each time, ten seconds at most. */
export async function pauseBefore(again: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.min(10_000, 125 * 2 ** again)))
}
