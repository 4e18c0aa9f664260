/** A scheduled task. */
interface Timer {
  readonly due: number
  readonly order: number
  readonly task: () => void
  /** Index in the heap; -1 after its removal. */
  index: number
}

/** Timers in the order of their due times, and of their addition for equal times. */
export interface TimerQueue {
  /** Returns the timer that is due first. */
  first(): Timer | undefined
  add(due: number, task: () => void): Timer
  /** Removes a timer, unless it was removed before. */
  remove(timer: Timer): void
}

const before = (a: Timer, b: Timer): boolean => a.due < b.due || (a.due === b.due && a.order < b.order)

/** Creates a binary heap that tracks the index of each timer, so that removing one is as fast as adding one. */
export function timerQueue(): TimerQueue {
  const heap: Timer[] = []
  let added = 0

  const put = (timer: Timer, index: number): void => {
    heap[index] = timer
    timer.index = index
  }

  const rise = (timer: Timer): void => {
    let index = timer.index
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || !before(timer, parent)) break
      put(parent, index)
      index = above
    }
    put(timer, index)
  }

  const sink = (timer: Timer): void => {
    let index = timer.index
    for (;;) {
      const left = heap[2 * index + 1]
      const right = heap[2 * index + 2]
      const child = left !== undefined && right !== undefined && before(right, left) ? right : left
      if (child === undefined || !before(child, timer)) break
      const below = child.index
      put(child, index)
      index = below
    }
    put(timer, index)
  }

  return {
    first: () => heap[0],
    add: (due, task) => {
      const timer: Timer = { due, order: added++, task, index: heap.length }
      heap.push(timer)
      rise(timer)
      return timer
    },
    remove: (timer) => {
      if (timer.index < 0) return
      const last = heap.pop()
      if (last !== undefined && last !== timer) {
        put(last, timer.index)
        rise(last)
        sink(last)
      }
      timer.index = -1
    },
  }
}
