import { Hono } from 'hono/quick'
import { queryOf } from '../http/call.ts'
import { forBrowsers } from '../http/cors.ts'
import { plainError } from '../http/error-response.ts'
import { ApiError } from '../http/errors.ts'
import type { ExportContext, ExportRoute } from './context.ts'
import type { Engine } from './exports/cancel.ts'
import { callerOf } from './keys.ts'
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
      const caller = callerOf(req.raw.headers, context.keys)
      if (!context.policies.mayExport(caller.plan)) {
        throw new ApiError(
          'forbidden',
          `Bulk export is not available on the plan ${caller.plan}; it is available on the plans plus and enterprise`,
        )
      }
      return Response.json(
        await answer({
          request: req.raw,
          caller,
          endpoint: `${method} ${BASE_PATH}${path}`,
          param: (name) => req.param(name) ?? '',
          query: () => queryOf(req.url),
        }),
      )
    })
  }
  for (const [path, methods] of methodsByPath(routes)) {
    app.all(`${BASE_PATH}${path}`, ({ req }) => {
      throw new ApiError('method-not-allowed', `${req.method} is not allowed here, only ${methods.join(', ')}`, {
        allow: methods,
      })
    })
  }
  app.notFound(({ req }) =>
    plainError(new ApiError('route-not-found', `There is no endpoint ${req.method} ${req.path}`)),
  )
  app.onError((error) => {
    if (error instanceof ApiError) return plainError(error)
    throw error
  })
  return forBrowsers(async (request) => app.fetch(request))
}

function methodsByPath(routes: readonly ExportRoute[]): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { method, path } of routes) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}
