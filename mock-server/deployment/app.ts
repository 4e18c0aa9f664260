import { Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { forBrowsers } from '../http/cors.ts'
import { ApiError } from '../http/errors.ts'
import { mount } from '../http/route.ts'
import type { Deployment } from './deployment.ts'
import type { Dialect } from './dialect.ts'
import { deploymentRoutes, notOffered, protectedRoutes, publicRoutes } from './routes/index.ts'

const METHODS = [...new Set(deploymentRoutes.map(({ method }) => method))]

/**
 * Creates the fetch function of a deployment.
 *
 * Endpoints have no middleware: composing it costs more than the rest of the routing.
 */
export function createApp(deployment: Deployment): (request: Request) => Promise<Response> {
  const { auth, dialect } = deployment
  // A mock may live for one test only. This router takes half the time of Hono's default one to set up.
  const app = new Hono({ strict: dialect.trailingSlash !== 'same', router: new TrieRouter() })
  mount(app, publicRoutes, deployment, () => undefined)
  mount(app, protectedRoutes, deployment, (request) => auth.authenticate(request))
  app.notFound(async ({ req }) => {
    await auth.authenticate(req.raw)
    const missing = notOffered(req.path)
    if (missing !== undefined) throw new ApiError('not-offered', missing)
    const allow = METHODS.filter((method) => app.router.match(method, req.path)[0].length > 0)
    throw allow.length === 0
      ? new ApiError('route-not-found', `There is no endpoint ${req.method} ${req.path}`)
      : new ApiError('method-not-allowed', `${req.method} is not allowed here, only ${allow.join(', ')}`, { allow })
  })
  app.onError((error) => {
    if (error instanceof ApiError) return dialect.errorResponse(error)
    throw error
  })
  return forBrowsers(
    async (request) =>
      (dialect.trailingSlash === 'same' ? undefined : slashResponse(dialect, request)) ?? app.fetch(request),
  )
}

/** Returns the response to a path that ends in a slash; undefined for any other path. */
function slashResponse({ trailingSlash, errorResponse }: Dialect, request: Request): Response | undefined {
  const url = new URL(request.url)
  if (!url.pathname.endsWith('/') || url.pathname === '/') return undefined
  if (trailingSlash === 'unknown') {
    return errorResponse(new ApiError('route-not-found', `There is no endpoint ${request.method} ${url.pathname}`))
  }
  url.pathname = url.pathname.replace(/\/+$/, '')
  return new Response(null, { status: 307, headers: { location: url.href } })
}
