import type { EventLog } from '../runs/event-log.ts'

/** How far a reader of runs' events is behind them. */
export class Lag {
  readonly #limit: number
  readonly #exceeded: PromiseWithResolvers<void> = Promise.withResolvers()
  #stop: (() => void) | undefined
  #start = 0
  #taken = 0
  #isWaiting = false

  /** `limit` is the number of events that may happen while the reader takes none. */
  constructor(limit: number, left: AbortSignal) {
    this.#limit = limit
    left.addEventListener('abort', () => this.#stop?.(), { once: true })
  }

  /** Resolves when the reader has fallen behind by more than the limit. */
  get exceeded(): Promise<void> {
    return this.#exceeded.promise
  }

  /** The reader goes on with this log. What stands in it already is not counted: it was there before the reader. */
  follow(log: EventLog): void {
    this.#stop?.()
    this.#start = log.length
    this.#taken = 0
    const mark = {
      length: this.#start + this.#limit + 1,
      reached: () => {
        // Who waits for an event is not slow, however many come at once.
        if (this.#isWaiting) this.#start = log.length
        // The reader may have come nearer since the mark was made.
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

  /** The reader has taken so many of the log's events. */
  taken(count: number): void {
    this.#taken = count
  }
}
