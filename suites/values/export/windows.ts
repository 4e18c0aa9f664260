import { at } from '../json.ts'

/** How long after the end of its window a spawned export runs, in milliseconds. */
const DELAY_MS = 600_000

/** The windows of a schedule. Times of the service are milliseconds since the Unix epoch; windows count from 1. */
export interface Windows {
  readonly startMs: number
  readonly intervalMs: number
}

/** When a window ends. */
export function windowEnd({ startMs, intervalMs }: Windows, window: number): number {
  return startMs + window * intervalMs
}

/** When the export of a window runs. */
export function dueTime(windows: Windows, window: number): number {
  return windowEnd(windows, window) + DELAY_MS
}

/** The last window whose export was due at a time; 0 if there is none. */
export function lastDue(windows: Windows, ms: number): number {
  return windowAt(windows, ms - DELAY_MS) - 1
}

export function windowAt({ startMs, intervalMs }: Windows, ms: number): number {
  return Math.max(0, Math.floor((ms - startMs) / intervalMs)) + 1
}

/** Whether the body of a creation is that of a schedule. */
export function isScheduleRequest(body: unknown): boolean {
  return (at(body, 'interval_hours') ?? null) !== null
}
