import leven from 'leven'
import { notOffered } from '../deployment/routes/not-offered.ts'
import { partsOfPath } from './route-names.ts'

/** Every endpoint of both areas; the API's description has more to say about each. */
const METHODS: Readonly<Record<string, string>> = {
  '/ok': 'GET',
  '/info': 'GET',
  '/openapi.json': 'GET',
  '/threads': 'GET POST',
  '/threads/search': 'POST',
  '/threads/count': 'POST',
  '/threads/prune': 'POST',
  '/threads/{thread_id}': 'GET PATCH DELETE',
  '/threads/{thread_id}/copy': 'POST',
  '/threads/{thread_id}/history': 'GET POST',
  '/threads/{thread_id}/state': 'GET POST',
  '/threads/{thread_id}/state/{checkpoint_id}': 'GET',
  '/threads/{thread_id}/state/checkpoint': 'POST',
  '/threads/{thread_id}/stream': 'GET',
  '/threads/{thread_id}/runs': 'GET POST',
  '/threads/{thread_id}/runs/stream': 'POST',
  '/threads/{thread_id}/runs/wait': 'POST',
  '/threads/{thread_id}/runs/{run_id}': 'GET DELETE',
  '/threads/{thread_id}/runs/{run_id}/cancel': 'POST',
  '/threads/{thread_id}/runs/{run_id}/join': 'GET',
  '/threads/{thread_id}/runs/{run_id}/stream': 'GET',
  '/runs': 'POST',
  '/runs/batch': 'POST',
  '/runs/cancel': 'POST',
  '/runs/stream': 'POST',
  '/runs/wait': 'POST',
  '/runs/{run_id}/stream': 'GET',
  '/assistants': 'POST',
  '/assistants/search': 'POST',
  '/assistants/count': 'POST',
  '/assistants/{assistant_id}': 'GET PATCH DELETE',
  '/assistants/{assistant_id}/graph': 'GET',
  '/assistants/{assistant_id}/latest': 'POST',
  '/assistants/{assistant_id}/schemas': 'GET',
  '/assistants/{assistant_id}/subgraphs': 'GET',
  '/assistants/{assistant_id}/subgraphs/{namespace}': 'GET',
  '/assistants/{assistant_id}/versions': 'POST',
  '/api/v1/bulk-exports': 'GET POST',
  '/api/v1/bulk-exports/runs': 'GET',
  '/api/v1/bulk-exports/destinations': 'GET POST',
  '/api/v1/bulk-exports/destinations/{destination_id}': 'GET PATCH',
  '/api/v1/bulk-exports/{export_id}': 'GET PATCH',
  '/api/v1/bulk-exports/{export_id}/runs': 'GET',
  '/api/v1/bulk-exports/{export_id}/runs/{run_id}': 'GET',
}

interface KnownRoute {
  readonly method: string
  readonly path: string
}

/** The endpoints of this server. */
export const KNOWN_ROUTES: readonly KnownRoute[] = Object.entries(METHODS).flatMap(([path, methods]) =>
  methods.split(' ').map((method) => ({ method, path })),
)

// What this server leaves out is asked for by clients, too, with any of these.
const ANY_METHOD: ReadonlySet<string> = new Set(['*', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
const MOST_NAMED = 3

/** The endpoints nearest to routes that no request to this server can have; undefined where one can. */
export function nearestRoutes(method: string, path: string): readonly string[] | undefined {
  if (ANY_METHOD.has(method) && notOffered(path) !== undefined) return undefined
  if (KNOWN_ROUTES.some((route) => hasMethod(route, method) && hasPath(route, path))) return undefined
  const isOpen = path.endsWith('/*')
  const parts = partsOfPath(isOpen ? path.slice(0, -1) : path)
  // What looks like a word may be a mistyped one, where an id could stand.
  const name = `/${parts.map(({ text, id }) => (id !== undefined && /[{\d]/.test(text) ? `{${id}}` : text)).join('/')}`
  const near = KNOWN_ROUTES.map((route) => {
    const whole = isOpen ? `/${partsOfPath(route.path).slice(0, parts.length).map(textOf).join('/')}` : route.path
    // A wrong path is worse than a wrong method.
    return { route, whole, distance: 2 * leven(name, whole) + (hasMethod(route, method) ? 0 : 1) }
  }).toSorted((left, right) => left.distance - right.distance)
  const names = near.map(
    ({ route, whole }) => `${method === '*' ? '' : `${route.method} `}${whole}${isOpen ? '/*' : ''}`,
  )
  return [...new Set(names)].slice(0, MOST_NAMED)
}

function hasMethod(route: KnownRoute, method: string): boolean {
  return method === '*' || method === route.method || (method === 'HEAD' && route.method === 'GET')
}

/** Whether a path, which may have an id or any `{name}` for one and `*` at its end, can be one of this route. */
function hasPath(route: KnownRoute, path: string): boolean {
  const isOpen = path.endsWith('/*')
  const parts = partsOfPath(isOpen ? path.slice(0, -1) : path)
  const known = partsOfPath(route.path)
  if (isOpen ? parts.length > known.length : parts.length !== known.length) return false
  return parts.every(
    ({ text, id }, index) => text === known[index]?.text || (id !== undefined && id === known[index]?.id),
  )
}

function textOf({ text }: { readonly text: string }): string {
  return text
}
