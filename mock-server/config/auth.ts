import { type AuthHandlers, handlersOf } from '../deployment/auth/handlers.ts'
import { ConfigurationError } from './errors.ts'
import { kindOf } from './graphs.ts'
import { loadVariable } from './module.ts'

/** The remedy for handlers in Python. */
const REMEDY =
  'write the handlers in TypeScript or JavaScript with the Auth class of the public SDK, or start their own server and test it by its URL'

/** Loads the handlers of `auth`: an `Auth` of the public SDK, or an object with `authenticate` and `callbacks`. */
export async function loadAuth(
  auth: { readonly path: string; readonly disable_studio_auth?: boolean | undefined },
  folder: string,
): Promise<AuthHandlers> {
  const what = `"auth" (${auth.path})`
  const value = await loadVariable(auth.path, folder, '"auth"', REMEDY)
  const handlers: unknown = isObject(value) ? handlersOf(value) : value
  if (!isHandlers(handlers)) {
    throw new ConfigurationError(
      `${what}: expected an Auth of the public SDK, or an object with authenticate(request) and callbacks, received ${kindOf(value)} without handlers`,
    )
  }
  const { authenticate, callbacks } = handlers
  if (authenticate === undefined) {
    throw new ConfigurationError(`${what} has no authentication handler; add one with auth.authenticate(…)`)
  }
  return { ...(callbacks && { callbacks }), authenticate, disable_studio_auth: auth.disable_studio_auth ?? false }
}

function isHandlers(value: unknown): value is AuthHandlers {
  if (!isObject(value)) return false
  const { authenticate, callbacks } = value as AuthHandlers
  const isEmpty = authenticate === undefined && callbacks === undefined
  return !isEmpty && isOptionalFunction(authenticate) && Object.values(callbacks ?? {}).every(isOptionalFunction)
}

function isOptionalFunction(value: unknown): boolean {
  return value === undefined || typeof value === 'function'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
