import type { AuthHandlers } from './types.ts'

/** The public SDK's `Auth` object; the name of the field is the SDK's. */
export interface SdkAuth {
  readonly '~handlerCache': object
}

/** The handlers of an object, which may be the public SDK's `Auth`. */
export function handlersOf(auth: AuthHandlers | SdkAuth): AuthHandlers {
  return '~handlerCache' in auth ? auth['~handlerCache'] : auth
}
