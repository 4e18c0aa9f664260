import type { S3Client } from '@aws-sdk/client-s3'
import { type AsyncBuffer, cachedAsyncBuffer } from 'hyparquet'
import { type AccountName, type BucketStore, isAccount } from '../../../fixtures/bucket/bucket.ts'
import { ownerBehind } from '../../../fixtures/bucket/control.ts'
import { Inconclusive } from '../errors.ts'
import { at } from '../json.ts'
import type { Session } from '../session.ts'

/** Credentials as the API takes them. */
interface ApiCredentials {
  readonly access_key_id: string
  readonly secret_access_key: string
  readonly session_token?: string
}

/** One object of a bucket. */
interface BucketObject {
  readonly key: string
  readonly size: number
}

/** The store that exports go to, as its owner sees it. */
export interface BucketClient {
  readonly store: BucketStore
  /** The credentials of an account; throws Inconclusive where the store has none. */
  account(name: AccountName): ApiCredentials
  /** Name of the bucket that checks share: each works under a prefix of its own. */
  shared(): Promise<string>
  /** Makes a bucket for one check alone. */
  fresh(): Promise<string>
  /** The objects whose keys begin with a prefix, in the order of their keys. */
  list(bucket: string, prefix?: string): Promise<readonly BucketObject[]>
  /** Opens an object for reading piece by piece. */
  open(bucket: string, object: BucketObject): AsyncBuffer
  /** Empties and removes a bucket. */
  remove(bucket: string): Promise<void>
  /** Lets the account `full` write no more into a bucket; throws Inconclusive where nobody here may withdraw that. */
  withdrawWriting(bucket: string): Promise<void>
}

/** Objects up to this size are read with one request, in bytes. */
const wholeUpTo = 4 * 2 ** 20

/** The client of a session's store; throws Inconclusive where none was opened. */
export function bucketClient(session: Session): BucketClient {
  const { bucket: store } = session
  if (store === undefined) {
    throw new Inconclusive('exports need a bucket', 'add --bucket embedded, --bucket minio or --bucket env')
  }
  const root = () => session.once('client of the bucket', () => connect(session, store))
  // A store of ours ends with the run, and all its buckets with it.
  const note = (name: string, made: boolean) => store.kind === 'env' && session.keeper.bucket(name, made)
  const remove = async (bucket: string): Promise<void> => {
    const { removeBucket } = await import('../../../fixtures/bucket/client.ts')
    await removeBucket(await root(), bucket)
    note(bucket, false)
  }
  const fresh = async (): Promise<string> => {
    const { makeBucket } = await import('../../../fixtures/bucket/client.ts')
    const owner = await root()
    const name = `touchstone-${crypto.randomUUID()}`
    note(name, true)
    try {
      await makeBucket(owner, name)
    } catch (error) {
      if (wasNotMade(error)) note(name, false)
      throw error
    }
    session.onClose(() => remove(name))
    return name
  }
  return {
    store,
    account(name) {
      needed(store, name)
      const account = store.accounts[name]
      if (!isAccount(account)) throw new Error(`the account ${name} is missing`)
      const { accessKeyId: access_key_id, secretAccessKey: secret_access_key, sessionToken } = account
      return { access_key_id, secret_access_key, ...(sessionToken !== undefined && { session_token: sessionToken }) }
    },
    shared: () => session.once('shared bucket', fresh),
    fresh,
    remove,
    async withdrawWriting(bucket) {
      if (store.control === undefined) {
        throw new Inconclusive(
          'the suite cannot change the permissions of accounts in this store',
          'use --bucket embedded or --bucket minio',
        )
      }
      await ownerBehind(store.control).withdrawWriting(bucket)
    },
    async list(bucket, prefix = '') {
      const { paginateListObjectsV2 } = await import('@aws-sdk/client-s3')
      const objects: BucketObject[] = []
      for await (const { Contents = [] } of paginateListObjectsV2(
        { client: await root() },
        { Bucket: bucket, Prefix: prefix },
      )) {
        for (const { Key = '', Size = 0 } of Contents) objects.push({ key: Key, size: Size })
      }
      return objects
    },
    open(bucket, { key, size }) {
      const slice = async (start: number, end = size): Promise<ArrayBuffer> => {
        const { GetObjectCommand } = await import('@aws-sdk/client-s3')
        const Range = `bytes=${start}-${end - 1}`
        try {
          const { Body } = await (await root()).send(new GetObjectCommand({ Bucket: bucket, Key: key, Range }))
          const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array()
          return bytes.slice().buffer
        } catch (error) {
          // Whatever reads the file would otherwise take it for a damaged one.
          const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
          throw new Inconclusive(
            `the bucket lists the object but does not return it (${why})`,
            'use a bucket that returns the objects it lists',
          )
        }
      }
      const file = { byteLength: size, slice }
      return cachedAsyncBuffer(file, size <= wholeUpTo ? { minSize: wholeUpTo } : {})
    },
  }
}

async function connect(session: Session, store: BucketStore): Promise<S3Client> {
  needed(store, 'root')
  const { bucketClient: clientOf } = await import('../../../fixtures/bucket/client.ts')
  const client = clientOf(store, 'root')
  session.onClose(async () => client.destroy(), 'last')
  return client
}

function needed({ accounts }: BucketStore, name: AccountName): void {
  const account = accounts[name]
  if (isAccount(account)) return
  throw new Inconclusive(`the bucket has no account "${name}"`, `set ${account.missing.join(', ')}`)
}

/** Whether the store refused to make a bucket, or was not reached at all: then none is left there. */
function wasNotMade(error: unknown): boolean {
  const [status, code] = [at(error, '$metadata', 'httpStatusCode'), at(error, 'code')]
  if (typeof status === 'number') return status >= 400 && status < 500
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND'
}
