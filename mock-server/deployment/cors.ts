import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'

const EXPOSED = ['Content-Location', 'Location', 'X-Pagination-Total', 'X-Pagination-Next']
const PREFLIGHT_SECONDS = 600

/** Lets pages of any origin call the server and read its headers; requests that are not from a page cost nothing. */
export function forBrowsers(): MiddlewareHandler {
  const answer = cors({ origin: '*', exposeHeaders: EXPOSED, maxAge: PREFLIGHT_SECONDS })
  return (context, next) => (context.req.raw.headers.has('origin') ? answer(context, next) : next())
}
