import { dueTime } from '../../model/windows.ts'
import type { RegisteredDestination } from './destination.ts'

/** Scheduled export that `--phase start` created and `--phase verify` tests. */
export interface StartedSchedule {
  readonly id: string
  /** Start of its first window, ISO 8601. */
  readonly start: string
  readonly hours: number
  /** Destination that no other export has. */
  readonly destination: RegisteredDestination
  /** Type of the runs that its filter passes. */
  readonly runType?: string
  /** `export_fields`. */
  readonly fields?: readonly string[]
  /** Ids of the exports that it had spawned at the end of `--phase start`. */
  readonly spawnedThen: readonly string[]
}

/** Scheduled exports that `--phase start` created on one endpoint. */
export interface StartedSchedules {
  /** Time of creation by the clock of the service, ISO 8601. */
  readonly at: string
  /** Starts hours before its creation: whether its past windows are exported is unspecified. */
  readonly past: StartedSchedule
  /** Its first window has not ended. */
  readonly ahead: StartedSchedule
  /** Like `ahead`, but cancelled immediately. */
  readonly cancelled: StartedSchedule
}

/** Number of windows of `ahead` that must be exported before `--phase verify`. */
const verifiedWindows = 2

/** Time from which all scheduled exports can be verified, in milliseconds since the Unix epoch. */
export function verifiableMs({ ahead: { start, hours } }: StartedSchedules, lateMs: number): number {
  return dueTime({ startMs: Date.parse(start), intervalMs: hours * 3_600_000 }, verifiedWindows) + lateMs
}
