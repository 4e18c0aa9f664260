import { eventLoopTurns } from '../../runtime/pending-work.ts'
import type { ExportContext } from '../context.ts'
import type { Executor } from '../runs/executor.ts'
import type { BulkExport } from '../types.ts'
import { addExport } from './create.ts'

/**
 * Spawns the exports of schedules when their windows are due. Section of the specification: Endpoints, rule 6.
 *
 * The number of spawned windows is stored in the same transaction as the last export, so that neither a jump of the clock
 * nor the end of the process skips or repeats a window.
 */
export class Spawner {
  readonly #context: ExportContext
  readonly #executor: Executor
  /** Functions that cancel the timer of each schedule. */
  readonly #timers: Map<string, () => void> = new Map()

  constructor(context: ExportContext, executor: Executor) {
    this.#context = context
    this.#executor = executor
  }

  /** Starts a schedule. Spawns all windows that are already due. */
  start(schedule: BulkExport): void {
    const { clock } = this.#context
    const wait = (this.#nextDue(schedule.id) ?? Number.POSITIVE_INFINITY) - clock.now()
    if (wait > 0) this.#wait(schedule.id, wait)
    else void this.#catchUp(schedule.id)
  }

  /** Stops a schedule. */
  stop(id: string): void {
    this.#timers.get(id)?.()
    this.#timers.delete(id)
  }

  stopAll(): void {
    for (const id of [...this.#timers.keys()]) this.stop(id)
  }

  #wait(id: string, ms: number): void {
    if (ms === Number.POSITIVE_INFINITY) return
    this.#timers.set(
      id,
      this.#context.clock.after(ms, () => void this.#catchUp(id)),
    )
  }

  /** Spawns every due window, yielding to the event loop after each, then waits for the next. */
  async #catchUp(id: string): Promise<void> {
    const { clock, policies } = this.#context
    let stopped = false
    this.#timers.set(id, () => {
      stopped = true
    })
    const isDue = () => !stopped && (this.#nextDue(id) ?? Number.POSITIVE_INFINITY) <= clock.now()
    if (isDue()) this.#spawn(id)
    if (isDue()) {
      const release = clock.hold(policies.longestHoldMs)
      const turn = eventLoopTurns()
      do {
        await turn.next()
        if (isDue()) this.#spawn(id)
      } while (isDue())
      turn.end()
      release()
    }
    if (!stopped) this.#wait(id, (this.#nextDue(id) ?? Number.POSITIVE_INFINITY) - clock.now())
  }

  /** Returns the time at which the next window is due; undefined after cancellation. */
  #nextDue(id: string): number | undefined {
    const { store, policies } = this.#context
    const schedule = store.exports.get(id)
    if (schedule?.status !== 'IntervalScheduled' || schedule.interval_hours === null) return undefined
    return policies.windowOf(schedule.start_time, schedule.interval_hours, policies.nextWindow(schedule)).dueMs
  }

  #spawn(id: string): void {
    const { store, policies, clock } = this.#context
    const schedule = store.exports.get(id)
    if (schedule === undefined || schedule.interval_hours === null) return
    const n = policies.nextWindow(schedule)
    const { startMs, endMs } = policies.windowOf(schedule.start_time, schedule.interval_hours, n)
    const order = { ...schedule, start_time: startMs, end_time: endMs, interval_hours: null }
    let spawned: BulkExport | undefined
    store.atomically(() => {
      spawned = addExport(this.#context, schedule.tenant_id, order, policies.sourceOf(schedule))
      store.exports.update(schedule, { spawned: n, updated_at: clock.now() })
    })
    if (spawned !== undefined) this.#executor.enqueue(spawned)
  }
}
