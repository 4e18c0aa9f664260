import type { AuthHandlers } from './types.ts'

/** The public SDK's `Auth` object. */
export interface SdkAuth {
  readonly '~handlerCache': object
}

/** Returns the handlers of an object, which may be the public SDK's `Auth`. */
export function handlersOf(auth: AuthHandlers | SdkAuth): AuthHandlers {
  return '~handlerCache' in auth ? auth['~handlerCache'] : auth
}
