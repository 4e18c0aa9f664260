/** An authenticated user: `identity` and whatever else the handler returned. */
export interface AuthUser {
  readonly identity: string
  readonly [field: string]: unknown
}

/** A condition on metadata: a plain value means equality; several keys must all hold. */
export type AuthFilter = Readonly<Record<string, unknown>>

/** What an authorization handler is told. */
export interface AuthContext {
  readonly event: string
  readonly resource: string
  readonly action: string
  readonly user: AuthUser
  readonly permissions: readonly string[]
  /** The payload of the access; a handler may write into its `metadata`. */
  readonly value: Record<string, unknown>
}

/** What an authorization handler may answer: a filter, allow (true or nothing) or deny (false). */
type AuthVerdict = AuthFilter | boolean | null | undefined

/**
 * The two contracts of custom authentication, in the shape that the public SDK's `Auth` class keeps them.
 *
 * Keys of `callbacks` are `resource:action`, `resource`, `*:action` or `*`; the most specific one decides.
 * Section of the document: Authentication, Deployment API.
 */
export interface AuthHandlers {
  readonly authenticate?: (request: Request) => unknown
  readonly callbacks?: Readonly<Record<string, (context: AuthContext) => AuthVerdict | Promise<AuthVerdict>>>
  /** Whether users of the visual development UI have to pass `authenticate` like everybody else. @default false */
  readonly disable_studio_auth?: boolean
}
