import type { Wrap } from './fetch.ts'
import { matchesRoute, type Route, respondInstead } from './routes.ts'

type Body = Readonly<Record<string, unknown>>

export const createRun: Route = { method: 'POST', path: '/threads/{thread_id}/runs' }
export const streamRun: Route = { method: 'POST', path: '/threads/{thread_id}/runs/stream' }
export const getRun: Route = { method: 'GET', path: '/threads/{thread_id}/runs/{run_id}' }
export const listRuns: Route = { method: 'GET', path: '/threads/{thread_id}/runs' }
export const joinRun: Route = { method: 'GET', path: '/threads/{thread_id}/runs/{run_id}/join' }
export const getState: Route = { method: 'GET', path: '/threads/{thread_id}/state' }

/** Returns the thread and run ids in the path of a request; empty if there are none. */
export function pathIds(request: Request): { readonly threadId: string; readonly runId: string } {
  const [, , threadId = '', , runId = ''] = new URL(request.url).pathname.split('/')
  return { threadId, runId }
}

/** Reads the JSON body of a request without consuming it; an empty object if the body is not an object. */
export async function jsonBody(request: Request): Promise<Body> {
  const text = await request.clone().text()
  return text.startsWith('{') ? (JSON.parse(text) as Body) : {}
}

/** Changes the JSON body of requests to a route. */
export function changeRequest(route: Route, change: (body: Body, request: Request) => unknown): Wrap {
  return (fetch) => async (request) => {
    if (!matchesRoute(request, route)) return fetch(request)
    const { url, method, headers, signal } = request
    const body = JSON.stringify(await change(await jsonBody(request), request))
    const changed = new Headers(headers)
    changed.delete('content-length')
    return fetch(new Request(url, { method, headers: changed, body, signal }))
  }
}

/** Rejects requests to a route if `when` returns true. */
export function rejectRequest(route: Route, when: (body: Body, request: Request) => boolean, status = 422): Wrap {
  return respondInstead(route, async (request, fetch) =>
    when(await jsonBody(request), request) ? errorResponse(status) : fetch(request),
  )
}

/** Creates an error response. */
export function errorResponse(status: number): Response {
  return Response.json({ detail: 'rejected by a mutant' }, { status })
}

/** Returns the last segment of the path of a request. */
export function lastSegment(request: Request): string {
  return new URL(request.url).pathname.split('/').at(-1) ?? ''
}
