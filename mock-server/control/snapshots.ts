/** Snapshots by number; only the newest are kept. */
export interface Snapshots {
  /** Keeps a snapshot and returns its id. */
  add(snapshot: unknown): string
  has(id: string): boolean
  get(id: string): unknown
}

/** Keeps the newest `most` snapshots, so that a client that never stops taking them does not fill the memory. */
export function keepSnapshots(most: number): Snapshots {
  const kept = new Map<string, unknown>()
  let taken = 0
  return {
    add: (snapshot) => {
      const id = String(++taken)
      kept.set(id, snapshot)
      kept.delete(String(taken - most))
      return id
    },
    has: (id) => kept.has(id),
    get: (id) => kept.get(id),
  }
}
