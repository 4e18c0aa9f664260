const HOUR = 3_600_000

/** How long after its end a window is exported: 10 minutes, in milliseconds (rule 6 and Limits). */
export const SPAWN_DELAY_MS = 600_000

/** What the n-th export of a schedule covers and when it is created; milliseconds since the Unix epoch. */
export interface ScheduleWindow {
  /** Inclusive. */
  readonly startMs: number
  /** Exclusive. */
  readonly endMs: number
  /** When the export of this window is created. */
  readonly dueMs: number
}

/**
 * The n-th window, counted from 1, of a schedule that starts at `startMs` and repeats every `hours` hours.
 *
 * @example windowOf(Date.UTC(2026, 0, 1), 24, 1).endMs === Date.UTC(2026, 0, 2)
 */
export function windowOf(startMs: number, hours: number, n: number): ScheduleWindow {
  const endMs = startMs + n * hours * HOUR
  return { startMs: endMs - hours * HOUR, endMs, dueMs: endMs + SPAWN_DELAY_MS }
}

/** How many windows of a schedule are due at `nowMs`: 0 before the first one is. */
export function windowsDue(startMs: number, hours: number, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - SPAWN_DELAY_MS - startMs) / (hours * HOUR)))
}
