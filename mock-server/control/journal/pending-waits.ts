import type { Entry, Exchange } from './exchange.ts'

/** Options of a wait for exchanges. */
export interface WaitOptions {
  /**
   * The number of exchanges.
   * @default 1
   */
  readonly count?: number | undefined
  /**
   * Milliseconds of real time, independent of the server's clock.
   * @default 5000
   */
  readonly timeoutMs?: number | undefined
  /**
   * The state that they must have reached.
   * @default 'answered'
   */
  readonly until?: Exchange['state'] | undefined
  /** Cancels the wait, which rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

const ORDER: readonly Exchange['state'][] = ['arrived', 'answered', 'ended']

/** Whether an entry has reached a state. */
export function hasReached({ state }: Pick<Entry, 'state'>, until: Exchange['state']): boolean {
  return ORDER.indexOf(state) >= ORDER.indexOf(until)
}

/** The waits of callers until a condition holds. */
export type PendingWaits = ReturnType<typeof createPendingWaits>

export function createPendingWaits() {
  const checks = new Set<() => void>()
  return {
    /** Checks the condition of every wait. */
    check: (): void => {
      for (const check of checks) check()
    },
    /** Resolves with the first value of `find`; rejects with the error of `onTimeout` after the timeout. */
    until: <T>(
      find: () => T | undefined,
      timeoutMs: number,
      onTimeout: () => Error,
      signal?: AbortSignal,
    ): Promise<T> =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer)
          checks.delete(check)
          signal?.removeEventListener('abort', abort)
        }
        const check = (): void => {
          try {
            const value = find()
            if (value === undefined) return
            end()
            resolve(value)
          } catch (error) {
            end()
            reject(error)
          }
        }
        const abort = (): void => {
          end()
          reject(signal?.reason)
        }
        const timer = setTimeout(() => {
          end()
          reject(onTimeout())
        }, timeoutMs)
        checks.add(check)
        signal?.addEventListener('abort', abort, { once: true })
        if (signal?.aborted) abort()
        else check()
      }),
  }
}
