import type { S3Client } from '@aws-sdk/client-s3'
import type { AccountName } from '../../../fixtures/bucket/bucket.ts'
import { type StoreRefusal, storeRefusals } from '../../values/export/store-refusals.ts'
import { Inconclusive } from '../errors.ts'
import type { BucketClient } from './bucket-client.ts'
import type { ExportContext } from './export-context.ts'

/**
 * Sends a request to the store that it must refuse, and records the response: a service can only report a refusal of the
 * store, and only name the documented error if the store names it.
 *
 * @throws Inconclusive if the store accepts the request, or refuses it with another code
 */
export async function checkStoreRefuses({ session, bucket }: ExportContext, which: StoreRefusal): Promise<void> {
  const { what, code } = storeRefusals[which]
  const received = await session.memoize(`refusal of the store: ${which}`, () =>
    bucket.observe(
      () => refusalCode(bucket, which),
      (refusal) => ({ type: 'store-refusal', fault: which, ...(refusal && { code: refusal }) }),
    ),
  )
  const store = `the store ${bucket.store.endpoint ?? `in the region ${bucket.store.region}`}`
  const unlock =
    'use a store that checks keys and permissions (see docs/guides/buckets.md), or --bucket embedded, or --bucket minio'
  if (received === undefined) throw new Inconclusive(`expected ${store} to refuse ${what}, but it accepts it`, unlock)
  if (received === code) return
  throw new Inconclusive(`expected ${store} to refuse ${what} with ${code}, received ${received}`, unlock)
}

/** Returns the code of the store's refusal; undefined if it accepts the request. */
async function refusalCode(bucket: BucketClient, which: StoreRefusal): Promise<string | undefined> {
  const missing = `touchstone-none-${crypto.randomUUID()}`
  const Bucket = which === 'bucket-missing' ? missing : await bucket.shared()
  const Key = `touchstone/${crypto.randomUUID()}/probe.txt`
  const { PutObjectCommand, DeleteObjectCommand } = await import('@aws-sdk/client-s3')
  const put = (client: S3Client) => client.send(new PutObjectCommand({ Bucket, Key, Body: 'touchstone' }))
  const remove = (client: S3Client) => client.send(new DeleteObjectCommand({ Bucket, Key }))
  if (which === 'delete-denied') await as(bucket, 'full', put)
  const refusal = await as(bucket, accounts[which], which === 'delete-denied' ? remove : put)
  // Removes what the store created.
  if (which === 'bucket-missing') {
    if (refusal === undefined) await bucket.remove(missing)
  } else if ((refusal === undefined) !== (which === 'delete-denied')) await as(bucket, 'root', remove)
  return refusal
}

const accounts: Readonly<Record<StoreRefusal, AccountName>> = {
  'access-denied': 'none',
  'bucket-missing': 'full',
  'unknown-key': 'unknown-key',
  'wrong-secret': 'wrong-secret',
  'delete-denied': 'no-delete',
}

/** Sends a request as an account. Returns the code of a refusal. */
async function as(
  { store }: BucketClient,
  account: AccountName,
  send: (client: S3Client) => Promise<unknown>,
): Promise<string | undefined> {
  const { bucketClient } = await import('../../../fixtures/bucket/client.ts')
  const client = bucketClient(store, account)
  try {
    await send(client)
    return undefined
  } catch (error) {
    if (error instanceof Error) return error.name
    throw error
  } finally {
    client.destroy()
  }
}
