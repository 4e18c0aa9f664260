import { ApiError } from '../http/errors.ts'
import { isUuid } from '../http/request.ts'

/** Plan tiers; bulk export is there on `plus` and `enterprise` only. */
export const PLANS = ['developer', 'plus', 'enterprise'] as const
export type Plan = (typeof PLANS)[number]

/** An API key of the service. */
export interface ApiKey {
  /** What `X-API-Key` must hold. */
  readonly key: string
  /** UUIDs of the workspaces that it may use. */
  readonly tenants: readonly string[]
  readonly plan: Plan
}

/** Who makes a request. */
export interface Caller {
  readonly tenantId: string
  readonly plan: Plan
}

/** The keys of a server that is told of no others: two workspaces that may export, and one on a lower plan. */
export const TEST_KEYS: readonly ApiKey[] = [
  { key: 'touchstone-enterprise', tenants: ['00000000-0000-4000-8000-00000000000a'], plan: 'enterprise' },
  { key: 'touchstone-plus', tenants: ['00000000-0000-4000-8000-00000000000b'], plan: 'plus' },
  { key: 'touchstone-developer', tenants: ['00000000-0000-4000-8000-00000000000c'], plan: 'developer' },
]

/**
 * The caller that the headers of a request name. Throws ApiError: 401 for the key, 400 and 403 for the workspace.
 *
 * Section of the document: Authentication, Bulk export API.
 */
export function callerOf(headers: Headers, keys: ReadonlyMap<string, ApiKey>): Caller {
  const name = headers.get('x-api-key')
  if (name === null || name === '') {
    throw new ApiError('unauthorized', 'The header X-API-Key is missing; send an API key with every request')
  }
  const key = keys.get(name)
  // The key itself is a secret and is not repeated.
  if (key === undefined)
    throw new ApiError('unauthorized', 'The API key in X-API-Key is unknown; send one that this server knows')
  const tenant = headers.get('x-tenant-id')
  if (tenant === null || tenant === '') {
    throw new ApiError(
      'invalid-header',
      'The header X-Tenant-Id is missing; send the id of a workspace with every request',
    )
  }
  if (!isUuid(tenant)) {
    throw new ApiError(
      'invalid-header',
      `The header X-Tenant-Id is ${JSON.stringify(tenant.slice(0, 80))}; expected a UUID`,
    )
  }
  const tenantId = tenant.toLowerCase()
  if (!key.tenants.some((id) => id.toLowerCase() === tenantId)) {
    throw new ApiError('forbidden', `The API key may not use the workspace ${tenantId}`)
  }
  return { tenantId, plan: key.plan }
}
