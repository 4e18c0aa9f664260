import { ApiError } from '../../http/errors.ts'
import type { BucketError, BucketProblem } from '../bucket/bucket.ts'

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
