import { Hono } from 'hono/quick'
import { forBrowsers } from '../http/cors.ts'
import { ApiError } from '../http/errors.ts'
import { plainError } from '../http/response.ts'
import { honoPath, mount } from '../http/route.ts'
import type { ExportApi, ExportRoute } from './api.ts'
import type { ExportContext } from './context.ts'
import { type Caller, callerOf } from './keys.ts'
import { destinationRoutes, exportRoutes, runRoutes, spawnedRunRoutes } from './routes.ts'

// Paths without a parameter come first: they would also match the path of an export.
const ROUTES: readonly ExportRoute[] = [...destinationRoutes, ...spawnedRunRoutes, ...exportRoutes, ...runRoutes]

/** Creates the fetch function of the export API. */
export function createApp(api: ExportApi): (request: Request) => Promise<Response> {
  const app = new Hono()
  mount(app, ROUTES, api, (request) => authorizedCaller(api.context, request))
  for (const { path } of ROUTES) {
    const allow = ROUTES.filter((route) => route.path === path).map(({ method }) => method)
    app.all(honoPath(path), ({ req }) => {
      throw new ApiError('method-not-allowed', `${req.method} is not allowed here, only ${allow.join(', ')}`, { allow })
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

/** Throws ApiError for headers that name no caller, and for a plan without bulk export. */
function authorizedCaller({ keys, policies }: ExportContext, { headers }: Request): Caller {
  const caller = callerOf(headers, keys)
  if (policies.mayExport(caller.plan)) return caller
  throw new ApiError(
    'forbidden',
    `Bulk export is not available on the plan ${caller.plan}; it is available on the plans plus and enterprise`,
  )
}
