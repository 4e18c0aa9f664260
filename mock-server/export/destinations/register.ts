import { ApiError } from '../../http/errors.ts'
import { BucketError } from '../bucket/bucket.ts'
import type { ExportContext } from '../context.ts'
import { requireFeature } from '../features.ts'
import type { Caller } from '../keys.ts'
import type { CredentialsInput, DestinationCreate } from '../schemas/destination.ts'
import type { Credentials, Destination, DestinationConfig } from '../types.ts'
import { checkEndpoint, normalizePrefix } from './location.ts'
import { invalidDestination } from './test-file.ts'

// The client is waiting for the response.
const MAX_TEST_MS = 10_000

/**
 * Registers a destination after writing a test file to its bucket. Throws ApiError and stores nothing if that fails.
 *
 * Section of the specification: Endpoints, rules 1 to 4.
 */
export async function createDestination(
  context: ExportContext,
  caller: Caller,
  request: DestinationCreate,
): Promise<Destination> {
  const credentials = checkedCredentials(context, request.credentials)
  const config = checkedConfig(request.config, credentials)
  await testBucket(context, config, credentials)
  const id = context.newId()
  const now = context.clock.now()
  const destination = {
    id,
    tenant_id: caller.tenantId,
    display_name: request.display_name,
    config,
    ...sealed(context, id, credentials),
    created_at: now,
    updated_at: now,
  }
  context.store.destinations.put(destination)
  return destination
}

/** Replaces the credentials of a destination after writing a test file with the new ones. Throws ApiError. */
export async function rotateCredentials(
  context: ExportContext,
  destination: Destination,
  input: CredentialsInput,
): Promise<Destination> {
  const credentials = checkedCredentials(context, input)
  await testBucket(context, destination.config, credentials)
  return context.store.destinations.update(destination, {
    ...sealed(context, destination.id, credentials),
    updated_at: context.clock.now(),
  })
}

/** Decrypts the credentials of a destination; undefined if those of the runtime are used. */
export function openCredentials({ sealer }: ExportContext, { id, sealed }: Destination): Credentials | undefined {
  return sealed === null ? undefined : (JSON.parse(sealer.open(sealed, id)) as Credentials)
}

function checkedCredentials(
  context: ExportContext,
  input: CredentialsInput | null | undefined,
): Credentials | undefined {
  if (input === undefined || input === null) {
    if (!context.installation.selfHosted) {
      throw new ApiError(
        'invalid-body',
        'Field "credentials": expected access_key_id and secret_access_key, received nothing; only self-hosted installations may omit them',
      )
    }
    requireFeature(context, 'environment-based credentials', 'credentials')
    return undefined
  }
  const { access_key_id, secret_access_key, session_token } = input
  if (!session_token) return { access_key_id, secret_access_key }
  requireFeature(context, 'session_token', 'credentials.session_token')
  return { access_key_id, secret_access_key, session_token }
}

function checkedConfig(
  { bucket_name, prefix, region, endpoint_url, config_kwargs_s3 }: DestinationCreate['config'],
  credentials: Credentials | undefined,
): DestinationConfig {
  // A runtime with its own credentials also has its own region.
  if (!region && !endpoint_url && credentials !== undefined) {
    throw new ApiError(
      'invalid-body',
      'Field "config.region": expected the region of a native-cloud bucket, or "config.endpoint_url" for any other S3-compatible store, received neither',
    )
  }
  return {
    bucket_name,
    prefix: normalizePrefix(prefix ?? ''),
    region: region ?? null,
    endpoint_url: endpoint_url ? checkEndpoint(endpoint_url) : null,
    addressing_style: config_kwargs_s3?.addressing_style ?? 'auto',
  }
}

async function testBucket(
  { policies, network, newId }: ExportContext,
  config: DestinationConfig,
  credentials: Credentials | undefined,
): Promise<void> {
  const testNetwork = { ...network, requestMs: Math.min(network.requestMs, MAX_TEST_MS) }
  const bucket = await policies.openBucket({ config, credentials, network: testNetwork })
  try {
    await policies.writeTestFile(
      bucket,
      [config.prefix, 'tmp', `${newId()}.txt`].filter((part) => part !== '').join('/'),
    )
  } catch (error) {
    if (error instanceof BucketError) throw invalidDestination(error, policies.destinationErrors)
    throw error
  } finally {
    bucket.close()
  }
}

function sealed(
  { sealer }: ExportContext,
  id: string,
  credentials: Credentials | undefined,
): Pick<Destination, 'sealed' | 'credentials_keys'> {
  if (credentials === undefined) return { sealed: null, credentials_keys: [] }
  return { sealed: sealer.seal(JSON.stringify(credentials), id), credentials_keys: Object.keys(credentials) }
}
