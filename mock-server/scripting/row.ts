/** How many have been taken, of each row of their own. */
export type Taken = ReadonlyMap<string, number>

/** What a row answers: the item, where there is one left, and its place, counted from 1. */
export interface Next<T> {
  readonly item: T | undefined
  readonly count: number
}

/** Things that are given one after the other. */
export class Row<T> {
  readonly #items: T[] = []
  #taken: Map<string, number> = new Map()
  #afterwards: ((count: number) => T | undefined) | undefined

  get length(): number {
    return this.#items.length
  }

  /** How many have been taken, of all rows. */
  get taken(): number {
    return [...this.#taken.values()].reduce((sum, count) => sum + count, 0)
  }

  add(item: T): void {
    this.#items.push(item)
  }

  /** Begins again at the first one when all have been given. */
  repeat(): void {
    this.#afterwards = (count) => this.#items[(count - 1) % this.#items.length]
  }

  /** Gives this one when all have been given. */
  otherwise(item: T): void {
    this.#afterwards = () => item
  }

  /** The next one; who names a row gets all of them, whatever others got. */
  take(row: string = ''): Next<T> {
    const count = (this.#taken.get(row) ?? 0) + 1
    this.#taken.set(row, count)
    return { item: this.#items[count - 1] ?? this.#afterwards?.(count), count }
  }

  position(): Taken {
    return new Map(this.#taken)
  }

  goBack(taken: Taken): void {
    this.#taken = new Map(taken)
  }
}
