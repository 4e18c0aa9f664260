const DAY = 86_400_000

/** What one export run covers of its export: the part of a window that lies on one date in UTC. */
export interface Partition {
  readonly year: number
  /** 1 to 12. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
  /** Milliseconds since the Unix epoch, inclusive. */
  readonly startMs: number
  /** Milliseconds since the Unix epoch, exclusive. */
  readonly endMs: number
}

/**
 * Cuts a window, start inclusive and end exclusive in milliseconds since the Unix epoch, into the dates in UTC that it
 * touches, in order. The first and the last are cut by the window; an empty window has none.
 */
export function partitionsOf(startMs: number, endMs: number): readonly Partition[] {
  const partitions: Partition[] = []
  for (let midnight = Math.floor(startMs / DAY) * DAY; midnight < endMs; midnight += DAY) {
    const date = new Date(midnight)
    const from = Math.max(startMs, midnight)
    const to = Math.min(endMs, midnight + DAY)
    if (from >= to) continue
    partitions.push({
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      startMs: from,
      endMs: to,
    })
  }
  return partitions
}
