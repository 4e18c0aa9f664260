import type { Clock } from '../../runtime/clock.ts'

/** Work that takes real time: jumps of the clock wait for it, except where it waits for the clock itself. */
export interface Work {
  /** Waits by the clock; rejects when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  end(): void
}

export function beginWork(clock: Clock, longestHoldMs: number): Work {
  let release = clock.hold(longestHoldMs)
  return {
    sleep: async (ms, signal) => {
      release()
      try {
        await clock.sleep(ms, signal)
      } finally {
        release = clock.hold(longestHoldMs)
      }
    },
    end: () => release(),
  }
}
