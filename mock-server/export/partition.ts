const DAY = 86_400_000

/** Part of an export that one run covers: the part of its window on one date in UTC. */
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
 * Splits a window into one partition per date in UTC, in order. An empty window has no partition.
 *
 * @param startMs Inclusive, in milliseconds since the Unix epoch.
 * @param endMs Exclusive, in milliseconds since the Unix epoch.
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
