import type { Wrap } from './fetch.ts'
import { matchesRoute, type Route, respondInstead } from './routes.ts'

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>

export const createThread: Route = { method: 'POST', path: '/threads' }
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
export async function jsonBody(request: Request): Promise<Fields> {
  const text = await request.clone().text()
  return text.startsWith('{') ? (JSON.parse(text) as Fields) : {}
}

/** Changes the JSON body of requests to a route. */
export function changeRequest(route: Route, change: (body: Fields, request: Request) => unknown): Wrap {
  return (fetch) => async (request) => {
    if (!matchesRoute(request, route)) return fetch(request)
    return fetch(withBody(request, await change(await jsonBody(request), request)))
  }
}

/** Returns a request with another JSON body. */
export function withBody({ url, method, headers, signal }: Request, body: unknown): Request {
  return new Request(url, { method, headers: withoutLength(headers), body: JSON.stringify(body), signal })
}

/** Returns headers of a request for one with another body, or without one. */
export function withoutLength(headers: Headers): Headers {
  const others = new Headers(headers)
  others.delete('content-length')
  return others
}

/** Rejects requests to a route if `when` returns true. */
export function rejectRequest(route: Route, when: (body: Fields, request: Request) => boolean, status = 422): Wrap {
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
