import { Hono } from 'hono/quick'
import { forBrowsers } from '../deployment/cors.ts'
import { documentDialect } from '../deployment/dialects/document.ts'
import { ApiError } from '../deployment/errors.ts'
import type { Route } from './call.ts'
import type { ExportContext } from './context.ts'
import type { Engine } from './exports/cancel.ts'
import { Refusal, refusalResponse } from './refusal.ts'
import { destinationRoutes } from './routes/destinations.ts'
import { exportRoutes } from './routes/exports.ts'
import { runRoutes, spawnedRunRoutes } from './routes/runs.ts'

/** Where the export API begins. */
const BASE_PATH = '/api/v1/bulk-exports'

/** The HTTP surface of the export API. */
export function createApp(context: ExportContext, engine: Engine): (request: Request) => Promise<Response> {
  const app = new Hono()
  // Paths without a parameter come first: they would also fit the pattern of an export's path.
  const routes = [
    ...destinationRoutes(context),
    ...spawnedRunRoutes(context),
    ...exportRoutes(context, engine),
    ...runRoutes(context),
  ]
  for (const { method, path, answer } of routes) {
    app.on(method, `${BASE_PATH}${path}`, async ({ req }) => {
      const caller = context.parts.callerOf(req.raw.headers, context.keys)
      if (!context.parts.mayExport(caller.plan)) {
        throw new Refusal(
          403,
          `Bulk export is not available on the plan ${caller.plan}; it is available on the plans plus and enterprise`,
        )
      }
      return Response.json(
        await answer({
          request: req.raw,
          caller,
          endpoint: `${method} ${BASE_PATH}${path}`,
          param: (name) => req.param(name) ?? '',
          query: () => query(new URL(req.url).searchParams),
        }),
      )
    })
  }
  for (const [path, methods] of methodsByPath(routes)) {
    app.all(`${BASE_PATH}${path}`, ({ req }) => {
      const allow = methods.join(', ')
      throw new Refusal(405, `${req.method} is not allowed here, only ${allow}`, { allow })
    })
  }
  app.notFound(({ req }) => refusalResponse(new Refusal(404, `There is no endpoint ${req.method} ${req.path}`)))
  app.onError((error) => {
    if (error instanceof Refusal) return refusalResponse(error)
    if (error instanceof ApiError) return documentDialect.errorResponse(error)
    throw error
  })
  return forBrowsers(async (request) => app.fetch(request))
}

function query(parameters: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { method, path } of routes) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}
