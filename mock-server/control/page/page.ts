import { page } from '../../http/response.ts'
import { html, policy } from './generated/live.ts'

/** Responds with the live page, which contains no data, or with a redirect to its path. */
export function respondWithPage(pathname: string): Response {
  if (!pathname.endsWith('/')) return new Response(null, { status: 308, headers: { location: `${pathname}/` } })
  return page(html, policy)
}
