import type { Caller } from './keys.ts'

/** One request to an endpoint of the export API, its caller already known. */
export interface Call {
  readonly request: Request
  readonly caller: Caller
  /** Method and path pattern, such as `GET /api/v1/bulk-exports/:export_id`. */
  readonly endpoint: string
  /** A part of the path; an empty string where the path has none of this name. */
  param(name: string): string
  /** The query's parameters; one that is given several times is an array. */
  query(): Record<string, string | string[]>
}

/** An endpoint of the export API; its path is what follows `/api/v1/bulk-exports`. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly answer: (call: Call) => object | Promise<object>
}
