/** Callers that wait for the same event. One that disconnects is removed at once. */
export class Waiters {
  readonly #waiting: Set<() => void> = new Set()

  get size(): number {
    return this.#waiting.size
  }

  /** Resolves at the next `wake`, or when the caller disconnects. */
  wait(left: AbortSignal): Promise<void> {
    if (left.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(wake)
        left.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      left.addEventListener('abort', wake)
    })
  }

  wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }
}
