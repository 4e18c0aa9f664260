import { Hono } from 'hono'
import { cors } from 'hono/cors'

type Fetch = (request: Request) => Promise<Response>

const EXPOSED = ['Content-Location', 'Location', 'Retry-After', 'X-Pagination-Total', 'X-Pagination-Next']
const PREFLIGHT_SECONDS = 600

/** Adds CORS headers for pages of any origin. Requests without `Origin` are passed on unchanged. */
export function forBrowsers(fetch: Fetch): Fetch {
  let app: Hono | undefined
  const fetchForPage: Fetch = async (request) => {
    app ??= withCors(fetch)
    return app.fetch(request)
  }
  return (request) => (request.headers.has('origin') ? fetchForPage(request) : fetch(request))
}

function withCors(fetch: Fetch): Hono {
  const app = new Hono()
  app.use(cors({ origin: '*', exposeHeaders: EXPOSED, maxAge: PREFLIGHT_SECONDS }))
  app.all('*', ({ req }) => fetch(req.raw))
  app.onError((error) => {
    throw error
  })
  return app
}
