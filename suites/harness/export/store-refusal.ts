import type { S3Client } from '@aws-sdk/client-s3'
import type { AccountName } from '../../../fixtures/bucket/bucket.ts'
import { Inconclusive } from '../errors.ts'
import type { BucketClient } from './bucket-client.ts'
import type { ExportContext } from './export-context.ts'

/** What a store must refuse so that requirements can be tested, with the codes that show a service why. */
export const storeRefusals = {
  'access-denied': { what: 'a file from the account NONE', code: 'AccessDenied' },
  'bucket-missing': { what: 'a file in a bucket that does not exist', code: 'NoSuchBucket' },
  'unknown-key': { what: 'a file with an unknown key id', code: 'InvalidAccessKeyId' },
  'wrong-secret': { what: 'a file signed with a wrong secret', code: 'SignatureDoesNotMatch' },
  'delete-denied': { what: 'a deletion by the account NO_DELETE', code: 'AccessDenied' },
} as const

/** A refusal on which rows rest. */
export type StoreRefusal = keyof typeof storeRefusals

/**
 * Asks the store itself before a service is blamed for what it made of the store's response. `known` also asks for the
 * code by which S3 tells why: without it no service can name the documented error.
 *
 * @throws Inconclusive where the store does not refuse, or gives another reason
 */
export async function checkStoreRefuses(
  context: Pick<ExportContext, 'session' | 'bucket'>,
  which: StoreRefusal,
): Promise<void> {
  const { what, code } = storeRefusals[which]
  const response = await context.session.memoize(`refusal of the store: ${which}`, () =>
    context.bucket.observe(
      () => responseOf(context, which),
      (received) => ({ type: 'store-refusal', fault: which, ...(received && { code: received }) }),
    ),
  )
  const store = `the store ${context.bucket.store.endpoint ?? `in the region ${context.bucket.store.region}`}`
  const unlock =
    'use a store that checks keys and permissions (see docs/guides/buckets.md), or --bucket embedded, or --bucket minio'
  if (response === undefined) throw new Inconclusive(`expected ${store} to refuse ${what}, but it accepts it`, unlock)
  if (code === response) return
  throw new Inconclusive(`expected ${store} to refuse ${what} with ${code}, received ${response}`, unlock)
}

/** The code of the store's refusal; undefined where it accepts. */
async function responseOf({ bucket }: Pick<ExportContext, 'bucket'>, which: StoreRefusal): Promise<string | undefined> {
  const missing = `touchstone-none-${crypto.randomUUID()}`
  const Bucket = which === 'bucket-missing' ? missing : await bucket.shared()
  const Key = `touchstone/${crypto.randomUUID()}/probe.txt`
  const { PutObjectCommand, DeleteObjectCommand } = await import('@aws-sdk/client-s3')
  const put = (client: S3Client) => client.send(new PutObjectCommand({ Bucket, Key, Body: 'touchstone' }))
  const remove = (client: S3Client) => client.send(new DeleteObjectCommand({ Bucket, Key }))
  if (which === 'delete-denied') await as(bucket, 'full', put)
  const refused = await as(bucket, accounts[which], which === 'delete-denied' ? remove : put)
  // What was accepted against expectation is taken away again.
  if (which === 'bucket-missing') {
    if (refused === undefined) await bucket.remove(missing)
  } else if ((refused === undefined) !== (which === 'delete-denied')) await as(bucket, 'root', remove)
  return refused
}

const accounts: Readonly<Record<StoreRefusal, AccountName>> = {
  'access-denied': 'none',
  'bucket-missing': 'full',
  'unknown-key': 'unknown-key',
  'wrong-secret': 'wrong-secret',
  'delete-denied': 'no-delete',
}

/** Sends something in the name of an account; returns the code of a refusal. */
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
