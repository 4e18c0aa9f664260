import type { Clock } from './clock.ts'
import { clockFrom } from './clock-base.ts'
import { preview } from './preview.ts'

/**
 * Creates a clock that changes only when you advance it.
 *
 * @example
 * const clock = manualClock(Date.UTC(2026, 0, 1))
 * const woken = clock.sleep(60_000)
 * await clock.advance(60_000)
 * await woken
 */
export function manualClock(startMs: number): Clock {
  if (!Number.isFinite(startMs))
    throw new RangeError(`A manual clock starts at a number of milliseconds, received ${preview(startMs)}`)
  let now = startMs
  return clockFrom({
    now: () => now,
    jumpTo: (moment) => {
      now = Math.max(now, moment)
    },
    wakeAt: (due, ring) => {
      if (due !== undefined && due <= now) queueMicrotask(ring)
    },
  })
}

// A longer delay would overflow the platform's timers and fire at once.
const LONGEST_DELAY = 2 ** 31 - 1

/**
 * Creates a clock that follows real time and can be advanced.
 *
 * It uses the platform's monotonic time, so that a change of the system date does not affect timers.
 */
export function systemClock(): Clock {
  let offset = Date.now() - performance.now()
  let handle: ReturnType<typeof setTimeout> | undefined
  const now = (): number => offset + performance.now()
  return clockFrom({
    now,
    jumpTo: (moment) => {
      offset += Math.max(0, moment - now())
    },
    wakeAt: (due, ring) => {
      clearTimeout(handle)
      if (due === undefined) return
      handle = setTimeout(ring, Math.min(LONGEST_DELAY, Math.max(0, Math.ceil(due - now()))))
    },
  })
}
