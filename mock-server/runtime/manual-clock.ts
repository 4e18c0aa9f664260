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
