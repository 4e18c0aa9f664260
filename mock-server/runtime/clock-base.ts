import type { Clock } from './clock.ts'
import { createPendingWork, eventLoopTurns } from './pending-work.ts'
import { preview } from './preview.ts'
import { timerQueue } from './timers.ts'

/** The part that differs between clocks. */
export interface TimeSource {
  /** Returns milliseconds since the Unix epoch, with fractions. Never decreases. */
  now(): number
  /** Advances to a moment, unless it has passed. */
  jumpTo(moment: number): void
  /** Calls `ring` once at `due`, in place of an earlier call of `wakeAt`. Undefined cancels that. */
  wakeAt(due: number | undefined, ring: () => void): void
}

/** Creates a clock with timers, `sleep` and `advance` from a source of time. */
export function clockFrom(source: TimeSource): Clock {
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
