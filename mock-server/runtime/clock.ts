/** A source of time that every run, timer and timestamp of the server uses. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves once `ms` milliseconds have passed on this clock; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `task` once after `ms` milliseconds; returns a function that calls it off. */
  after(ms: number, task: () => void): () => void
  /** Jumps forward by `ms` and fires every timer that became due, in order of its due time. */
  advance(ms: number): Promise<void>
  /**
   * Makes jumps wait, between one moment and the next, for work that takes real time, such as writing to a bucket:
   * else a jump over a week would be over before the work of its first hour. Returns a function that ends the waiting;
   * it ends by itself after `longestMs` milliseconds of real time.
   */
  hold(longestMs: number): () => void
}
