import { ApiError } from '../../http/errors.ts'
import { BucketError } from '../bucket/bucket.ts'
import type { ExportContext } from '../context.ts'
import { requireFeature } from '../features.ts'
import type { Caller } from '../keys.ts'
import type { CredentialsInput, DestinationCreate } from '../schemas/destination.ts'
import type { Credentials, Destination, DestinationConfig } from '../types.ts'
import { checkEndpoint, normalisePrefix } from './location.ts'
import { destinationRefusal } from './test-file.ts'

// Someone waits for the answer.
const LONGEST_TEST_MS = 10_000

/**
 * Registers a destination once a test file could be written to its bucket. Throws ApiError; nothing is kept then.
 *
 * Section of the document: Endpoints, rules 1 to 4.
 */
export async function createDestination(
  context: ExportContext,
  caller: Caller,
  request: DestinationCreate,
): Promise<Destination> {
  const credentials = givenCredentials(context, request.credentials)
  const config = checkedConfig(request.config, credentials)
  await tryBucket(context, config, credentials)
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

/** Replaces the credentials of a destination once a test file could be written with the new ones. Throws ApiError. */
export async function rotateCredentials(
  context: ExportContext,
  destination: Destination,
  input: CredentialsInput,
): Promise<Destination> {
  const credentials = givenCredentials(context, input)
  await tryBucket(context, destination.config, credentials)
  return context.store.destinations.update(destination, {
    ...sealed(context, destination.id, credentials),
    updated_at: context.clock.now(),
  })
}

/** The credentials of a destination; undefined where the runtime's own are used. */
export function openCredentials({ sealer }: ExportContext, { id, sealed }: Destination): Credentials | undefined {
  return sealed === null ? undefined : (JSON.parse(sealer.open(sealed, id)) as Credentials)
}

function givenCredentials(context: ExportContext, input: CredentialsInput | null | undefined): Credentials | undefined {
  if (input === undefined || input === null) {
    if (!context.installation.selfHosted) {
      throw new ApiError(
        'invalid-body',
        'Field "credentials": expected access_key_id and secret_access_key, received nothing; only a self-hosted installation may leave them out',
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
  // The runtime that has credentials of its own has a region of its own, too.
  if (!region && !endpoint_url && credentials !== undefined) {
    throw new ApiError(
      'invalid-body',
      'Field "config.region": expected the region of a native-cloud bucket, or "config.endpoint_url" for any other S3-compatible store, received neither',
    )
  }
  return {
    bucket_name,
    prefix: normalisePrefix(prefix ?? ''),
    region: region ?? null,
    endpoint_url: endpoint_url ? checkEndpoint(endpoint_url) : null,
    addressing_style: config_kwargs_s3?.addressing_style ?? 'auto',
  }
}

async function tryBucket(
  { policies, network, newId }: ExportContext,
  config: DestinationConfig,
  credentials: Credentials | undefined,
): Promise<void> {
  const bounds = { ...network, requestMs: Math.min(network.requestMs, LONGEST_TEST_MS) }
  const bucket = await policies.openBucket({ config, credentials, network: bounds })
  try {
    await policies.writeTestFile(
      bucket,
      [config.prefix, 'tmp', `${newId()}.txt`].filter((part) => part !== '').join('/'),
    )
  } catch (error) {
    if (error instanceof BucketError) throw destinationRefusal(error, policies.destinationErrors)
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
