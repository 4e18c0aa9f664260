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
