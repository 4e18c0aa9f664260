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
