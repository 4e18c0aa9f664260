/** Limits concurrency. Waiting callers are served in order. */
export interface Limiter {
  /** Resolves with a function that releases the slot. Rejects with the reason of the signal if aborted while waiting. */
  acquire(signal: AbortSignal): Promise<() => void>
}

/** Creates a limiter with `slots` slots. */
export function createLimiter(slots: number): Limiter {
  const waiting = new Set<() => void>()
  let used = 0
  const release = (): void => {
    used--
    const [next] = waiting
    next?.()
  }
  return {
    acquire: (signal) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(enter)
          reject(signal.reason)
        }
        const enter = (): void => {
          waiting.delete(enter)
          signal.removeEventListener('abort', leave)
          used++
          resolve(release)
        }
        if (signal.aborted) leave()
        else if (used < slots) enter()
        else {
          waiting.add(enter)
          signal.addEventListener('abort', leave, { once: true })
        }
      }),
  }
}
