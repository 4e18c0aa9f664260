import type { Credentials, DestinationConfig } from '../types.ts'

/** A bucket that a destination names. Everything rejects with BucketError. */
export interface Bucket {
  put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>
  delete(key: string): Promise<void>
  /** Begins a multipart upload and returns its id. */
  createUpload(key: string, signal?: AbortSignal): Promise<string>
  /** Uploads a part, numbered from 1, and returns its ETag. */
  uploadPart(upload: UploadPart, bytes: Uint8Array, signal?: AbortSignal): Promise<string>
  /** Makes the parts, in their order, one object. */
  completeUpload(key: string, uploadId: string, etags: readonly string[]): Promise<void>
  /** Throws away what has been uploaded; an upload that is gone already is no error. */
  abortUpload(key: string, uploadId: string): Promise<void>
  /** Closes its connections. */
  close(): void
}

/** Which part of which upload. */
interface UploadPart {
  readonly key: string
  readonly uploadId: string
  readonly number: number
}

/** What a bucket is reached with. */
export interface BucketAccess {
  readonly config: DestinationConfig
  /** Undefined takes those of the runtime. */
  readonly credentials: Credentials | undefined
  readonly network: NetworkPolicy
}

/** Bounds of every request to an address that a user gave. */
export interface NetworkPolicy {
  readonly privateAddresses: 'allow' | 'refuse'
  /** Milliseconds of real time until a connection stands. */
  readonly connectMs: number
  /** Milliseconds of real time for a whole request. */
  readonly requestMs: number
  /** Bytes of an answer. */
  readonly maxAnswerBytes: number
}

/** Opens the bucket of a destination; nothing is sent yet. */
export type OpenBucket = (access: BucketAccess) => Promise<Bucket>

/** What a bucket's refusal comes down to; the first four are the document's, the next two may pass by themselves. */
export type BucketProblem =
  | 'access-denied'
  | 'no-bucket'
  | 'unknown-key'
  | 'no-endpoint'
  | 'unreachable'
  | 'busy'
  | 'other'

/** A request to a bucket that failed. It carries the store's error code and never more of its answer. */
export class BucketError extends Error {
  readonly problem: BucketProblem
  constructor(problem: BucketProblem, message: string) {
    super(message)
    this.name = 'BucketError'
    this.problem = problem
  }
}

/** Opens a bucket; the SDK is loaded with the first one, for it takes time and memory that an idle server spares. */
export const openBucket: OpenBucket = async (access) => (await import('./s3.ts')).openS3Bucket(access)
