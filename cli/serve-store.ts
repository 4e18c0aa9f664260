import { bucketClient, makeBucket } from '../fixtures/bucket/client.ts'
import { openBucketStore } from '../fixtures/bucket/open.ts'

/** A store that `touchstone serve` started for exports. */
export interface ServedStore {
  /** What a destination and an S3 client need, for a person to read. Its keys are for this store only. */
  readonly description: string
  close(): Promise<void>
}

const bucket = 'exports'

/** Starts a store in this process, with an empty bucket. Objects are in memory. */
export async function startServedStore(): Promise<ServedStore> {
  const { store, close } = await openBucketStore('embedded')
  const client = bucketClient(store, 'root')
  await makeBucket(client, bucket)
  client.destroy()
  const { full } = store.accounts
  if (!('accessKeyId' in full)) throw new Error(`expected keys of the store, which lack ${full.missing.join(', ')}`)
  const settings = {
    endpoint_url: store.endpoint ?? '',
    bucket_name: bucket,
    access_key_id: full.accessKeyId,
    secret_access_key: full.secretAccessKey,
  }
  const lines = Object.entries(settings).map(([name, value]) => `  ${name.padEnd(17)}  ${value}`)
  return { description: ['store for exports, in memory:', ...lines, ''].join('\n'), close }
}
