/** The newest snapshots by id. */
export interface Snapshots {
  /** Adds a snapshot and returns its id. */
  add(snapshot: unknown): string
  has(id: string): boolean
  get(id: string): unknown
}

/** Keeps the newest `max` snapshots, to bound the memory. */
export function keepSnapshots(max: number): Snapshots {
  const snapshots = new Map<string, unknown>()
  let taken = 0
  return {
    add: (snapshot) => {
      const id = String(++taken)
      snapshots.set(id, snapshot)
      snapshots.delete(String(taken - max))
      return id
    },
    has: (id) => snapshots.has(id),
    get: (id) => snapshots.get(id),
  }
}
