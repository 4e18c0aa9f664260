import type { Wrap } from '../../wrappers/fetch.ts'
import { type Fields, jsonBody } from '../../wrappers/requests.ts'
import { changeResponse, type Route, respondInstead } from '../../wrappers/routes.ts'

export const createDestination: Route = { method: 'POST', path: '/api/v1/bulk-exports/destinations' }
export const createExport: Route = { method: 'POST', path: '/api/v1/bulk-exports' }
export const listExports: Route = { method: 'GET', path: '/api/v1/bulk-exports' }
export const getExport: Route = { method: 'GET', path: '/api/v1/bulk-exports/{export_id}' }
export const listRuns: Route = { method: 'GET', path: '/api/v1/bulk-exports/{export_id}/runs' }
export const cancelExport: Route = { method: 'PATCH', path: '/api/v1/bulk-exports/{export_id}' }

/** Responds to an invalid request with a new id, without creating anything. */
export function acceptInvalid(route: Route, when: (body: Fields) => boolean): Wrap {
  return respondInstead(route, async (request, fetch) =>
    when(await jsonBody(request)) ? Response.json({ id: crypto.randomUUID(), status: 'Created' }) : fetch(request),
  )
}

/** Changes the object of a response, or every object of a list. */
export function changeObjects(route: Route, change: (object: Record<string, unknown>) => object): Wrap {
  return changeResponse(route, (body) =>
    Array.isArray(body) ? body.map((item) => change(item)) : change(body as Record<string, unknown>),
  )
}
