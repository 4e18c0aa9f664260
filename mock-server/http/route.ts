import type { Hono } from 'hono'
import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponseObject } from 'zod-openapi'
import type { ErrorKind } from './errors.ts'
import { uuid } from './fields.ts'

/** One request to an endpoint, its caller already authenticated. */
export interface Call<Caller> {
  readonly request: Request
  readonly caller: Caller
  /** Method and path, such as `GET /threads/{thread_id}/state`. */
  readonly endpoint: string
  /** Returns a parameter of the path; an empty string for an unknown name. */
  param(name: string): string
  /** Returns the query's parameters; a repeated one is an array. */
  query(): Record<string, string | string[]>
}

/** The schemas of an endpoint's requests and responses. */
export interface EndpointSchemas {
  readonly query?: z.ZodType
  readonly header?: z.ZodObject
  readonly body?: z.ZodType
  /** The responses that are not errors, by status. */
  readonly responses: Readonly<Record<`${number}`, ZodOpenApiResponseObject>>
  /** The errors of this endpoint, in addition to those of every request with such a path, query and body. */
  readonly errors?: readonly ErrorKind[]
}

/** An endpoint of an API: routing, the OpenAPI description and the routes that faults may name derive from it. */
export interface Endpoint<Conventions = void> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** For example `/threads/{thread_id}/runs`. */
  readonly path: string
  readonly summary: string
  /** Returns the schemas. They are needed for the description only, so they are made on demand. */
  readonly schemas: (conventions: Conventions) => EndpointSchemas
}

/** An endpoint with its handler. */
export interface Route<Context, Caller, Conventions = void> extends Endpoint<Conventions> {
  readonly handle: (context: Context, call: Call<Caller>) => Response | Promise<Response>
}

/**
 * Adds routes to an app.
 *
 * @param callerOf authenticates a request; what it throws refuses the request
 */
export function mount<Context, Caller>(
  app: Hono,
  routes: readonly Pick<Route<Context, Caller>, 'method' | 'path' | 'handle'>[],
  context: Context,
  callerOf: (request: Request) => Caller | Promise<Caller>,
): void {
  for (const { method, path, handle } of routes) {
    const endpoint = `${method} ${path}`
    app.on(method, honoPath(path), async ({ req }) =>
      handle(context, {
        request: req.raw,
        caller: await callerOf(req.raw),
        endpoint,
        param: (name) => req.param(name) ?? '',
        query: () => queryOf(req.url),
      }),
    )
  }
}

/** Returns a path in the syntax of Hono: `/threads/:thread_id`. */
export function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function queryOf(url: string): Record<string, string | string[]> {
  const parameters = new URL(url).searchParams
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}

/** Describes a response with a JSON body. */
export function jsonResponse(description: string, schema: z.ZodType): ZodOpenApiResponseObject {
  return { description, content: { 'application/json': { schema } } }
}

/** Describes the only response of an endpoint: status 200 with a JSON body. */
export function ok(description: string, schema: z.ZodType): EndpointSchemas['responses'] {
  return { '200': jsonResponse(description, schema) }
}

/** Returns the operation id of an endpoint, for generated clients: `getThreadsThreadIdState`. */
function operationId({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return [method.toLowerCase(), ...words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)].join('')
}

/** Describes endpoints by path and method. */
export function describePaths<T extends Pick<Endpoint, 'method' | 'path'>>(
  endpoints: readonly T[],
  describe: (endpoint: T) => ZodOpenApiOperationObject,
): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const endpoint of endpoints) {
    const operation = { operationId: operationId(endpoint), ...describe(endpoint) }
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation }
  }
  return paths
}

/** Returns the schema of a path's parameters: UUIDs, unless `others` has the name. Undefined for a path without any. */
export function pathParameters(
  path: string,
  others: Readonly<Record<string, z.ZodType>> = {},
): z.ZodObject | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  if (names.length === 0) return undefined
  return z.object(Object.fromEntries(names.map((name) => [name, others[name] ?? uuid])))
}
