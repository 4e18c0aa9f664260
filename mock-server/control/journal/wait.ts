import type { Entry } from './entry.ts'
import type { Exchange } from './exchange.ts'

/** For what, and how long, is waited. */
export interface WaitOptions {
  /**
   * How many exchanges.
   * @default 1
   */
  readonly count?: number | undefined
  /**
   * Milliseconds of real time, whatever the server's clock says.
   * @default 5000
   */
  readonly timeoutMs?: number | undefined
  /**
   * How far they must have come.
   * @default 'answered'
   */
  readonly until?: Exchange['state'] | undefined
  /** Ends the waiting: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

const ORDER: readonly Exchange['state'][] = ['arrived', 'answered', 'ended']

/** Whether an entry has come that far. */
export function hasReached({ state }: Pick<Entry, 'state'>, until: Exchange['state']): boolean {
  return ORDER.indexOf(state) >= ORDER.indexOf(until)
}

/** Those who wait for something to happen. */
export interface Waiting {
  /** Something has happened. */
  look(): void
  /** Resolves with what `find` finds, once it finds something; rejects with `tooLate` when the time is over. */
  until<T>(find: () => T | undefined, timeoutMs: number, tooLate: () => Error, signal?: AbortSignal): Promise<T>
}

export function createWaiting(): Waiting {
  const looks = new Set<() => void>()
  return {
    look: () => {
      for (const look of looks) look()
    },
    until: (find, timeoutMs, tooLate, signal) =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer)
          looks.delete(look)
          signal?.removeEventListener('abort', abort)
        }
        const look = (): void => {
          try {
            const found = find()
            if (found === undefined) return
            end()
            resolve(found)
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
          reject(tooLate())
        }, timeoutMs)
        looks.add(look)
        signal?.addEventListener('abort', abort, { once: true })
        if (signal?.aborted) abort()
        else look()
      }),
  }
}
