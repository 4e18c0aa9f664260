import { ApiError } from '../../http/errors.ts'
import type { Bucket, BucketError, BucketProblem } from '../bucket/bucket.ts'

/** Messages for bucket problems. Section of the specification: Errors. */
export type BucketMessages = Readonly<Record<BucketProblem, string>>

export const destinationErrors: BucketMessages = {
  'access-denied': 'Access denied',
  'no-bucket': 'Bucket is not valid',
  'unknown-key': 'Key ID you provided does not exist',
  'no-endpoint': 'Invalid endpoint',
  unreachable: 'Invalid endpoint',
  busy: 'The bucket is busy; try again',
  other: 'The bucket refused the write',
}

/** Creates the error for a destination whose bucket rejected the test file. */
export function invalidDestination({ problem, message }: BucketError, messages: BucketMessages): ApiError {
  return new ApiError('invalid-destination', `Failed to validate S3 destination: ${messages[problem]} (${message})`)
}

const CONTENT = new TextEncoder().encode('Test file of a bulk export destination. You can delete it.\n')

/**
 * Writes a test file to a bucket and deletes it. Rejects with BucketError if the write fails. Permission to delete is
 * optional: without it the file stays. Section of the specification: Endpoints, rule 1.
 */
export type WriteTestFile = (bucket: Bucket, key: string) => Promise<void>

export const writeTestFile: WriteTestFile = async (bucket, key) => {
  await bucket.put(key, CONTENT)
  await bucket.delete(key).catch(() => undefined)
}
