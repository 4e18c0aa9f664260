import { ApiError, type ErrorDetails } from '../../http/errors.ts'
import { filterProblem } from './filter.ts'
import type { AuthFilter, AuthHandlers, AuthUser } from './handlers.ts'

/**
 * Authenticates and authorizes callers with the handlers of the deployment.
 *
 * Section of the specification: Authentication / Deployment API.
 */
export interface AuthEngine {
  /** Whether there are handlers. */
  readonly enabled: boolean
  /**
   * Returns the caller; undefined without handlers.
   *
   * Throws ApiError `unauthorized` with the status and the detail of the handler. A handler that fails in another way, or
   * returns no identity, leads to status 401 with the name of its error only.
   */
  authenticate(request: Request): Promise<AuthUser | undefined>
  /**
   * Returns the filter that the metadata of the resource must match; undefined without restrictions.
   *
   * `value` is the payload of the access; a handler may write into its `metadata`.
   * Throws ApiError `forbidden` when the handler denies access, fails, or returns an invalid verdict.
   */
  authorize(
    user: AuthUser | undefined,
    resource: string,
    action: string,
    value: Record<string, unknown>,
  ): Promise<AuthFilter | undefined>
}

const OPEN: AuthEngine = {
  enabled: false,
  authenticate: () => Promise.resolve(undefined),
  authorize: () => Promise.resolve(undefined),
}

/** Creates the auth engine of a deployment. Without handlers, it allows everything. */
export function createAuthEngine(handlers: AuthHandlers | undefined): AuthEngine {
  const authenticate = handlers?.authenticate
  const callbacks = handlers?.callbacks
  if (handlers === undefined || (authenticate === undefined && callbacks === undefined)) return OPEN
  if (authenticate === undefined) {
    throw new TypeError('The auth handlers authorize but do not authenticate; add a handler with auth.authenticate(…)')
  }
  return {
    enabled: true,
    authenticate: async (request) => {
      const studio = handlers.disable_studio_auth !== true && request.headers.get('x-auth-scheme') === 'langsmith'
      if (studio) return STUDIO_USER
      const result = await orRefuse('unauthorized', 'authentication handler', () => authenticate(headersOnly(request)))
      const user = toUser(result)
      if (user === undefined) throw new ApiError('unauthorized', 'The authentication handler returned no identity')
      return user
    },
    authorize: async (user, resource, action, value) => {
      const event = `${resource}:${action}`
      const callback = mostSpecific(callbacks, [event, resource, `*:${action}`, '*'])
      if (callback === undefined || user === undefined) return undefined
      const context = { event, resource, action, user, permissions: permissionsOf(user), value }
      const name = `authorization handler for ${event}`
      return toFilter(name, await orRefuse('forbidden', name, () => callback(context)))
    },
  }
}

function mostSpecific<T>(callbacks: Readonly<Record<string, T>> | undefined, keys: readonly string[]): T | undefined {
  if (callbacks === undefined) return undefined
  const key = keys.find((candidate) => Object.hasOwn(callbacks, candidate))
  return key === undefined ? undefined : callbacks[key]
}

function permissionsOf(user: AuthUser): readonly string[] {
  const permissions = user['permissions']
  return Array.isArray(permissions) ? permissions : []
}

/** Returns a request without its body, which the endpoint has to read. */
function headersOnly(request: Request): Request {
  return new Request(request.url, { method: request.method, headers: request.headers })
}

function toFilter(name: string, verdict: unknown): AuthFilter | undefined {
  if (verdict === undefined || verdict === null || verdict === true) return undefined
  if (verdict === false) throw new ApiError('forbidden', 'Forbidden')
  if (typeof verdict !== 'object' || Array.isArray(verdict)) {
    const kind = Array.isArray(verdict) ? 'an array' : `a ${typeof verdict}`
    throw new ApiError('forbidden', `The ${name} returned ${kind}; expected a filter object, true, false or nothing`)
  }
  const filter: AuthFilter = { ...verdict }
  const problem = filterProblem(filter)
  if (problem !== undefined) throw new ApiError('forbidden', `The ${name} returned a filter in which ${problem}`)
  return Object.keys(filter).length === 0 ? undefined : filter
}

async function orRefuse(kind: 'unauthorized' | 'forbidden', name: string, call: () => unknown): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    if (isHttpException(error)) throw new ApiError(kind, error.message, detailsOf(error))
    // The message of an unexpected error may contain a secret.
    const thrown = error instanceof Error ? error.name : typeof error
    throw new ApiError(kind, `The ${name} failed with an unexpected ${thrown}`)
  }
}

interface HttpExceptionLike {
  readonly status: number
  readonly message: string
  readonly headers?: unknown
}

/** Whether an error has a status from 400 to 599, as the public SDK's HTTPException and those of web frameworks do. */
function isHttpException(error: unknown): error is HttpExceptionLike {
  if (!(error instanceof Error) || !('status' in error)) return false
  return Number.isInteger(error.status) && Number(error.status) >= 400 && Number(error.status) < 600
}

function detailsOf(error: HttpExceptionLike): ErrorDetails {
  const { status, headers } = error
  const pairs = headers instanceof Headers ? [...headers] : isObject(headers) ? Object.entries(headers) : []
  return { status, headers: Object.fromEntries(pairs.map(([name, value]) => [name, String(value)])) }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** The LangGraph Studio user, as public servers present it. */
const STUDIO_USER: AuthUser = {
  kind: 'StudioUser',
  identity: 'langgraph-studio-user',
  display_name: 'langgraph-studio-user',
  is_authenticated: true,
  permissions: [],
}

/** Converts the result of an authentication handler to a user; undefined without an identity. */
function toUser(result: unknown): AuthUser | undefined {
  const user: unknown = typeof result === 'string' ? { identity: result } : result
  if (typeof user !== 'object' || user === null || !('identity' in user)) return undefined
  const { identity } = user
  if (typeof identity !== 'string' || identity === '') return undefined
  return { display_name: identity, is_authenticated: true, permissions: [], ...user, identity }
}
