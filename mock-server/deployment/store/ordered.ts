/** Items by id, which can also be iterated from the newest on. */
export class Ordered<T> {
  // Created with the first item: a map takes more memory than the rest of a thread, and many threads have no runs.
  #byId: Map<string, T> | undefined
  readonly #ids: string[] = []

  constructor(entries: Iterable<readonly [string, T]> = []) {
    for (const [id, item] of entries) this.add(id, item)
  }

  get size(): number {
    return this.#ids.length
  }

  get(id: string): T | undefined {
    return this.#byId?.get(id)
  }

  add(id: string, item: T): void {
    this.#byId ??= new Map()
    this.#byId.set(id, item)
    this.#ids.push(id)
  }

  /** Replaces an item. */
  replace(id: string, item: T): void {
    if (this.#byId?.has(id)) this.#byId.set(id, item)
  }

  delete(id: string): void {
    if (!this.#byId?.delete(id)) return
    // Removed items are nearly always among the newest.
    this.#ids.splice(this.#ids.lastIndexOf(id), 1)
  }

  /** Yields all items, newest first. */
  *newestFirst(): Generator<T> {
    for (let index = this.#ids.length - 1; index >= 0; index--) {
      const item = this.#byId?.get(this.#ids[index] ?? '')
      if (item !== undefined) yield item
    }
  }

  /** Returns all items with their ids, oldest first. */
  entries(): Iterable<[string, T]> {
    return this.#byId?.entries() ?? []
  }

  /** Returns all items, oldest first. */
  values(): Iterable<T> {
    return this.#byId?.values() ?? []
  }
}
