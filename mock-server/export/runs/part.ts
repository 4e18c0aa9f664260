// The least that stores take, but for the last part; ten thousand parts make 48 GiB.
const PART_BYTES = 5 * 2 ** 20

/** The bytes of one part of an upload as they gather, in memory that is used again for a later part. */
export class Part {
  readonly #most: number
  #memory: Buffer
  #size = 0

  /** A part holds `most` bytes at most; memory grows with what is in it. */
  constructor(most: number) {
    this.#most = most
    this.#memory = Buffer.allocUnsafeSlow(Math.min(most, 65_536))
  }

  get isFull(): boolean {
    return this.#size === this.#most
  }

  /** Copies as many bytes as there is room for, and tells how many. */
  add(bytes: Uint8Array): number {
    const count = Math.min(bytes.byteLength, this.#most - this.#size)
    this.#reserve(this.#size + count)
    this.#memory.set(bytes.subarray(0, count), this.#size)
    this.#size += count
    return count
  }

  /** The bytes so far: valid until `clear`. */
  bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#size)
  }

  clear(): void {
    this.#size = 0
  }

  #reserve(size: number): void {
    if (size <= this.#memory.byteLength) return
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#most, Math.max(size, this.#memory.byteLength * 2)))
    larger.set(this.bytes())
    this.#memory = larger
  }
}

/** Parts that one upload after the other takes and gives back. */
export class PartPool {
  readonly #idle: Part[] = []

  take(): Part {
    return this.#idle.pop() ?? new Part(PART_BYTES)
  }

  giveBack(part: Part): void {
    part.clear()
    this.#idle.push(part)
  }
}
