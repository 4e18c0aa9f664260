import type { JsonObject } from '../../http/fields.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { AuthUser } from '../auth/handlers.ts'
import type { RunCreate } from '../schemas/requests.ts'
import type { Ordered } from '../store/ordered.ts'
import { nextTime, readSchedule } from './schedule.ts'

/** A cron: it creates a run at each time of its schedule. Times are milliseconds since the Unix epoch. */
export interface Cron {
  readonly cron_id: string
  readonly assistant_id: string
  /** Null for runs on a new thread each. */
  readonly thread_id: string | null
  readonly user: AuthUser | undefined
  readonly created_at: number
  updated_at: number
  schedule: string
  timezone: string | null
  end_time: string | null
  enabled: boolean
  on_run_completed: 'delete' | 'keep'
  metadata: JsonObject
  /** The request of each run. */
  payload: RunCreate
  /** Null after the last run. */
  next_run_date: number | null
}

/** Sets when a cron is due next, after `now`. */
export function planNext(cron: Cron, now: number): void {
  const schedule = readSchedule(cron.schedule)
  const next = schedule && nextTime(schedule, cron.timezone ?? 'UTC', now)
  const isOver = next === undefined || (cron.end_time !== null && next > Date.parse(cron.end_time))
  cron.next_run_date = isOver ? null : next
}

/** Calls `fire` for each cron when it is due by the clock. */
export class CronTimers {
  readonly #clock: Clock
  readonly #fire: (cron: Cron) => void
  readonly #timers: Map<string, () => void> = new Map()

  constructor(clock: Clock, crons: Ordered<Cron>, fire: (cron: Cron) => void) {
    this.#clock = clock
    this.#fire = fire
    for (const cron of crons.values()) this.set(cron)
  }

  /** Follows a new or changed cron. */
  set(cron: Cron): void {
    this.cancel(cron.cron_id)
    if (!cron.enabled || cron.next_run_date === null) return
    const run = (): void => {
      // A time that has passed while no server ran is due once.
      planNext(cron, this.#clock.now())
      this.set(cron)
      this.#fire(cron)
    }
    this.#timers.set(cron.cron_id, this.#clock.after(cron.next_run_date - this.#clock.now(), run))
  }

  cancel(cron_id: string): void {
    this.#timers.get(cron_id)?.()
    this.#timers.delete(cron_id)
  }

  stop(): void {
    for (const cron_id of [...this.#timers.keys()]) this.cancel(cron_id)
  }
}
