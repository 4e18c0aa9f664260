import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { uuid } from './fields.ts'
import type { Endpoint } from './route.ts'

/** Describes endpoints by path and method. */
export function describePaths<T extends Pick<Endpoint, 'method' | 'path'>>(
  endpoints: readonly T[],
  describe: (endpoint: T) => ZodOpenApiOperationObject,
): ZodOpenApiPathsObject {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: describe(endpoint) }
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
