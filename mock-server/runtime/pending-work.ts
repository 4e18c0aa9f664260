/** Work for which `advance` of a clock waits. */
export interface Holds {
  /** Adds work and returns a function that ends it. It also ends after `longestMs` milliseconds of real time. */
  add(longestMs: number): () => void
  any(): boolean
  /** Resolves when there is no work left. */
  ended(): Promise<void>
}

export function holds(): Holds {
  const under = new Set<object>()
  const waiting: (() => void)[] = []
  return {
    add: (longestMs) => {
      const work = {}
      const end = (): void => {
        clearTimeout(expiry)
        if (!under.delete(work) || under.size > 0) return
        for (const go of waiting.splice(0)) go()
      }
      const expiry = setTimeout(end, longestMs)
      under.add(work)
      return end
    },
    any: () => under.size > 0,
    ended: () => (under.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}

/** Turns of the event loop. When `next()` resolves, all pending promise reactions have run. */
export interface Turns {
  next(): Promise<void>
  /** Closes the channel, so that the process can exit. */
  end(): void
}

/** Uses a message channel: every platform has it, fake timers do not replace it, and it takes microseconds. */
export function turns(): Turns {
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
