import type { Clock } from '../../runtime/clock.ts'

/** A run in flight. */
export interface Startable {
  /** The earliest start, in milliseconds since the Unix epoch. */
  readonly startAt: number
  /** Starts it. Called once. */
  begin(): void
}

/** Chooses the queued run to start while `executing` others execute; undefined starts none. */
export type ChooseNext = <Job extends Startable>(queued: readonly Job[], executing: number) => Job | undefined

/** Starts one run at a time, in the order of the queue. */
export const oneAtATime: ChooseNext = (queued, executing) => (executing === 0 ? queued[0] : undefined)

/** The runs in flight on one thread: those that execute, and those that are queued in the order of their start times. */
export class ThreadQueue<Job extends Startable> {
  readonly #clock: Clock
  readonly #chooseNext: ChooseNext
  readonly #executing: Set<Job> = new Set()
  #queued: readonly Job[] = []
  #cancelTimer: (() => void) | undefined

  constructor(clock: Clock, chooseNext: ChooseNext) {
    this.#clock = clock
    this.#chooseNext = chooseNext
  }

  /** All runs in flight, oldest first. */
  get jobs(): readonly Job[] {
    return [...this.#executing, ...this.#queued]
  }

  add(job: Job): void {
    const index = this.#queued.findLastIndex((other) => other.startAt <= job.startAt) + 1
    this.#queued = this.#queued.toSpliced(index, 0, job)
    this.#startNext()
  }

  /** Removes a run that has ended, and starts the next one. */
  remove(job: Job): void {
    this.#executing.delete(job)
    this.#dequeue(job)
    this.#startNext()
  }

  #dequeue(job: Job): void {
    this.#queued = this.#queued.filter((other) => other !== job)
  }

  #startNext(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    const next = this.#chooseNext(this.#queued, this.#executing.size)
    if (next === undefined) return
    const wait = next.startAt - this.#clock.now()
    if (wait > 0) {
      this.#cancelTimer = this.#clock.after(wait, () => this.#startNext())
    } else {
      this.#dequeue(next)
      this.#executing.add(next)
      next.begin()
      this.#startNext()
    }
  }
}
