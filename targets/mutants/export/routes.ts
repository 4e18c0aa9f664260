import type { Wrap } from '../../wrappers/fetch.ts'
import { type Fields, jsonBody } from '../../wrappers/requests.ts'
import { combine } from '../../wrappers/responses.ts'
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

/** Returns the workspace that a request selects. */
export function tenantOf({ headers }: Request): string | null {
  return headers.get('x-tenant-id')
}

/** Lists refused exports as failed ones. */
export function keepRefused(when: (body: Readonly<Record<string, unknown>>) => boolean): Wrap {
  return (fetch) => {
    const kept = new Map<string | null, object[]>()
    return combine(
      respondInstead(createExport, async (request, inner) => {
        const { bulk_export_destination_id, ...body } = await jsonBody(request)
        const response = await inner(request)
        const created_at = new Date().toISOString()
        const record = { id: crypto.randomUUID(), status: 'Failed', created_at, bulk_export_destination_id }
        if (!response.ok && when(body)) kept.set(tenantOf(request), [...(kept.get(tenantOf(request)) ?? []), record])
        return response
      }),
      changeResponse(listExports, (body, request) =>
        Array.isArray(body) ? [...body, ...(kept.get(tenantOf(request)) ?? [])] : body,
      ),
    )(fetch)
  }
}

/** Changes the object of a response, or every object of a list. */
export function changeObjects(route: Route, change: (object: Record<string, unknown>) => object): Wrap {
  return changeResponse(route, (body) =>
    Array.isArray(body) ? body.map((item) => change(item)) : change(body as Record<string, unknown>),
  )
}

/** Changes the second and later ones of those responses to a URL that pass a test. */
export function changeLater(
  route: Route,
  applies: (body: unknown) => boolean,
  change: (body: unknown) => unknown,
): Wrap {
  return (fetch) => {
    const seen = new Set<string>()
    return changeResponse(route, (body, { url }) => {
      if (!applies(body)) return body
      const isFirst = !seen.has(url)
      seen.add(url)
      return isFirst ? body : change(body)
    })(fetch)
  }
}
