import type { Clock } from '../../control/clock.ts'

/** A run in flight. */
export interface Startable {
  /** Milliseconds since the Unix epoch before which it must not start. */
  readonly startAt: number
  /** Called once, when its turn has come. */
  begin(): void
}

/** The runs in flight on one thread: one executes, the others wait in the order in which they are due. */
export class Lane<Job extends Startable> {
  readonly #clock: Clock
  #jobs: readonly Job[] = []
  #active: Job | undefined
  #callOff: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Every run in flight, the executing one first. */
  get jobs(): readonly Job[] {
    return this.#jobs
  }

  add(job: Job): void {
    const place = this.#jobs.findLastIndex((other) => other === this.#active || other.startAt <= job.startAt) + 1
    this.#jobs = this.#jobs.toSpliced(place, 0, job)
    this.#startNext()
  }

  /** Takes out a run that has ended; the next one starts. */
  remove(job: Job): void {
    this.#jobs = this.#jobs.filter((other) => other !== job)
    if (this.#active === job) this.#active = undefined
    this.#startNext()
  }

  #startNext(): void {
    this.#callOff?.()
    this.#callOff = undefined
    const [first] = this.#jobs
    if (this.#active !== undefined || first === undefined) return
    const wait = first.startAt - this.#clock.now()
    if (wait > 0) {
      this.#callOff = this.#clock.after(wait, () => this.#startNext())
    } else {
      this.#active = first
      first.begin()
    }
  }
}
