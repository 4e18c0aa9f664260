import leven from 'leven'
import { deploymentRoutes, notOffered } from '../deployment/routes/index.ts'
import { exportEndpoints } from '../export/endpoints.ts'
import { nameParameters, segmentsOf } from './route-names.ts'

interface KnownRoute {
  readonly method: string
  readonly path: string
}

/** The endpoints of both APIs. */
export const KNOWN_ROUTES: readonly KnownRoute[] = [...deploymentRoutes, ...Object.values(exportEndpoints)]

// Methods of requests to endpoints that this server does not offer.
const ANY_METHOD: ReadonlySet<string> = new Set(['*', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
const MAX_SUGGESTIONS = 3

/** Returns the routes most similar to one that no request can have; undefined for one that a request can have. */
export function nearestRoutes(method: string, path: string): readonly string[] | undefined {
  if (ANY_METHOD.has(method) && notOffered(path) !== undefined) return undefined
  if (KNOWN_ROUTES.some((route) => hasMethod(route, method) && hasPath(route, path))) return undefined
  const isOpen = path.endsWith('/*')
  const segments = segmentsOf(isOpen ? path.slice(0, -1) : path)
  // A word in the place of an id may be a typo, so only text that looks like an id counts as one.
  const name = nameParameters(segments, ({ text }) => /[{\d]/.test(text))
  const candidates = KNOWN_ROUTES.map((route) => {
    const routePath = isOpen ? startOf(route.path, segments.length) : route.path
    // A wrong path counts more than a wrong method.
    const distance = 2 * leven(name, routePath) + (hasMethod(route, method) ? 0 : 1)
    return { text: `${method === '*' ? '' : `${route.method} `}${routePath}${isOpen ? '/*' : ''}`, distance }
  })
  const nearest = candidates.toSorted(
    (left, right) => left.distance - right.distance || left.text.localeCompare(right.text),
  )
  return [...new Set(nearest.map(({ text }) => text))].slice(0, MAX_SUGGESTIONS)
}

function startOf(path: string, length: number): string {
  return `/${segmentsOf(path)
    .slice(0, length)
    .map(({ text }) => text)
    .join('/')}`
}

function hasMethod(route: KnownRoute, method: string): boolean {
  return method === '*' || method === route.method || (method === 'HEAD' && route.method === 'GET')
}

/** Whether a path can be one of this route. It may have an id or `{name}` for a parameter, and `*` at its end. */
function hasPath(route: KnownRoute, path: string): boolean {
  const isOpen = path.endsWith('/*')
  const segments = segmentsOf(isOpen ? path.slice(0, -1) : path)
  const known = segmentsOf(route.path)
  if (isOpen ? segments.length > known.length : segments.length !== known.length) return false
  return segments.every(({ text, parameter }, index) => {
    const segment = known[index]
    return text === segment?.text || (parameter !== undefined && parameter === segment?.parameter)
  })
}
