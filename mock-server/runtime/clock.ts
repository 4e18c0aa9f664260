import { createPendingWork, eventLoopTurns } from './pending-work.ts'
import { preview } from './preview.ts'
import { timerQueue } from './timers.ts'

/** The clock of all runs, timers and timestamps of a server. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Returns when the next timer is due, in milliseconds since the Unix epoch; undefined without timers. */
  next(): number | undefined
  /** Resolves after `ms` milliseconds of this clock. Rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `task` once after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, task: () => void): () => void
  /** Advances the clock by `ms` and fires all due timers in their order. */
  advance(ms: number): Promise<void>
  /**
   * Makes `advance` wait between timers for work that takes real time, such as writing to a bucket. Without it, an
   * advance of a week would end before the work of the first hour. Returns a function that ends the wait, which also
   * ends after `longestMs` milliseconds of real time.
   */
  hold(longestMs: number): () => void
}

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

/** The part that differs between clocks. */
interface TimeSource {
  /** Returns milliseconds since the Unix epoch, with fractions. Never decreases. */
  now(): number
  /** Advances to a moment, unless it has passed. */
  jumpTo(moment: number): void
  /** Calls `ring` once at `due`, in place of an earlier call of `wakeAt`. Undefined cancels that. */
  wakeAt(due: number | undefined, ring: () => void): void
}

/** Creates a clock with timers, `sleep` and `advance` from a source of time. */
function clockFrom(source: TimeSource): Clock {
  const timers = timerQueue()
  const pendingWork = createPendingWork()
  let jumping = false
  let lastJump: Promise<void> = Promise.resolve()

  const wake = (): void => source.wakeAt(timers.first()?.due, ring)

  // During `advance`, only it fires timers, to keep their order.
  const ring = (): void => {
    if (jumping) return
    try {
      for (let timer = timers.first(); timer !== undefined && timer.due <= source.now(); timer = timers.first()) {
        timers.remove(timer)
        timer.task()
      }
    } finally {
      wake()
    }
  }

  const after = (ms: number, task: () => void): (() => void) => {
    if (Number.isNaN(ms)) throw new RangeError('A timer needs a number of milliseconds, received NaN')
    const timer = timers.add(source.now() + Math.max(0, ms), task)
    if (timers.first() === timer) wake()
    return () => {
      const wasFirst = timers.first() === timer
      timers.remove(timer)
      if (wasFirst) wake()
    }
  }

  const jump = async (ms: number): Promise<void> => {
    const target = source.now() + ms
    const turn = eventLoopTurns()
    jumping = true
    // Work may start other work one turn later.
    const untilIdle = async (): Promise<void> => {
      do {
        await pendingWork.ended()
        await turn.next()
      } while (pendingWork.any())
    }
    try {
      await untilIdle()
      for (let timer = timers.first(); timer !== undefined && timer.due <= target; timer = timers.first()) {
        source.jumpTo(timer.due)
        timers.remove(timer)
        timer.task()
        await untilIdle()
      }
      source.jumpTo(target)
    } finally {
      jumping = false
      turn.end()
      wake()
    }
  }

  return {
    now: () => Math.floor(source.now()),
    next: () => {
      const first = timers.first()
      return first && Math.ceil(first.due)
    },
    after,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason)
          return
        }
        const wakeUp = (): void => {
          signal?.removeEventListener('abort', abort)
          resolve()
        }
        const cancel = after(ms, wakeUp)
        const abort = (): void => {
          cancel()
          reject(signal?.reason)
        }
        signal?.addEventListener('abort', abort, { once: true })
      }),
    advance: (ms) => {
      if (!Number.isFinite(ms) || ms < 0) {
        return Promise.reject(
          new RangeError(`A clock moves forward by 0 or more milliseconds, received ${preview(ms)}`),
        )
      }
      const done = lastJump.then(() => jump(ms))
      lastJump = done.catch(() => undefined)
      return done
    },
    hold: pendingWork.add,
  }
}
