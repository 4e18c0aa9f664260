import type { S3Client } from '@aws-sdk/client-s3'
import { type AsyncBuffer, cachedAsyncBuffer } from 'hyparquet'
import { type Account, type AccountName, type BucketStore, isAccount } from '../../../fixtures/bucket/bucket.ts'
import { ownerBehind } from '../../../fixtures/bucket/control.ts'
import { exportFields } from '../../catalog/export/files.ts'
import type { Observation } from '../../trace/entries.ts'
import { marked } from '../../trace/redact.ts'
import type { Redaction, ScenarioTrace } from '../../trace/trace.ts'
import type { ParquetContent, Row } from '../../values/export/parquet-content.ts'
import { at } from '../../values/json.ts'
import { Inconclusive } from '../errors.ts'
import type { Session } from '../session.ts'
import { readParquet } from './parquet.ts'

/** Credentials of a destination, with the names of the specification. */
interface ApiCredentials {
  readonly access_key_id: string
  readonly secret_access_key: string
  readonly session_token?: string
}

interface BucketObject {
  readonly key: string
  /** Bytes. */
  readonly size: number
  /** ISO 8601. */
  readonly modifiedAt?: string
}

/** Client of the store that exports are written to, with the permissions of its owner. Records what it does in the trace. */
export interface BucketClient {
  readonly store: BucketStore
  /**
   * Returns the credentials of an account.
   *
   * @throws Inconclusive if the store does not have this account
   */
  credentials(name: AccountName): ApiCredentials
  /** Returns the name of the bucket that scenarios share; each uses its own prefix. */
  shared(): Promise<string>
  /** Creates a bucket for one scenario and returns its name. */
  create(): Promise<string>
  /** Lists the objects whose keys begin with a prefix, ordered by key. */
  list(bucket: string, prefix?: string): Promise<readonly BucketObject[]>
  /** Opens an object to read parts of it. */
  open(bucket: string, object: BucketObject): AsyncBuffer
  /**
   * Reads a Parquet file; undefined if the object is not one.
   *
   * @throws Inconclusive if it cannot be read
   */
  read(bucket: string, object: BucketObject): Promise<ParquetContent | undefined>
  /** Performs an action and records an observation of its result in the trace. */
  readonly observe: ScenarioTrace['observe']
  /** Empties and removes a bucket. */
  remove(bucket: string): Promise<void>
  /**
   * Withdraws the permission of the account `full` to write to a bucket.
   *
   * @throws Inconclusive if the store's permissions cannot be changed
   */
  withdrawWriting(bucket: string): Promise<void>
}

/** Maximum size of objects that are read with one request, in bytes. */
const maxSingleRead = 4 * 2 ** 20

/** Columns whose values are recorded in the trace: the documented ones, and those that identify a run. */
const tracedColumns = [...exportFields, 'tenant_id', 'is_root', 'session_id', 'parent_run_id', 'dotted_order']

/**
 * Returns the client of a session's store.
 *
 * @throws Inconclusive if no store was opened
 */
export function bucketClient(session: Session, scenario?: ScenarioTrace): BucketClient {
  const { bucket: store } = session
  if (store === undefined) {
    throw new Inconclusive('exports need a bucket', 'add --bucket embedded, --bucket minio or --bucket env')
  }
  const rootClient = () => session.memoize('client of the bucket', () => connect(session, store))
  const observe: ScenarioTrace['observe'] = (action, describe) => scenario?.observe(action, describe) ?? action()
  // Other stores are removed at the end of the test run, with all buckets.
  const tracker = store.kind === 'env' ? session.tracker : undefined
  const remove = async (bucket: string): Promise<void> => {
    const { removeBucket } = await import('../../../fixtures/bucket/client.ts')
    await removeBucket(await rootClient(), bucket)
    tracker?.bucketRemoved(bucket)
  }
  const create = async (): Promise<string> => {
    const { makeBucket } = await import('../../../fixtures/bucket/client.ts')
    const owner = await rootClient()
    const name = `touchstone-${crypto.randomUUID()}`
    try {
      await (tracker === undefined
        ? makeBucket(owner, name)
        : tracker.bucketCreation(name, () => makeBucket(owner, name)))
    } catch (error) {
      if (isNotCreated(error)) tracker?.bucketRemoved(name)
      throw error
    }
    session.onClose(() => remove(name))
    return name
  }
  return {
    store,
    credentials(name) {
      const { accessKeyId: access_key_id, secretAccessKey: secret_access_key, sessionToken } = accountOf(store, name)
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
      const result = await observe(
        () => readObject(open(bucket, object)).catch(returnInconclusive),
        (read) => ({ type: 'file', bucket, key: object.key, ...traced(read, session.redaction) }),
      )
      if (!(result instanceof Inconclusive)) return typeof result === 'string' ? undefined : result
      throw new Inconclusive(`cannot read ${object.key}: ${result.message}`, result.unlock)
    },
  }

  async function list(bucket: string, prefix: string): Promise<readonly BucketObject[]> {
    const { paginateListObjectsV2 } = await import('@aws-sdk/client-s3')
    const objects: BucketObject[] = []
    const pages = paginateListObjectsV2({ client: await rootClient() }, { Bucket: bucket, Prefix: prefix })
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
        const { Body } = await (await rootClient()).send(new GetObjectCommand({ Bucket: bucket, Key: key, Range }))
        const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array()
        return bytes.slice().buffer
      } catch (error) {
        // Without this error, the file would seem to be damaged.
        const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
        throw new Inconclusive(
          `the bucket lists the object but does not return it (${why})`,
          'use a bucket that returns the objects it lists',
        )
      }
    }
    const file = { byteLength: size, slice }
    return cachedAsyncBuffer(file, size <= maxSingleRead ? { minSize: maxSingleRead } : {})
  }
}

/** Length of the start of an object that is read, in bytes: it contains a secret that begins in the part shown. */
const startBytes = 8192

/** Length of the start of an object that reports show. */
const shownStart = 60

/** Reads a Parquet file, or the start of another object as text. */
async function readObject(file: AsyncBuffer): Promise<ParquetContent | string> {
  const content = await readParquet(file)
  return content ?? new TextDecoder().decode(await file.slice(0, Math.min(startBytes, file.byteLength)))
}

/** Returns the part of a read object that is recorded in the trace. */
function traced(
  read: ParquetContent | string | Inconclusive,
  { text: redact }: Redaction,
): Pick<TracedFile, 'content' | 'start' | 'secrets' | 'error'> {
  const hidden = typeof read === 'string' ? redact(read) : redact('metadata' in read ? read.metadata : '')
  const secrets = hidden.match(marked) ?? []
  const found = secrets.length > 0 ? { secrets: [...new Set(secrets)] } : {}
  if (typeof read === 'string') {
    const printable = hidden.replaceAll(/\s+/g, ' ').replaceAll(/[\p{C}\ufffd`]/gu, '.')
    return { start: printable.slice(0, shownStart).toWellFormed(), ...found }
  }
  if (read instanceof Inconclusive) return { error: read.message }
  const { columns, compression, rowGroups, rows } = read
  const tracedRow = (row: Row) =>
    Object.fromEntries(tracedColumns.flatMap((name) => (name in row ? [[name, row[name]]] : [])))
  const content = { columns: [...columns], compression: [...compression], rowGroups: [...rowGroups] }
  return { content: { ...content, rows: rows.map(tracedRow) }, ...found }
}

type TracedFile = Observation & { type: 'file' }

function returnInconclusive(error: unknown): Inconclusive {
  if (error instanceof Inconclusive) return error
  throw error
}

async function connect(session: Session, store: BucketStore): Promise<S3Client> {
  accountOf(store, 'root')
  const { bucketClient: clientOf } = await import('../../../fixtures/bucket/client.ts')
  const client = clientOf(store, 'root')
  session.onClose(async () => client.destroy(), 'last')
  return client
}

/**
 * Returns the credentials of an account.
 *
 * @throws Inconclusive if the store does not have this account
 */
function accountOf({ accounts }: BucketStore, name: AccountName): Account {
  const account = accounts[name]
  if (isAccount(account)) return account
  throw new Inconclusive(`the bucket has no account "${name}"`, `set ${account.missing.join(', ')}`)
}

/** Whether an error shows that the store did not create a bucket: the store refused it, or was not reached. */
function isNotCreated(error: unknown): boolean {
  const [status, code] = [at(error, '$metadata', 'httpStatusCode'), at(error, 'code')]
  if (typeof status === 'number') return status >= 400 && status < 500
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND'
}
