import type { Clock } from '../../runtime/clock.ts'

/** A run in flight. */
export interface Startable {
  /** Milliseconds since the Unix epoch before which it must not start. */
  readonly startAt: number
  /** Called once, when its turn has come. */
  begin(): void
}

/** Which of the queued runs may start beside so many that execute; undefined lets all of them wait. */
export type ChooseNext = <Job extends Startable>(queued: readonly Job[], executing: number) => Job | undefined

/** One run at a time, in the order of arrival. */
export const oneByOne: ChooseNext = (queued, executing) => (executing === 0 ? queued[0] : undefined)

/** The runs in flight on one thread: those that execute, and those that wait in the order in which they are due. */
export class Lane<Job extends Startable> {
  readonly #clock: Clock
  readonly #chooseNext: ChooseNext
  readonly #executing: Set<Job> = new Set()
  #queued: readonly Job[] = []
  #callOff: (() => void) | undefined

  constructor(clock: Clock, chooseNext: ChooseNext) {
    this.#clock = clock
    this.#chooseNext = chooseNext
  }

  /** Every run in flight, oldest first. */
  get jobs(): readonly Job[] {
    return [...this.#executing, ...this.#queued]
  }

  add(job: Job): void {
    const place = this.#queued.findLastIndex((other) => other.startAt <= job.startAt) + 1
    this.#queued = this.#queued.toSpliced(place, 0, job)
    this.#startNext()
  }

  /** Takes out a run that has ended; the next one starts. */
  remove(job: Job): void {
    this.#executing.delete(job)
    this.#dequeue(job)
    this.#startNext()
  }

  #dequeue(job: Job): void {
    this.#queued = this.#queued.filter((other) => other !== job)
  }

  #startNext(): void {
    this.#callOff?.()
    this.#callOff = undefined
    const next = this.#chooseNext(this.#queued, this.#executing.size)
    if (next === undefined) return
    const wait = next.startAt - this.#clock.now()
    if (wait > 0) {
      this.#callOff = this.#clock.after(wait, () => this.#startNext())
    } else {
      this.#dequeue(next)
      this.#executing.add(next)
      next.begin()
      this.#startNext()
    }
  }
}
