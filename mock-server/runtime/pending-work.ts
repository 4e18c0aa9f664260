/** Work under way that jumps of a clock wait for. */
export interface Holds {
  /** Adds work; returns a function that ends it. It ends by itself after `longestMs` milliseconds of real time. */
  add(longestMs: number): () => void
  any(): boolean
  /** Resolves once there is no work under way. */
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
