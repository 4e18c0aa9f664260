import type { EventLog } from '../runs/event-log.ts'

/** Measures how far a reader is behind the events of runs. */
export class Lag {
  readonly #limit: number
  readonly #exceeded: PromiseWithResolvers<void> = Promise.withResolvers()
  #stop: (() => void) | undefined
  #start = 0
  #taken = 0
  #isWaiting = false

  /** @param limit the number of events that the reader may be behind */
  constructor(limit: number, left: AbortSignal) {
    this.#limit = limit
    left.addEventListener('abort', () => this.#stop?.(), { once: true })
  }

  /** Resolves when the reader is behind by more than the limit. */
  get exceeded(): Promise<void> {
    return this.#exceeded.promise
  }

  /** Continues with the events of this log. Earlier events of it are not counted. */
  follow(log: EventLog): void {
    this.#stop?.()
    this.#start = log.length
    this.#taken = 0
    const mark = {
      length: this.#start + this.#limit + 1,
      reached: () => {
        // A reader that waits for an event is not slow, even if many arrive at once.
        if (this.#isWaiting) this.#start = log.length
        // The reader may have caught up since the mark was set.
        mark.length = Math.max(this.#start, this.#taken) + this.#limit + 1
        if (log.length >= mark.length) this.#exceeded.resolve()
      },
    }
    this.#stop = log.watch(mark)
  }

  /** Whether the reader waits for an event. */
  waits(isWaiting: boolean): void {
    this.#isWaiting = isWaiting
  }

  /** Called with the number of events of the log that the reader has read. */
  taken(count: number): void {
    this.#taken = count
  }
}
