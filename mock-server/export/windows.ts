const HOUR = 3_600_000

/** Delay between the end of a window and its export: 10 minutes, in milliseconds (rule 6 and Limits). */
export const SPAWN_DELAY_MS = 600_000

/** Window of one export of a schedule. Times are milliseconds since the Unix epoch. */
export interface ScheduleWindow {
  /** Inclusive. */
  readonly startMs: number
  /** Exclusive. */
  readonly endMs: number
  /** Creation time of the export of this window. */
  readonly dueMs: number
}

/**
 * Returns window `n`, counted from 1, of a schedule that starts at `startMs` and repeats every `hours` hours.
 *
 * @example
 * windowOf(Date.UTC(2026, 0, 1), 24, 1).endMs === Date.UTC(2026, 0, 2)
 */
export function windowOf(startMs: number, hours: number, n: number): ScheduleWindow {
  const endMs = startMs + n * hours * HOUR
  return { startMs: endMs - hours * HOUR, endMs, dueMs: endMs + SPAWN_DELAY_MS }
}

/** Returns the number of windows of a schedule that are due at `nowMs`. */
export function windowsDue(startMs: number, hours: number, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - SPAWN_DELAY_MS - startMs) / (hours * HOUR)))
}

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
