/** Lets so many at a time pass, in the order in which they came. */
export interface Limiter {
  /** Resolves with what gives the place back. Rejects with the signal's reason when aborted while waiting. */
  take(signal: AbortSignal): Promise<() => void>
}

/** A limiter with `most` places. */
export function createLimiter(most: number): Limiter {
  const waiting = new Set<() => void>()
  let taken = 0
  const giveBack = (): void => {
    taken--
    const [next] = waiting
    next?.()
  }
  return {
    take: (signal) =>
      new Promise((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(enter)
          reject(signal.reason)
        }
        const enter = (): void => {
          waiting.delete(enter)
          signal.removeEventListener('abort', leave)
          taken++
          resolve(giveBack)
        }
        if (signal.aborted) leave()
        else if (taken < most) enter()
        else {
          waiting.add(enter)
          signal.addEventListener('abort', leave, { once: true })
        }
      }),
  }
}
