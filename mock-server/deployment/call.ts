import type { AuthUser } from './auth/types.ts'

/** One request to an endpoint, its caller already authenticated. */
export interface Call {
  readonly request: Request
  readonly user: AuthUser | undefined
  /** Method and path pattern, such as `GET /threads/:thread_id/state`. */
  readonly endpoint: string
  /** A part of the path; an empty string where the path has none of this name. */
  param(name: string): string
  /** The query's parameters; one that is given several times is an array. */
  query(): Record<string, string | string[]>
}

/** An endpoint of the API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly answer: (call: Call) => Response | Promise<Response>
}
