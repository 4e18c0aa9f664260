import type { Thread } from '../records.ts'
import { Waiters } from './waiters.ts'

/** Notifies the readers of a thread's stream when a run is added or the thread is deleted. */
export class RunNotifier {
  readonly #waiting: Map<Thread, Waiters> = new Map()

  /** Resolves at the next notification for the thread, or when the reader disconnects. */
  async next(thread: Thread, left: AbortSignal): Promise<void> {
    const waiters = this.#waiting.get(thread) ?? new Waiters()
    this.#waiting.set(thread, waiters)
    await waiters.wait(left)
    if (waiters.size === 0) this.#waiting.delete(thread)
  }

  notify(thread: Thread): void {
    this.#waiting.get(thread)?.wake()
  }

  notifyAll(): void {
    for (const waiters of this.#waiting.values()) waiters.wake()
  }
}
