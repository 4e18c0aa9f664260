import type { Thread } from '../records.ts'
import { Waiters } from './waiters.ts'

/** Wakes those who follow a thread when something begins or ends there. */
export class Arrivals {
  readonly #waiting: Map<Thread, Waiters> = new Map()

  /** Resolves when the thread is told of next, or when the caller has left. */
  async next(thread: Thread, left: AbortSignal): Promise<void> {
    const waiters = this.#waiting.get(thread) ?? new Waiters()
    this.#waiting.set(thread, waiters)
    await waiters.wait(left)
    if (waiters.size === 0) this.#waiting.delete(thread)
  }

  tell(thread: Thread): void {
    this.#waiting.get(thread)?.wake()
  }

  tellAll(): void {
    for (const waiters of this.#waiting.values()) waiters.wake()
  }
}
