import { dueTime } from '../../model/windows.ts'
import type { RegisteredDestination } from './destination.ts'

/** Scheduled export that `--phase start` created and `--phase verify` tests. */
export interface StartedSchedule {
  readonly id: string
  /** Start of its first window, ISO 8601. */
  readonly start: string
  /** Length of its windows. */
  readonly intervalHours: number
  /** Destination, which no other scheduled export uses. */
  readonly destination: RegisteredDestination
  /** Run type that its filter selects. */
  readonly runType?: string
  /** `export_fields`. */
  readonly fields?: readonly string[]
  /** Ids of the exports that it had spawned by the end of `--phase start`. */
  readonly spawnedAtStart: readonly string[]
}

/** Scheduled exports that `--phase start` created on one endpoint. */
export interface StartedSchedules {
  /** Time of creation by the clock of the service, ISO 8601. */
  readonly createdAt: string
  /** Some windows had ended and were due at its creation: whether these are exported is unspecified. */
  readonly past: StartedSchedule
  /** No window had ended at its creation. */
  readonly upcoming: StartedSchedule
  /** Like `upcoming`, but cancelled immediately. */
  readonly cancelled: StartedSchedule
}

/** Number of windows of `upcoming` that must be exported before `--phase verify`. */
const verifiedWindows = 2

/** Time from which all scheduled exports can be verified, in milliseconds since the Unix epoch. `lateMs` is `budgets.lateMs`. */
export function verifiableMs({ upcoming: { start, intervalHours } }: StartedSchedules, lateMs: number): number {
  return dueTime({ startMs: Date.parse(start), intervalMs: intervalHours * 3_600_000 }, verifiedWindows) + lateMs
}
