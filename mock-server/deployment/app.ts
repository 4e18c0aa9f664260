import { Hono } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'
import { queryOf } from '../http/call.ts'
import { forBrowsers } from '../http/cors.ts'
import { ApiError } from '../http/errors.ts'
import type { AuthEngine } from './auth/engine.ts'
import type { Deployment, DeploymentCall, DeploymentRoute } from './deployment.ts'
import type { Dialect } from './dialect.ts'
import { assistantChangeRoutes } from './routes/assistant-changes.ts'
import { assistantGraphRoutes } from './routes/assistant-graph.ts'
import { assistantRoutes } from './routes/assistants.ts'
import { notOffered } from './routes/not-offered.ts'
import { runChangeRoutes } from './routes/run-changes.ts'
import { runRoutes } from './routes/runs.ts'
import { serviceRoutes } from './routes/service.ts'
import { stateRoutes } from './routes/state.ts'
import { statelessRunRoutes } from './routes/stateless-runs.ts'
import { streamRoutes } from './routes/streams.ts'
import { threadChangeRoutes } from './routes/thread-changes.ts'
import { threadSearchRoutes } from './routes/thread-search.ts'
import { threadRoutes } from './routes/threads.ts'

/**
 * The HTTP surface of a deployment.
 *
 * Every endpoint is one handler without middleware: composing some costs more than all the rest of the routing.
 */
export function createApp(deployment: Deployment): (request: Request) => Promise<Response> {
  const { auth, dialect } = deployment
  // A mock may live for one test: this router is set up in half the time of Hono's default one, and matches as fast.
  const app = new Hono({ strict: dialect.trailingSlash !== 'same', router: new TrieRouter() })
  const open = serviceRoutes(deployment)
  const guarded = [
    ...threadRoutes(deployment),
    ...threadSearchRoutes(deployment),
    ...threadChangeRoutes(deployment),
    ...stateRoutes(deployment),
    ...streamRoutes(deployment),
    ...runRoutes(deployment),
    ...runChangeRoutes(deployment),
    ...statelessRunRoutes(deployment),
    ...assistantRoutes(deployment),
    ...assistantChangeRoutes(deployment),
    ...assistantGraphRoutes(deployment),
  ]
  mount(app, open, undefined)
  mount(app, guarded, auth)
  const methods = new Set([...guarded, ...open].map(({ method }) => method))
  app.notFound(async ({ req }) => {
    await auth.authenticate(req.raw)
    const missing = notOffered(req.path)
    if (missing !== undefined) throw new ApiError('not-offered', missing)
    const allow = [...methods].filter((method) => app.router.match(method, req.path)[0].length > 0)
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
      (dialect.trailingSlash === 'same' ? undefined : slashAnswer(dialect, request)) ?? app.fetch(request),
  )
}

/** The answer to a path that ends in a slash; undefined where it does not. */
function slashAnswer({ trailingSlash, errorResponse }: Dialect, request: Request): Response | undefined {
  const url = new URL(request.url)
  if (!url.pathname.endsWith('/') || url.pathname === '/') return undefined
  if (trailingSlash === 'unknown') {
    return errorResponse(new ApiError('route-not-found', `There is no endpoint ${request.method} ${url.pathname}`))
  }
  url.pathname = url.pathname.replace(/\/+$/, '')
  return new Response(null, { status: 307, headers: { location: url.href } })
}

function mount(app: Hono, routes: readonly DeploymentRoute[], auth: AuthEngine | undefined): void {
  for (const { method, path, answer } of routes) {
    const endpoint = `${method} ${path}`
    app.on(method, path, async ({ req }) => {
      const call: DeploymentCall = {
        request: req.raw,
        caller: await auth?.authenticate(req.raw),
        endpoint,
        param: (name) => req.param(name) ?? '',
        query: () => queryOf(req.url),
      }
      return answer(call)
    })
  }
}
