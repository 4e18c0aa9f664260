import type { OpenBucket } from './bucket.ts'

/** Opens a bucket; the SDK is loaded with the first one, for it takes time and memory that an idle server spares. */
export const openBucket: OpenBucket = async (access) => (await import('./s3.ts')).openS3Bucket(access)
