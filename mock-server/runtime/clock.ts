/** The clock of all runs, timers and timestamps of a server. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves after `ms` milliseconds of this clock. Rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `task` once after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, task: () => void): () => void
  /** Advances the clock by `ms` and fires all due timers in their order. */
  advance(ms: number): Promise<void>
  /**
   * Makes `advance` wait between timers for work that takes real time, such as writing to a bucket. Without it, an
   * advance of a week would end before the work of the first hour. Returns a function that ends the wait, which also
   * ends after `longestMs` milliseconds of real time.
   */
  hold(longestMs: number): () => void
}
