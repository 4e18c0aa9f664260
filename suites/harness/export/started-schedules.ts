import { z } from 'zod'
import { dueTime } from '../../values/export/windows.ts'

const time = z.iso.datetime()

const startedSchedule = z.strictObject({
  id: z.string(),
  /** Start of its first window, ISO 8601. */
  start: time,
  /** Length of its windows. */
  intervalHours: z.int().min(1),
  /** Destination, which no other scheduled export uses. */
  destination: z.strictObject({ id: z.string(), bucket: z.string(), prefix: z.string() }),
  /** Run type that its filter selects. */
  runType: z.string().exactOptional(),
  /** `export_fields`. */
  fields: z.array(z.string()).exactOptional(),
  /** Ids of the exports that it had spawned by the end of `--phase start`. */
  spawnedAtStart: z.array(z.string()),
})

/** Validates the scheduled exports of one endpoint in a state file. */
export const startedSchedules = z.strictObject({
  /** Time of creation by the clock of the service, ISO 8601. */
  createdAt: time,
  /** Some windows had ended and were due at its creation: whether these are exported is unspecified. */
  past: startedSchedule,
  /** No window had ended at its creation. */
  upcoming: startedSchedule,
  /** Like `upcoming`, but cancelled immediately. */
  cancelled: startedSchedule,
})

/** Scheduled export that `--phase start` created and `--phase verify` tests. */
export type StartedSchedule = z.infer<typeof startedSchedule>

/** Scheduled exports that `--phase start` created on one endpoint. */
export type StartedSchedules = z.infer<typeof startedSchedules>

/** Number of windows of `upcoming` that must be exported before `--phase verify`. */
const verifiedWindows = 2

/** Time from which all scheduled exports can be verified, in milliseconds since the Unix epoch. `lateMs` is `budgets.lateMs`. */
export function verifiableMs({ upcoming: { start, intervalHours } }: StartedSchedules, lateMs: number): number {
  return dueTime({ startMs: Date.parse(start), intervalMs: intervalHours * 3_600_000 }, verifiedWindows) + lateMs
}
