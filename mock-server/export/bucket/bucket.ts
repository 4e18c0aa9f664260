import type { Credentials, DestinationConfig } from '../types.ts'

/** An open bucket. Every method rejects with BucketError. */
export interface Bucket {
  put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void>
  delete(key: string): Promise<void>
  /** Starts a multipart upload and returns its id. */
  createUpload(key: string, signal?: AbortSignal): Promise<string>
  /** Uploads a part and returns its ETag. */
  uploadPart(upload: UploadPart, bytes: Uint8Array, signal?: AbortSignal): Promise<string>
  /** Assembles the parts, in order, into the object. */
  completeUpload(key: string, uploadId: string, etags: readonly string[]): Promise<void>
  /** Discards the uploaded parts; does not reject if the upload no longer exists. */
  abortUpload(key: string, uploadId: string): Promise<void>
  /** Closes the connections. */
  close(): void
}

/** A part of a multipart upload. */
interface UploadPart {
  readonly key: string
  readonly uploadId: string
  /** From 1. */
  readonly number: number
}

/** Address, credentials and limits of a bucket. */
export interface BucketAccess {
  readonly config: DestinationConfig
  /** Undefined: the credentials of the runtime. */
  readonly credentials: Credentials | undefined
  readonly network: NetworkPolicy
}

/** Limits of every request to a user-supplied address. Times are in milliseconds of real time. */
export interface NetworkPolicy {
  readonly privateAddresses: 'allow' | 'refuse'
  /** Timeout of the connection. */
  readonly connectMs: number
  /** Timeout of the whole request. */
  readonly requestMs: number
  /** Maximum size of a response. */
  readonly maxResponseBytes: number
}

/** Opens the bucket of a destination without sending a request. */
export type OpenBucket = (access: BucketAccess) => Promise<Bucket>

/** Cause of a failed request. The specification defines the first four; `unreachable` and `busy` are worth a retry. */
export type BucketProblem =
  | 'access-denied'
  | 'no-bucket'
  | 'unknown-key'
  | 'no-endpoint'
  | 'unreachable'
  | 'busy'
  | 'other'

/** A failed request to a bucket. The message has the error code of the store and never more of its response. */
export class BucketError extends Error {
  readonly problem: BucketProblem
  constructor(problem: BucketProblem, message: string) {
    super(message)
    this.name = 'BucketError'
    this.problem = problem
  }
}
