import { Option } from 'commander'
import type { BucketKind, OpenedBucketStore } from '../fixtures/bucket/bucket.ts'
import { openBucketStore } from '../fixtures/bucket/open.ts'
import { UsageError } from '../suites/values/usage-error.ts'

const kinds: readonly BucketKind[] = ['embedded', 'minio', 'env']

/** The option `--bucket`. */
export function bucketOption(): Option {
  return new Option(
    '--bucket <kind>',
    'store for exports: embedded in this process, MinIO in a container, or your own from TOUCHSTONE_S3_*',
  )
    .choices(kinds)
    .default('embedded')
}

/** Opens a store. Throws UsageError if its settings are missing. */
export async function openBucket(kind: BucketKind): Promise<OpenedBucketStore> {
  try {
    return await openBucketStore(kind)
  } catch (error) {
    throw new UsageError(`--bucket ${kind}: ${error instanceof Error ? error.message : error}`)
  }
}
