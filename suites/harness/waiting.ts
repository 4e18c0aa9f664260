import type { Session } from './session.ts'

/** Longest wait for one thing, in milliseconds: grows with the runs in flight, since a server may work them off one by one. */
export function waitBudget(session: Session): number {
  return session.budgets.waitMs * Math.max(1, session.inFlight.size)
}

/** Probes until something comes that is not undefined; undefined once the budget is spent. */
export async function poll<T>(session: Session, probe: () => Promise<T | undefined>): Promise<T | undefined> {
  const started = performance.now()
  for (let pause = 5; ; pause = Math.min(pause * 1.6, session.budgets.pollMs)) {
    const found = await probe()
    if (found !== undefined) return found
    if (performance.now() - started > waitBudget(session)) return undefined
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** Waits before something that costs a server more than a look is tried again: longer each time, ten seconds at most. */
export async function pauseBefore(again: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.min(10_000, 125 * 2 ** again)))
}
