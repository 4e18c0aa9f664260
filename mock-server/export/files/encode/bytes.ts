const TWO_TO_32 = 2 ** 32

/** Values in Parquet's PLAIN encoding. They share one growing buffer, which is reused after `clear`. */
export class PlainBytes {
  length = 0
  #buffer: Buffer = Buffer.allocUnsafeSlow(16_384)
  #view: DataView = viewOf(this.#buffer)

  clear(): void {
    this.length = 0
  }

  /** Frees the memory. Do not append afterwards. */
  release(): void {
    this.length = 0
    freeMemory(this.#buffer)
  }

  /** Returns the bytes, valid until the next append or `clear`. */
  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.length)
  }

  /** Appends a string: the length, then UTF-8. */
  text(value: string): void {
    // A UTF-16 code unit takes three bytes at most.
    this.#reserve(4 + value.length * 3)
    const written = this.#buffer.write(value, this.length + 4, 'utf8')
    this.#view.setUint32(this.length, written, true)
    this.length += 4 + written
  }

  /** Appends a safe integer as 64 bits. */
  int64(value: number): void {
    this.#reserve(8)
    const high = Math.floor(value / TWO_TO_32)
    this.#view.setUint32(this.length, value - high * TWO_TO_32, true)
    this.#view.setInt32(this.length + 4, high, true)
    this.length += 8
  }

  float64(value: number): void {
    this.#reserve(8)
    this.#view.setFloat64(this.length, value, true)
    this.length += 8
  }

  uint8(value: number): void {
    this.#reserve(1)
    this.#view.setUint8(this.length, value)
    this.length += 1
  }

  #reserve(size: number): void {
    if (this.length + size <= this.#buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(Math.ceil(this.#buffer.length * 1.5), this.length + size))
    this.#buffer.copy(larger, 0, 0, this.length)
    freeMemory(this.#buffer)
    this.#buffer = larger
    this.#view = viewOf(larger)
  }
}

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
}

/**
 * Frees the memory of bytes at once. Do not read them afterwards.
 *
 * The garbage collector sees only small objects here and would let an export grow to several times the memory it needs.
 * Small buffers are not freed, because they share Node's pool.
 */
export function freeMemory({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength > Buffer.poolSize) buffer.transfer(0)
}
