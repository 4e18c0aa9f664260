import type { S3Client } from '@aws-sdk/client-s3'
import { type AsyncBuffer, cachedAsyncBuffer } from 'hyparquet'
import { type AccountName, type BucketStore, isAccount } from '../../../fixtures/bucket/bucket.ts'
import { ownerBehind } from '../../../fixtures/bucket/control.ts'
import { exportFields } from '../../catalog/export/files.ts'
import type { Observation } from '../../trace/entries.ts'
import type { ScenarioTrace } from '../../trace/trace.ts'
import { Inconclusive } from '../errors.ts'
import { at } from '../json.ts'
import type { Session } from '../session.ts'
import { type ParquetContent, type Row, readParquet } from './parquet.ts'

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
  /** ISO 8601. */
  readonly modifiedAt?: string
}

/** The store that exports go to, as its owner sees it. */
export interface BucketClient {
  readonly store: BucketStore
  /** The credentials of an account; throws Inconclusive where the store has none. */
  credentials(name: AccountName): ApiCredentials
  /** Name of the bucket that scenarios share: each works under a prefix of its own. */
  shared(): Promise<string>
  /** Makes a bucket for one scenario alone. */
  create(): Promise<string>
  /** The objects whose keys begin with a prefix, in the order of their keys. */
  list(bucket: string, prefix?: string): Promise<readonly BucketObject[]>
  /** Opens an object for reading piece by piece. */
  open(bucket: string, object: BucketObject): AsyncBuffer
  /** Reads an object; undefined if it is not a Parquet file. Throws Inconclusive if it cannot be read. */
  read(bucket: string, object: BucketObject): Promise<ParquetContent | undefined>
  /** Performs an action and writes what it showed to the trace. */
  readonly observe: ScenarioTrace['observe']
  /** Empties and removes a bucket. */
  remove(bucket: string): Promise<void>
  /** Lets the account `full` write no more into a bucket; throws Inconclusive where nobody here may withdraw that. */
  withdrawWriting(bucket: string): Promise<void>
}

/** Objects up to this size are read with one request, in bytes. */
const wholeUpTo = 4 * 2 ** 20

/** Columns of rows in a trace: the documented ones, and those that identify a run. */
const tracedColumns = [...exportFields, 'tenant_id', 'is_root', 'session_id', 'parent_run_id', 'dotted_order']

/** The client of a session's store; throws Inconclusive where none was opened. What it reads is written to the trace. */
export function bucketClient(session: Session, scenario?: ScenarioTrace): BucketClient {
  const { bucket: store } = session
  if (store === undefined) {
    throw new Inconclusive('exports need a bucket', 'add --bucket embedded, --bucket minio or --bucket env')
  }
  const root = () => session.memoize('client of the bucket', () => connect(session, store))
  const observe: ScenarioTrace['observe'] = (action, describe) => scenario?.observe(action, describe) ?? action()
  // A store of ours ends with the run, and all its buckets with it.
  const note = (name: string, made: boolean) => store.kind === 'env' && session.tracker.bucket(name, made)
  const remove = async (bucket: string): Promise<void> => {
    const { removeBucket } = await import('../../../fixtures/bucket/client.ts')
    await removeBucket(await root(), bucket)
    note(bucket, false)
  }
  const create = async (): Promise<string> => {
    const { makeBucket } = await import('../../../fixtures/bucket/client.ts')
    const owner = await root()
    const name = `touchstone-${crypto.randomUUID()}`
    note(name, true)
    try {
      await makeBucket(owner, name)
    } catch (error) {
      if (wasNotCreated(error)) note(name, false)
      throw error
    }
    session.onClose(() => remove(name))
    return name
  }
  return {
    store,
    credentials(name) {
      checkAccount(store, name)
      const account = store.accounts[name]
      if (!isAccount(account)) throw new Error(`the account ${name} is missing`)
      const { accessKeyId: access_key_id, secretAccessKey: secret_access_key, sessionToken } = account
      return { access_key_id, secret_access_key, ...(sessionToken !== undefined && { session_token: sessionToken }) }
    },
    shared: () => session.memoize('shared bucket', create),
    create,
    remove: (bucket) =>
      observe(
        () => remove(bucket),
        () => ({ type: 'bucket-fault', bucket, fault: 'removed' }),
      ),
    observe,
    async withdrawWriting(bucket) {
      if (store.control === undefined) {
        throw new Inconclusive(
          'the suite cannot change the permissions of accounts in this store',
          'use --bucket embedded or --bucket minio',
        )
      }
      const owner = ownerBehind(store.control)
      await observe(
        () => owner.withdrawWriting(bucket),
        () => ({ type: 'bucket-fault', bucket, fault: 'denied' }),
      )
    },
    list: (bucket, prefix = '') =>
      observe(
        () => list(bucket, prefix),
        (objects) => ({ type: 'listing', bucket, prefix, objects: [...objects] }),
      ),
    open,
    async read(bucket, object) {
      const reading = () => readParquet(open(bucket, object)).catch((error: unknown) => unreadable(error))
      const content = await observe(reading, (read) => ({
        type: 'file',
        bucket,
        key: object.key,
        ...(read instanceof Inconclusive ? { error: read.message } : read && { content: traced(read) }),
      }))
      if (content instanceof Inconclusive)
        throw new Inconclusive(`cannot read ${object.key}: ${content.message}`, content.unlock)
      return content
    },
  }

  async function list(bucket: string, prefix: string): Promise<readonly BucketObject[]> {
    const { paginateListObjectsV2 } = await import('@aws-sdk/client-s3')
    const objects: BucketObject[] = []
    const pages = paginateListObjectsV2({ client: await root() }, { Bucket: bucket, Prefix: prefix })
    for await (const { Contents = [] } of pages) {
      for (const { Key = '', Size = 0, LastModified } of Contents)
        objects.push({ key: Key, size: Size, ...(LastModified && { modifiedAt: LastModified.toISOString() }) })
    }
    return objects
  }

  function open(bucket: string, { key, size }: BucketObject): AsyncBuffer {
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
  }
}

/** Returns content as a trace shows it. */
function traced({ columns, compression, rowGroups, rows }: ParquetContent): Traced {
  const kept = (row: Row) =>
    Object.fromEntries(tracedColumns.flatMap((name) => (name in row ? [[name, row[name]]] : [])))
  return { columns: [...columns], compression: [...compression], rowGroups: [...rowGroups], rows: rows.map(kept) }
}

type Traced = NonNullable<(Observation & { type: 'file' })['content']>

function unreadable(error: unknown): Inconclusive {
  if (error instanceof Inconclusive) return error
  throw error
}

async function connect(session: Session, store: BucketStore): Promise<S3Client> {
  checkAccount(store, 'root')
  const { bucketClient: clientOf } = await import('../../../fixtures/bucket/client.ts')
  const client = clientOf(store, 'root')
  session.onClose(async () => client.destroy(), 'last')
  return client
}

function checkAccount({ accounts }: BucketStore, name: AccountName): void {
  const account = accounts[name]
  if (isAccount(account)) return
  throw new Inconclusive(`the bucket has no account "${name}"`, `set ${account.missing.join(', ')}`)
}

/** Whether the store refused to make a bucket, or was not reached at all: then none is left there. */
function wasNotCreated(error: unknown): boolean {
  const [status, code] = [at(error, '$metadata', 'httpStatusCode'), at(error, 'code')]
  if (typeof status === 'number') return status >= 400 && status < 500
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND'
}
