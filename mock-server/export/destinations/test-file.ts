import { ApiError } from '../../http/errors.ts'
import type { Bucket, BucketError, BucketProblem } from '../bucket/bucket.ts'

/** Words for what is wrong with a bucket. Section of the document: Errors. */
export type BucketWords = Readonly<Record<BucketProblem, string>>

export const destinationErrors: BucketWords = {
  'access-denied': 'Access denied',
  'no-bucket': 'Bucket is not valid',
  'unknown-key': 'Key ID you provided does not exist',
  'no-endpoint': 'Invalid endpoint',
  unreachable: 'Invalid endpoint',
  busy: 'The bucket is busy; try again',
  other: 'The bucket refused the write',
}

/** The refusal of a destination whose bucket could not be written to. */
export function destinationRefusal({ problem, message }: BucketError, words: BucketWords): ApiError {
  return new ApiError('invalid-destination', `Failed to validate S3 destination: ${words[problem]} (${message})`)
}

const CONTENT = new TextEncoder().encode('Written to see whether this bucket takes exports; may be deleted.\n')

/**
 * Writes a test file to a bucket and deletes it again. Rejects with BucketError when the write fails; permission to
 * delete is optional, and a file that may not be deleted stays. Section of the document: Endpoints, rule 1.
 */
export type WriteTestFile = (bucket: Bucket, key: string) => Promise<void>

export const writeTestFile: WriteTestFile = async (bucket, key) => {
  await bucket.put(key, CONTENT)
  await bucket.delete(key).catch(() => undefined)
}
