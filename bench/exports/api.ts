import { type BucketStore, isAccount } from '../../fixtures/bucket/bucket.ts'
import { TENANT } from './records.ts'

/** The headers of a key that the mock server knows by default. */
export const HEADERS: Readonly<Record<string, string>> = {
  'x-api-key': 'touchstone-enterprise',
  'x-tenant-id': TENANT,
  'content-type': 'application/json',
}

/** The body that registers a bucket of a store as a destination. */
export function destinationIn({ endpoint, region, accounts: { full } }: BucketStore, bucket_name: string): object {
  if (endpoint === undefined || !isAccount(full)) throw new Error('the store has no address or no account')
  return {
    destination_type: 's3',
    display_name: 'bench',
    config: { bucket_name, prefix: 'traces', region, endpoint_url: endpoint },
    credentials: { access_key_id: full.accessKeyId, secret_access_key: full.secretAccessKey },
  }
}
