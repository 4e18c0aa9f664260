import { dueTime } from '../../model/windows.ts'
import type { RegisteredDestination } from './destination.ts'

/** A scheduled export that was started to be verified later. */
export interface StartedSchedule {
  readonly id: string
  /** Begin of its first window, ISO 8601. */
  readonly start: string
  readonly hours: number
  /** Its destination, which no other export has. */
  readonly destination: RegisteredDestination
  /** The type of run that its filter lets through. */
  readonly runType?: string
  /** Its `export_fields`. */
  readonly fields?: readonly string[]
  /** Ids of what it had spawned when the launch ended. */
  readonly spawnedThen: readonly string[]
}

/** What was started on one endpoint. */
export interface StartedSchedules {
  /** By the clock of the service, ISO 8601. */
  readonly at: string
  /** It began hours ago: what becomes of its past windows is left open. */
  readonly past: StartedSchedule
  /** Its first window is not over yet. */
  readonly ahead: StartedSchedule
  /** Like `ahead`, and cancelled at once. */
  readonly cancelled: StartedSchedule
}

/** Windows of the schedule ahead that are waited for: that one is lost between them shows with two. */
const awaited = 2

/** When all schedules can be verified, in milliseconds since the Unix epoch. */
export function verifiableMs({ ahead: { start, hours } }: StartedSchedules, lateMs: number): number {
  return dueTime({ startMs: Date.parse(start), intervalMs: hours * 3_600_000 }, awaited) + lateMs
}
