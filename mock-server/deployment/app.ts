import { Hono } from 'hono/quick'
import type { AuthUser } from './auth/types.ts'
import type { Route } from './call.ts'
import { forBrowsers } from './cors.ts'
import type { Deployment } from './deployment.ts'
import type { Dialect } from './dialect.ts'
import { ApiError } from './errors.ts'
import { assistantRoutes } from './routes/assistants.ts'
import { runRoutes } from './routes/runs.ts'
import { serviceRoutes } from './routes/service.ts'
import { streamRoutes } from './routes/streams.ts'
import { threadRoutes } from './routes/threads.ts'

interface Env {
  Variables: { user: AuthUser | undefined }
}

/** The HTTP surface of a deployment. */
export function createApp(deployment: Deployment): (request: Request) => Promise<Response> {
  const { auth, dialect } = deployment
  const app = new Hono<Env>()
  const open = serviceRoutes(deployment)
  // The stream's path would also fit the pattern of a run's path.
  const guarded = [
    ...threadRoutes(deployment),
    ...streamRoutes(deployment),
    ...runRoutes(deployment),
    ...assistantRoutes(deployment),
  ]
  app.use(forBrowsers())
  mount(app, open)
  app.use(async (context, next) => {
    context.set('user', await auth.authenticate(context.req.raw))
    await next()
  })
  mount(app, guarded)
  for (const [path, allow] of methodsByPath([...open, ...guarded])) {
    app.all(path, ({ req }) => {
      throw new ApiError('method-not-allowed', `${req.method} is not allowed here, only ${allow.join(', ')}`, { allow })
    })
  }
  app.notFound(({ req }) =>
    dialect.errorResponse(new ApiError('route-not-found', `There is no endpoint ${req.method} ${req.path}`)),
  )
  app.onError((error) => {
    if (error instanceof ApiError) return dialect.errorResponse(error)
    throw error
  })
  return async (request) =>
    (dialect.trailingSlash === 'same' ? undefined : slashAnswer(dialect, request)) ?? app.fetch(request)
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

function mount(app: Hono<Env>, routes: readonly Route[]): void {
  for (const { method, path, answer } of routes) {
    const endpoint = `${method} ${path}`
    app.on(method, path, ({ req, get }) =>
      answer({
        request: req.raw,
        user: get('user'),
        endpoint,
        param: (name) => req.param(name) ?? '',
        query: () => query(new URL(req.url).searchParams),
      }),
    )
  }
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
