import { type Bucket, BucketError } from '../bucket/bucket.ts'
import type { ByteSink } from '../files/write.ts'

/** Options of an upload. */
export interface UploadOptions {
  readonly bucket: () => Promise<Bucket>
  readonly key: string
  /** Pool of the part buffers. */
  readonly parts: PartPool
  /** Cancels the upload, except during its last request. */
  readonly signal: AbortSignal
  /** Sends a request, with retries. */
  readonly retry: <T>(request: () => Promise<T>) => Promise<T>
  /** Called with the id of a multipart upload before the first part is uploaded. */
  readonly onCreate: (uploadId: string) => void
  /** Called after a multipart upload was aborted. */
  readonly onAbort: () => void
}

/**
 * Streams bytes into one object of a bucket. The object appears, complete, with `finish()`.
 *
 * Two part buffers are in memory: one is filled while the other is uploaded. A small object needs a single request.
 */
export class Upload implements ByteSink {
  readonly #options: UploadOptions
  #filling: Part
  #uploading: Part
  #uploadId: string | undefined
  readonly #etags: string[] = []
  #pending: Promise<void> = Promise.resolve()
  /** Set if the object may or may not exist, because a response was lost. */
  #lostResponse: BucketError | undefined

  constructor(options: UploadOptions) {
    this.#options = options
    this.#filling = options.parts.acquire()
    this.#uploading = options.parts.acquire()
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#options.signal.throwIfAborted()
    for (let start = 0; start < bytes.byteLength; ) {
      start += this.#filling.add(bytes.subarray(start))
      if (this.#filling.isFull) await this.#send()
    }
  }

  /** Uploads the rest and makes the object appear. */
  async finish(): Promise<void> {
    const { bucket, key, retry, signal } = this.#options
    const openBucket = await bucket()
    const last = this.#filling.bytes()
    const uploadId = this.#uploadId
    if (uploadId !== undefined) {
      if (last.byteLength > 0) await this.#send()
      await this.#pending
    }
    // The last request is not cancelled: afterwards it must be clear whether the object exists.
    signal.throwIfAborted()
    await retry(async () => {
      try {
        if (uploadId === undefined) await openBucket.put(key, last)
        else await openBucket.completeUpload(key, uploadId, this.#etags)
      } catch (error) {
        throw this.#finalError(error)
      }
    })
    this.#uploadId = undefined
    // Only after success: after a failure, a request may still read them.
    for (const part of [this.#filling, this.#uploading]) this.#options.parts.release(part)
  }

  /** Deletes what was uploaded, unless the bucket refuses. */
  async abandon(): Promise<void> {
    const { bucket, key, onAbort } = this.#options
    await this.#pending.catch(() => undefined)
    const uploadId = this.#uploadId
    if (uploadId === undefined && this.#lostResponse === undefined) return
    const openBucket = await bucket()
    if (uploadId !== undefined) await openBucket.abortUpload(key, uploadId).then(onAbort, () => undefined)
    if (this.#lostResponse !== undefined) await openBucket.delete(key).catch(() => undefined)
  }

  /** Returns the error of the last request; after a lost response, that one, since a retry cannot show whether it succeeded. */
  #finalError(error: unknown): unknown {
    if (!(error instanceof BucketError)) return error
    if (error.problem === 'unreachable') this.#lostResponse ??= error
    // A store no longer knows the id of a completed upload, so the retry of a completed one fails.
    return this.#lostResponse ?? error
  }

  /** Waits for the previous part, then starts to upload this one. */
  async #send(): Promise<void> {
    await this.#pending
    ;[this.#filling, this.#uploading] = [this.#uploading, this.#filling]
    this.#filling.clear()
    const bytes = this.#uploading.bytes()
    const { bucket, key, signal, retry, onCreate } = this.#options
    const openBucket = await bucket()
    if (this.#uploadId === undefined) {
      this.#uploadId = await retry(() => openBucket.createUpload(key, signal))
      onCreate(this.#uploadId)
    }
    const part = { key, uploadId: this.#uploadId, number: this.#etags.length + 1 }
    this.#pending = retry(() => openBucket.uploadPart(part, bytes, signal)).then((etag) => {
      this.#etags.push(etag)
    })
    // A rejection is reported with the next part or at the end.
    this.#pending.catch(() => undefined)
  }
}

// Minimum size of a part, except for the last. The maximum of 10,000 parts allows 48 GiB.
const PART_BYTES = 5 * 2 ** 20

/** Buffer of one part of an upload. The memory is reused for later parts. */
class Part {
  readonly #capacity: number
  #memory: Buffer
  #size = 0

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#memory = Buffer.allocUnsafeSlow(Math.min(capacity, 65_536))
  }

  get isFull(): boolean {
    return this.#size === this.#capacity
  }

  /** Copies as many bytes as fit and returns their number. */
  add(bytes: Uint8Array): number {
    const count = Math.min(bytes.byteLength, this.#capacity - this.#size)
    this.#reserve(this.#size + count)
    this.#memory.set(bytes.subarray(0, count), this.#size)
    this.#size += count
    return count
  }

  /** Returns the bytes, valid until `clear`. */
  bytes(): Uint8Array {
    return this.#memory.subarray(0, this.#size)
  }

  clear(): void {
    this.#size = 0
  }

  #reserve(size: number): void {
    if (size <= this.#memory.byteLength) return
    const larger = Buffer.allocUnsafeSlow(Math.min(this.#capacity, Math.max(size, this.#memory.byteLength * 2)))
    larger.set(this.bytes())
    this.#memory = larger
  }
}

/** Reuses part buffers from one upload to the next. */
export class PartPool {
  readonly #idle: Part[] = []

  acquire(): Part {
    return this.#idle.pop() ?? new Part(PART_BYTES)
  }

  release(part: Part): void {
    part.clear()
    this.#idle.push(part)
  }
}
