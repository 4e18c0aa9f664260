import { ByteWriter } from 'hyparquet-writer'
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js'

/** Strings that recur: each is held once, and every place where it stands as an index. */
export class Words {
  /** How many strings were added. */
  count = 0
  /** How many characters are held, about. */
  size = 0
  readonly #known = new Map<string, number>()
  #indexes = new Uint32Array(1024)

  /** How many of the strings differ. */
  get distinct(): number {
    return this.#known.size
  }

  add(word: string): void {
    let index = this.#known.get(word)
    if (index === undefined) {
      index = this.#known.size
      this.#known.set(word, index)
      this.size += word.length
    }
    if (this.count === this.#indexes.length) {
      const larger = new Uint32Array(this.count * 2)
      larger.set(this.#indexes)
      this.#indexes = larger
    }
    this.#indexes[this.count++] = index
  }

  /** Every string where it stands. */
  each(visit: (word: string) => void): void {
    const words = [...this.#known.keys()]
    for (let place = 0; place < this.count; place++) visit(words[this.#indexes[place] ?? 0] ?? '')
  }

  /** Every string once, in the order of the indexes. */
  eachDistinct(visit: (word: string) => void): void {
    for (const word of this.#known.keys()) visit(word)
  }

  /** The indexes in Parquet's RLE_DICTIONARY encoding: their width in bits, then runs and packed groups. */
  indexes(): Uint8Array {
    const width = Math.ceil(Math.log2(Math.max(1, this.#known.size)))
    const body = new ByteWriter()
    body.appendUint8(width)
    writeRleBitPackedHybrid(body, this.#indexes.subarray(0, this.count), width)
    return body.getBytes()
  }

  clear(): void {
    this.count = 0
    this.size = 0
    this.#known.clear()
  }
}
