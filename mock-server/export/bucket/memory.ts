import { type Bucket, BucketError, type OpenBucket } from './bucket.ts'

/** A file that an export wrote. */
export interface ExportedFile {
  readonly bucket: string
  readonly key: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Buckets in memory. Every bucket name exists and accepts every write. */
export class MemoryBuckets {
  readonly #files: Map<string, ExportedFile> = new Map()

  /** All files, sorted by key. */
  get files(): readonly ExportedFile[] {
    return [...this.#files.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
  }

  readonly open: OpenBucket = async ({ config: { bucket_name: bucket } }): Promise<Bucket> => {
    const uploads = new Map<string, Map<number, Uint8Array<ArrayBuffer>>>()
    let uploadCount = 0
    const partsOf = (id: string): Map<number, Uint8Array<ArrayBuffer>> => {
      const parts = uploads.get(id)
      if (parts === undefined) throw new BucketError('other', 'NoSuchUpload')
      return parts
    }
    return {
      put: async (key, bytes) => this.#store({ bucket, key, bytes: new Uint8Array(bytes) }),
      delete: async (key) => {
        this.#files.delete(pathOf(bucket, key))
      },
      createUpload: async () => {
        const id = String(++uploadCount)
        uploads.set(id, new Map())
        return id
      },
      uploadPart: async ({ uploadId, number }, bytes) => {
        partsOf(uploadId).set(number, new Uint8Array(bytes))
        return String(number)
      },
      completeUpload: async (key, uploadId, etags) => {
        const parts = partsOf(uploadId)
        const blob = new Blob(etags.map((etag) => parts.get(Number(etag)) ?? new Uint8Array()))
        const whole = new Uint8Array(await blob.arrayBuffer())
        this.#store({ bucket, key, bytes: whole })
      },
      abortUpload: async (_key, uploadId) => {
        uploads.delete(uploadId)
      },
      close: () => uploads.clear(),
    }
  }

  clear(files: readonly ExportedFile[] = []): void {
    this.#files.clear()
    for (const file of files) this.#store(file)
  }

  #store(file: ExportedFile): void {
    this.#files.set(pathOf(file.bucket, file.key), file)
  }
}

function pathOf(bucket: string, key: string): string {
  return `${bucket}/${key}`
}
