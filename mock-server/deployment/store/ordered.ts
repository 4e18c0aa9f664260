/** Things by their id, which can also be walked from the newest to the oldest without touching them all. */
export class Ordered<T> {
  // Made with the first item: a map costs more than all the rest of a thread, and many threads never get a run.
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

  /** Puts another item in the place of one that is there. */
  replace(id: string, item: T): void {
    if (this.#byId?.has(id)) this.#byId.set(id, item)
  }

  delete(id: string): void {
    if (!this.#byId?.delete(id)) return
    // What is taken out is nearly always among the newest.
    this.#ids.splice(this.#ids.lastIndexOf(id), 1)
  }

  /** Every item, newest first. */
  *newestFirst(): Generator<T> {
    for (let index = this.#ids.length - 1; index >= 0; index--) {
      const item = this.#byId?.get(this.#ids[index] ?? '')
      if (item !== undefined) yield item
    }
  }

  /** Every item with its id, oldest first. */
  entries(): Iterable<[string, T]> {
    return this.#byId?.entries() ?? []
  }

  /** Every item, oldest first. */
  values(): Iterable<T> {
    return this.#byId?.values() ?? []
  }
}
