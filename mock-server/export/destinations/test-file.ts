import type { Bucket } from '../bucket/bucket.ts'

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
