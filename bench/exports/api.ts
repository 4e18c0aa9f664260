import { type BucketStore, isAccount } from '../../fixtures/bucket/bucket.ts'
import { TENANT } from './records.ts'

/** Headers with one of the default API keys of the mock server. */
export const HEADERS: Readonly<Record<string, string>> = {
  'x-api-key': 'touchstone-enterprise',
  'x-tenant-id': TENANT,
  'content-type': 'application/json',
}

/** The request body that registers a bucket of a store as a destination. */
export function destinationBody({ endpoint, region, accounts: { full } }: BucketStore, bucket_name: string): object {
  if (endpoint === undefined || !isAccount(full)) throw new Error('expected a store with an endpoint and an account')
  return {
    destination_type: 's3',
    display_name: 'bench',
    config: { bucket_name, prefix: 'traces', region, endpoint_url: endpoint },
    credentials: { access_key_id: full.accessKeyId, secret_access_key: full.secretAccessKey },
  }
}
