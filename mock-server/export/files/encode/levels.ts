/** Which rows of a row group have a value, in memory that is used again. */
export class Levels {
  rows = 0
  nulls = 0
  #levels = new Uint8Array(1024)

  clear(): void {
    this.rows = 0
    this.nulls = 0
  }

  add(present: boolean): void {
    if (this.rows === this.#levels.length) {
      const larger = new Uint8Array(this.rows * 2)
      larger.set(this.#levels)
      this.#levels = larger
    }
    this.#levels[this.rows++] = present ? 1 : 0
    if (!present) this.nulls++
  }

  /** 1 for each row with a value, 0 for each without: valid until `clear`. */
  levels(): Uint8Array {
    return this.#levels.subarray(0, this.rows)
  }
}
