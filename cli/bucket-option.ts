import { Option } from 'commander'
import type { BucketKind, OpenedBucketStore } from '../fixtures/bucket/bucket.ts'
import { openBucketStore } from '../fixtures/bucket/open.ts'
import { UsageError } from '../suites/runner/usage-error.ts'

const kinds: readonly BucketKind[] = ['embedded', 'minio', 'env']

/** The option that says where exports are written to. */
export function bucketOption(): Option {
  return new Option(
    '--bucket <kind>',
    'where exports go: a store in this process, MinIO in a container, or the one that TOUCHSTONE_S3_* name',
  )
    .choices(kinds)
    .default('embedded')
}

/** Opens the store of a kind; what is missing is a usage error. */
export async function openBucket(kind: BucketKind): Promise<OpenedBucketStore> {
  try {
    return await openBucketStore(kind)
  } catch (error) {
    throw new UsageError(`--bucket ${kind}: ${error instanceof Error ? error.message : error}`)
  }
}
