import { type Bucket, BucketError } from '../bucket/bucket.ts'
import type { ByteSink } from '../files/write.ts'

/** What an upload works with. */
export interface UploadTools {
  readonly bucket: () => Promise<Bucket>
  readonly key: string
  /** Stops it, except while its last step is under way. */
  readonly signal: AbortSignal
  /** Repeats a request that may pass a moment later. */
  readonly repeat: <T>(request: () => Promise<T>) => Promise<T>
  /** Told the id of a multipart upload before anything is uploaded. */
  readonly onBegin: (uploadId: string) => void
}

// The least that stores take, but for the last part; ten thousand parts make 48 GiB.
const PART_BYTES = 5 * 2 ** 20

/**
 * One object of a bucket, made of bytes as they come. It appears as a whole with `finish()`, or never.
 *
 * Memory holds two parts: one that fills while the one before is under way. A small object is a single request.
 */
export class Upload implements ByteSink {
  readonly #tools: UploadTools
  #chunks: Uint8Array[] = []
  #size = 0
  #uploadId: string | undefined
  readonly #etags: string[] = []
  #sending: Promise<void> = Promise.resolve()
  #mayHaveAppeared = false

  constructor(tools: UploadTools) {
    this.#tools = tools
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#tools.signal.throwIfAborted()
    this.#chunks.push(bytes)
    this.#size += bytes.byteLength
    if (this.#size < PART_BYTES) return
    let rest = this.#take()
    while (rest.byteLength >= PART_BYTES) {
      await this.#send(rest.subarray(0, PART_BYTES))
      rest = rest.subarray(PART_BYTES)
    }
    this.#chunks = [rest]
    this.#size = rest.byteLength
  }

  /** Makes the object appear. */
  async finish(): Promise<void> {
    const { bucket, key, repeat, signal } = this.#tools
    const open = await bucket()
    const last = this.#take()
    const uploadId = this.#uploadId
    if (uploadId !== undefined) {
      if (last.byteLength > 0) await this.#send(last)
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
  }

  /** Leaves nothing behind, as far as the bucket permits. */
  async abandon(): Promise<void> {
    const { bucket, key } = this.#tools
    await this.#sending.catch(() => undefined)
    const uploadId = this.#uploadId
    if (uploadId === undefined && !this.#mayHaveAppeared) return
    const open = await bucket()
    if (uploadId !== undefined) await open.abortUpload(key, uploadId).catch(() => undefined)
    if (this.#mayHaveAppeared) await open.delete(key).catch(() => undefined)
  }

  /** Once an answer of the last step is lost, what the store says then does not tell whether the object is there. */
  #unclear(error: unknown): unknown {
    if (!(error instanceof BucketError)) return error
    if (error.problem === 'unreachable') this.#mayHaveAppeared = true
    // A store that has completed an upload knows it no more; only writing it again makes sure.
    return this.#mayHaveAppeared ? new BucketError('unreachable', error.message) : error
  }

  #take(): Uint8Array {
    const [first = new Uint8Array()] = this.#chunks
    const whole = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : first
    this.#chunks = []
    this.#size = 0
    return whole
  }

  /** Waits for the part before, then lets this one go. */
  async #send(bytes: Uint8Array): Promise<void> {
    await this.#sending
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
