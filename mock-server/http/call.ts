/** One request to an endpoint, its caller already authenticated. */
export interface Call<Caller> {
  readonly request: Request
  readonly caller: Caller
  /** Method and path pattern, such as `GET /threads/:thread_id/state`. */
  readonly endpoint: string
  /** Returns a parameter of the path; an empty string for an unknown name. */
  param(name: string): string
  /** Returns the query's parameters; a repeated one is an array. */
  query(): Record<string, string | string[]>
}

/** An endpoint of an API. `Result` is what its handler returns. */
export interface Route<Caller, Result = Response> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly answer: (call: Call<Caller>) => Result | Promise<Result>
}

/** Returns the parameters of a query; a repeated one is an array. */
export function queryOf(url: string): Record<string, string | string[]> {
  const parameters = new URL(url).searchParams
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}
