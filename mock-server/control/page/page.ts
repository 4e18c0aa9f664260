import { html, policy } from './generated/live.ts'

/** Responds with the live page, which contains no data, or with a redirect to its path. */
export function respondWithPage(pathname: string): Response {
  if (!pathname.endsWith('/')) return new Response(null, { status: 308, headers: { location: `${pathname}/` } })
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  })
}
