/** The number of items that were taken, by key. */
export type Taken = ReadonlyMap<string, number>

/** The next item, if there is one, and its number, counted from 1. */
export interface Next<T> {
  readonly item: T | undefined
  readonly count: number
}

/** A list of items to take in order. Each key takes all of them. */
export class Sequence<T> {
  readonly #items: T[] = []
  #taken: Map<string, number> = new Map()
  #afterwards: ((count: number) => T | undefined) | undefined

  get length(): number {
    return this.#items.length
  }

  /** The number of items that were taken, of all keys. */
  get taken(): number {
    return [...this.#taken.values()].reduce((sum, count) => sum + count, 0)
  }

  add(item: T): void {
    this.#items.push(item)
  }

  /** Starts again at the first item after the last. */
  repeat(): void {
    this.#afterwards = (count) => this.#items[(count - 1) % this.#items.length]
  }

  /** Returns this item after the last. */
  otherwise(item: T): void {
    this.#afterwards = () => item
  }

  /** Takes the next item. Each key gets all items. */
  take(key: string = ''): Next<T> {
    const count = (this.#taken.get(key) ?? 0) + 1
    this.#taken.set(key, count)
    return { item: this.#items[count - 1] ?? this.#afterwards?.(count), count }
  }

  position(): Taken {
    return new Map(this.#taken)
  }

  goBack(taken: Taken): void {
    this.#taken = new Map(taken)
  }
}
