/** An authenticated user: `identity` and all other fields that the handler returned. */
export interface AuthUser {
  readonly identity: string
  readonly [field: string]: unknown
}

/** Conditions on metadata, which must all be met. A plain value means equality. */
export type AuthFilter = Readonly<Record<string, unknown>>

/** The argument of an authorization handler. */
export interface AuthContext {
  readonly event: string
  readonly resource: string
  readonly action: string
  readonly user: AuthUser
  readonly permissions: readonly string[]
  /** The payload of the access; a handler may write into its `metadata`. */
  readonly value: Record<string, unknown>
}

/** The result of an authorization handler: a filter, true or nothing to allow, false to deny. */
type AuthVerdict = AuthFilter | boolean | null | undefined

/**
 * The handlers of custom authentication, in the shape of the public SDK's `Auth` class.
 *
 * Keys of `callbacks` are `resource:action`, `resource`, `*:action` or `*`. The most specific one applies.
 * Section of the specification: Authentication / Deployment API.
 */
export interface AuthHandlers {
  readonly authenticate?: (request: Request) => unknown
  readonly callbacks?: Readonly<Record<string, (context: AuthContext) => AuthVerdict | Promise<AuthVerdict>>>
  /** Whether LangGraph Studio users must authenticate, too. @default false */
  readonly disable_studio_auth?: boolean
}

/** The public SDK's `Auth` object. */
export interface SdkAuth {
  readonly '~handlerCache': object
}

/** Returns the handlers of an object, which may be the public SDK's `Auth`. */
export function handlersOf(auth: AuthHandlers | SdkAuth): AuthHandlers {
  return '~handlerCache' in auth ? auth['~handlerCache'] : auth
}
