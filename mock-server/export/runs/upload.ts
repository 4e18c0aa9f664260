import { type Bucket, BucketError } from '../bucket/bucket.ts'
import type { ByteSink } from '../files/write.ts'

/** What an upload works with. */
export interface UploadTools {
  readonly bucket: () => Promise<Bucket>
  readonly key: string
  /** Where the parts come from, and where they go once all is stored. */
  readonly parts: PartPool
  /** Stops it, except while its last step is under way. */
  readonly signal: AbortSignal
  /** Repeats a request that may pass a moment later. */
  readonly repeat: <T>(request: () => Promise<T>) => Promise<T>
  /** Told the id of a multipart upload before anything is uploaded. */
  readonly onBegin: (uploadId: string) => void
  /** Told once nothing is left of it but the object, if that. */
  readonly onEnd: () => void
}

/**
 * One object of a bucket, made of bytes as they come. It appears as a whole with `finish()`, or never.
 *
 * Memory holds two parts, the same two throughout: one that fills while the one before is under way. A small object is a
 * single request.
 */
export class Upload implements ByteSink {
  readonly #tools: UploadTools
  #filling: Part
  #leaving: Part
  #uploadId: string | undefined
  readonly #etags: string[] = []
  #sending: Promise<void> = Promise.resolve()
  /** Why it is not known whether the object has appeared. */
  #unknown: BucketError | undefined

  constructor(tools: UploadTools) {
    this.#tools = tools
    this.#filling = tools.parts.take()
    this.#leaving = tools.parts.take()
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#tools.signal.throwIfAborted()
    for (let start = 0; start < bytes.byteLength; ) {
      start += this.#filling.add(bytes.subarray(start))
      if (this.#filling.isFull) await this.#send()
    }
  }

  /** Makes the object appear. */
  async finish(): Promise<void> {
    const { bucket, key, repeat, signal } = this.#tools
    const open = await bucket()
    const last = this.#filling.bytes()
    const uploadId = this.#uploadId
    if (uploadId !== undefined) {
      if (last.byteLength > 0) await this.#send()
      await this.#sending
    }
    // What follows is not called off: whether the object appears must be known in the end.
    signal.throwIfAborted()
    await repeat(async () => {
      try {
        if (uploadId === undefined) await open.put(key, last)
        else await open.completeUpload(key, uploadId, this.#etags)
      } catch (error) {
        throw this.#unclear(error)
      }
    })
    this.#uploadId = undefined
    // After a failure a request may still be reading them.
    for (const part of [this.#filling, this.#leaving]) this.#tools.parts.giveBack(part)
  }

  /** Leaves nothing behind, as far as the bucket permits. */
  async abandon(): Promise<void> {
    const { bucket, key, onEnd } = this.#tools
    await this.#sending.catch(() => undefined)
    const uploadId = this.#uploadId
    if (uploadId === undefined && this.#unknown === undefined) return
    const open = await bucket()
    if (uploadId !== undefined) await open.abortUpload(key, uploadId).then(onEnd, () => undefined)
    if (this.#unknown !== undefined) await open.delete(key).catch(() => undefined)
  }

  /** Once an answer of the last step is lost, what the store says then does not tell whether the object is there. */
  #unclear(error: unknown): unknown {
    if (!(error instanceof BucketError)) return error
    if (error.problem === 'unreachable') this.#unknown ??= error
    // A store that has completed an upload knows it no more; only writing it again makes sure.
    return this.#unknown ?? error
  }

  /** Waits for the part before, then lets this one go. */
  async #send(): Promise<void> {
    await this.#sending
    ;[this.#filling, this.#leaving] = [this.#leaving, this.#filling]
    this.#filling.clear()
    const bytes = this.#leaving.bytes()
    const { bucket, key, signal, repeat, onBegin } = this.#tools
    const open = await bucket()
    if (this.#uploadId === undefined) {
      this.#uploadId = await repeat(() => open.createUpload(key, signal))
      onBegin(this.#uploadId)
    }
    const part = { key, uploadId: this.#uploadId, number: this.#etags.length + 1 }
    this.#sending = repeat(() => open.uploadPart(part, bytes, signal)).then((etag) => {
      this.#etags.push(etag)
    })
    // Awaited with the next part or at the end.
    this.#sending.catch(() => undefined)
  }
}

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
