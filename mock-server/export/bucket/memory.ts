import { type Bucket, BucketError, type OpenBucket } from './bucket.ts'

/** A file that exports have written. */
export interface ExportedFile {
  readonly bucket: string
  readonly key: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Buckets of any name that take whatever they are given, in memory. */
export class MemoryBuckets {
  readonly #files: Map<string, ExportedFile> = new Map()

  /** Every file, in the order of their keys. */
  get files(): readonly ExportedFile[] {
    return [...this.#files.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
  }

  readonly open: OpenBucket = async ({ config: { bucket_name: bucket } }): Promise<Bucket> => {
    const uploads = new Map<string, Map<number, Uint8Array<ArrayBuffer>>>()
    let begun = 0
    const partsOf = (id: string): Map<number, Uint8Array<ArrayBuffer>> => {
      const parts = uploads.get(id)
      if (parts === undefined) throw new BucketError('other', 'NoSuchUpload')
      return parts
    }
    return {
      put: async (key, bytes) => this.#keep({ bucket, key, bytes: new Uint8Array(bytes) }),
      delete: async (key) => {
        this.#files.delete(placeOf(bucket, key))
      },
      createUpload: async () => {
        const id = String(++begun)
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
        this.#keep({ bucket, key, bytes: whole })
      },
      abortUpload: async (_key, uploadId) => {
        uploads.delete(uploadId)
      },
      close: () => uploads.clear(),
    }
  }

  clear(files: readonly ExportedFile[] = []): void {
    this.#files.clear()
    for (const file of files) this.#keep(file)
  }

  #keep(file: ExportedFile): void {
    this.#files.set(placeOf(file.bucket, file.key), file)
  }
}

function placeOf(bucket: string, key: string): string {
  return `${bucket}/${key}`
}
