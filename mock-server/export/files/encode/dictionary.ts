import { ByteWriter } from 'hyparquet-writer'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'

/** Strings of a row group: each distinct string once, and an index for each row. The memory is reused after `clear`. */
export class Dictionary {
  /** Number of added strings. */
  count = 0
  /** Approximate number of characters in memory. */
  size = 0
  readonly #indexByValue = new Map<string, number>()
  #indexes = new Uint32Array(1024)

  /** Number of distinct strings. */
  get distinct(): number {
    return this.#indexByValue.size
  }

  add(value: string): void {
    let index = this.#indexByValue.get(value)
    if (index === undefined) {
      index = this.#indexByValue.size
      this.#indexByValue.set(value, index)
      this.size += value.length
    }
    if (this.count === this.#indexes.length) {
      const larger = new Uint32Array(this.count * 2)
      larger.set(this.#indexes)
      this.#indexes = larger
    }
    this.#indexes[this.count++] = index
  }

  /** Visits the string of every row. */
  each(visit: (value: string) => void): void {
    const values = [...this.#indexByValue.keys()]
    for (let row = 0; row < this.count; row++) visit(values[this.#indexes[row] ?? 0] ?? '')
  }

  /** Visits every distinct string, in the order of the indexes. */
  eachDistinct(visit: (value: string) => void): void {
    for (const value of this.#indexByValue.keys()) visit(value)
  }

  /** Returns the indexes in Parquet's RLE_DICTIONARY encoding: bit width, then runs and bit-packed groups. */
  indexes(): Uint8Array {
    const width = Math.ceil(Math.log2(Math.max(1, this.#indexByValue.size)))
    const body = new ByteWriter()
    body.appendUint8(width)
    writeRleBitPackedHybrid(body, this.#indexes.subarray(0, this.count), width)
    return body.getBytes()
  }

  clear(): void {
    this.count = 0
    this.size = 0
    this.#indexByValue.clear()
  }
}
