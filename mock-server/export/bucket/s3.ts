import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { type Bucket, type BucketAccess, BucketError } from './bucket.ts'
import { toBucketError } from './bucket-error.ts'
import { PrivateAddress } from './private-address.ts'
import { BoundedRequestHandler } from './request-handler.ts'

/** Opens a bucket with the AWS SDK. */
export function openS3Bucket(access: BucketAccess): Bucket {
  const Bucket = access.config.bucket_name
  const client = new S3Client(clientConfig(access))

  const send = async <T>(request: () => Promise<T>): Promise<T> => {
    try {
      return await request()
    } catch (error) {
      throw error instanceof PrivateAddress ? new BucketError('no-endpoint', error.message) : toBucketError(error)
    }
  }
  const options = (abortSignal: AbortSignal | undefined): { abortSignal?: AbortSignal } =>
    abortSignal === undefined ? {} : { abortSignal }

  return {
    put: async (Key, bytes, signal) => {
      const command = new PutObjectCommand({ Bucket, Key, Body: bytes, ContentLength: bytes.byteLength })
      etagOf(await send(() => client.send(command, options(signal))))
    },
    delete: async (Key) => {
      await send(() => client.send(new DeleteObjectCommand({ Bucket, Key })))
    },
    createUpload: async (Key, signal) => {
      const command = new CreateMultipartUploadCommand({ Bucket, Key })
      const { UploadId } = await send(() => client.send(command, options(signal)))
      if (UploadId === undefined) throw notAStore('an upload without an id')
      return UploadId
    },
    uploadPart: async ({ key: Key, uploadId: UploadId, number: PartNumber }, bytes, signal) => {
      const part = { Bucket, Key, UploadId, PartNumber, Body: bytes, ContentLength: bytes.byteLength }
      return etagOf(await send(() => client.send(new UploadPartCommand(part), options(signal))))
    },
    completeUpload: async (Key, UploadId, etags) => {
      const Parts = etags.map((ETag, index) => ({ ETag, PartNumber: index + 1 }))
      const command = new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } })
      etagOf(await send(() => client.send(command)))
    },
    abortUpload: async (Key, UploadId) => {
      await send(() => client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })))
    },
    close: () => client.destroy(),
  }
}

function clientConfig({ config, credentials, network }: BucketAccess): S3ClientConfig {
  const style = config.addressing_style === 'auto' ? defaultStyle(config.endpoint_url) : config.addressing_style
  return {
    // Some compatible stores reject the newer checksums, and no store requires them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: new BoundedRequestHandler(network),
    // The executor retries requests.
    maxAttempts: 1,
    forcePathStyle: style === 'path',
    ...regionOf(config),
    ...(config.endpoint_url !== null && { endpoint: config.endpoint_url }),
    ...(credentials !== undefined && {
      credentials: {
        accessKeyId: credentials.access_key_id,
        secretAccessKey: credentials.secret_access_key,
        ...(credentials.session_token !== undefined && { sessionToken: credentials.session_token }),
      },
    }),
  }
}

/** Signing needs a region even if the store has none. Without region and endpoint, the region of the runtime is used. */
function regionOf({ region, endpoint_url }: BucketAccess['config']): Pick<S3ClientConfig, 'region'> {
  if (region !== null) return { region }
  return endpoint_url === null ? {} : { region: 'us-east-1' }
}

function defaultStyle(endpoint: string | null): 'path' | 'virtual' {
  return endpoint === null ? 'virtual' : 'path'
}

/** Returns the ETag of a stored object or part. To the client, a web page with status 200 looks like success except for it. */
function etagOf({ ETag }: { ETag?: string | undefined }): string {
  if (ETag !== undefined && ETag !== '') return ETag
  throw notAStore('a response without an ETag')
}

function notAStore(what: string): BucketError {
  return new BucketError('no-endpoint', `the server returned ${what} and is not an S3-compatible store`)
}
