import type { Fetch } from './mutant.ts'
import { matchesRoute, type Route, respondInstead } from './responses.ts'

type Body = Readonly<Record<string, unknown>>

export const createRun: Route = { method: 'POST', path: '/threads/{thread_id}/runs' }
export const getRun: Route = { method: 'GET', path: '/threads/{thread_id}/runs/{run_id}' }
export const listRuns: Route = { method: 'GET', path: '/threads/{thread_id}/runs' }
export const joinRun: Route = { method: 'GET', path: '/threads/{thread_id}/runs/{run_id}/join' }
export const getState: Route = { method: 'GET', path: '/threads/{thread_id}/state' }

/** The ids in the path of a request about a thread or a run; empty where it names none. */
export function pathIds(request: Request): { readonly threadId: string; readonly runId: string } {
  const [, , threadId = '', , runId = ''] = new URL(request.url).pathname.split('/')
  return { threadId, runId }
}

/** The JSON object that a request carries; the request can still be sent on. */
export async function jsonBody(request: Request): Promise<Body> {
  const text = await request.clone().text()
  return text.startsWith('{') ? (JSON.parse(text) as Body) : {}
}

/** Changes the JSON bodies of the requests to a route before the server sees them. */
export function changeRequest(
  route: Route,
  change: (body: Body, request: Request) => unknown,
): (fetch: Fetch) => Fetch {
  return (fetch) => async (request) => {
    if (!matchesRoute(request, route)) return fetch(request)
    const { url, method, headers, signal } = request
    const body = JSON.stringify(await change(await jsonBody(request), request))
    const sent = new Headers(headers)
    sent.delete('content-length')
    return fetch(new Request(url, { method, headers: sent, body, signal }))
  }
}

/** Refuses the requests to a route whose body is such. */
export function rejectRequest(
  route: Route,
  when: (body: Body, request: Request) => boolean,
  status = 422,
): (fetch: Fetch) => Fetch {
  return respondInstead(route, async (request, fetch) =>
    when(await jsonBody(request), request) ? errorResponse(status) : fetch(request),
  )
}

/** An error as the reference server answers it. */
export function errorResponse(status: number): Response {
  return Response.json({ detail: 'refused by a defect' }, { status })
}

/** The last part of a request's path. */
export function lastSegment(request: Request): string {
  return new URL(request.url).pathname.split('/').at(-1) ?? ''
}
