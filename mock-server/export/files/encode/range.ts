/** The smallest and the largest of some numbers. */
export class Range {
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY

  add(value: number): void {
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
  }

  /** Both, each as `as` has it; nothing where there was no number. */
  bounds<T>(as: (value: number) => T): { readonly min: T; readonly max: T } | undefined {
    return this.#min <= this.#max ? { min: as(this.#min), max: as(this.#max) } : undefined
  }

  clear(): void {
    this.#min = Number.POSITIVE_INFINITY
    this.#max = Number.NEGATIVE_INFINITY
  }
}
