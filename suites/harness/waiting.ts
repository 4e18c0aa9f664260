import { Unmet } from './errors.ts'
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

/** Waits for a promise within the budget; what does not come in time is unmet. */
export async function within<T>(session: Session, what: string, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const budget = waitBudget(session)
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Unmet(`${what} did not come`, `${what} within ${budget} ms (budgets.waitMs)`, 'nothing in that time'))
    }, budget)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
