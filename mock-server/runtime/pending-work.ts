/** Work for which `advance` of a clock waits. */
export interface PendingWork {
  /** Adds work and returns a function that ends it. It also ends after `longestMs` milliseconds of real time. */
  add(longestMs: number): () => void
  any(): boolean
  /** Resolves when there is no work left. */
  ended(): Promise<void>
}

export function createPendingWork(): PendingWork {
  const pending = new Set<object>()
  const waiting: (() => void)[] = []
  return {
    add: (longestMs) => {
      const work = {}
      const end = (): void => {
        clearTimeout(expiry)
        if (!pending.delete(work) || pending.size > 0) return
        for (const resolve of waiting.splice(0)) resolve()
      }
      const expiry = setTimeout(end, longestMs)
      pending.add(work)
      return end
    },
    any: () => pending.size > 0,
    ended: () => (pending.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}

/** Turns of the event loop. When `next()` resolves, all pending promise reactions have run. */
export interface EventLoopTurns {
  next(): Promise<void>
  /** Closes the channel, so that the process can exit. */
  end(): void
}

/** Uses a message channel, which exists on every platform, is not replaced by fake timers, and takes microseconds. */
export function eventLoopTurns(): EventLoopTurns {
  let channel: InstanceType<typeof MessageChannel> | undefined
  return {
    next: () =>
      new Promise((resolve) => {
        channel ??= new MessageChannel()
        channel.port1.addEventListener('message', () => resolve(), { once: true })
        channel.port1.start()
        channel.port2.postMessage(undefined)
      }),
    end: () => channel?.port1.close(),
  }
}
