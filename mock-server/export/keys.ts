import { ApiError } from '../http/errors.ts'
import { isUuid } from '../http/request.ts'

/** Plans. Bulk export is available on `plus` and `enterprise`. */
export const PLANS = ['developer', 'plus', 'enterprise'] as const
export type Plan = (typeof PLANS)[number]

/** An API key of the service. */
export interface ApiKey {
  /** Value of the header `X-API-Key`. */
  readonly key: string
  /** UUIDs of the workspaces that the key may use. */
  readonly tenants: readonly string[]
  readonly plan: Plan
}

/** Workspace and plan of a request. */
export interface Caller {
  readonly tenantId: string
  readonly plan: Plan
}

/** Default API keys: two workspaces with bulk export and one on a plan without it. */
export const TEST_KEYS: readonly ApiKey[] = [
  { key: 'touchstone-enterprise', tenants: ['00000000-0000-4000-8000-00000000000a'], plan: 'enterprise' },
  { key: 'touchstone-plus', tenants: ['00000000-0000-4000-8000-00000000000b'], plan: 'plus' },
  { key: 'touchstone-developer', tenants: ['00000000-0000-4000-8000-00000000000c'], plan: 'developer' },
]

/**
 * Returns the caller of a request. Throws ApiError: 401 for the key, 400 or 403 for the workspace.
 *
 * Section of the specification: Authentication / Bulk export API.
 */
export function callerOf(headers: Headers, keys: ReadonlyMap<string, ApiKey>): Caller {
  const value = headers.get('x-api-key')
  if (value === null || value === '') {
    throw new ApiError('unauthorized', 'The header X-API-Key is missing; send an API key with every request')
  }
  const key = keys.get(value)
  // The message must not repeat the key, which may be a secret.
  if (key === undefined)
    throw new ApiError('unauthorized', 'The API key in X-API-Key is unknown; send a key of this server')
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
      `Header X-Tenant-Id: expected a UUID, received ${JSON.stringify(tenant.slice(0, 80))}`,
    )
  }
  const tenantId = tenant.toLowerCase()
  if (!key.tenants.some((id) => id.toLowerCase() === tenantId)) {
    throw new ApiError('forbidden', `The API key may not use the workspace ${tenantId}`)
  }
  return { tenantId, plan: key.plan }
}
