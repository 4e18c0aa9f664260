import { nearestRoutes } from './known-routes.ts'
import { partsOfPath } from './route-names.ts'

/** Tells whether a request goes to a route. */
export type RoutePattern = (method: string, path: string) => boolean

const ROUTE = /^(?:([A-Z]+|\*) )?(\/(?:[^\s/]+\/?)*)$/

/** What is wrong with a text that should name routes; undefined where nothing is. */
export function routeFault(text: string): string | undefined {
  const [, , path] = ROUTE.exec(text) ?? []
  if (path === undefined) return 'expected a route such as POST /threads/{thread_id}/runs'
  if (/\/:/.test(path)) return 'expected {name} for an id in a route, as in POST /threads/{thread_id}/runs'
  if (/\*(?=.)/.test(path)) return 'expected * at the end of a route only, as in GET /threads/*'
  return undefined
}

/** What is wrong with a text that should name routes of this server; undefined where a request to it can have one. */
export function unknownRoute(text: string): string | undefined {
  const [, method = '*', path = ''] = ROUTE.exec(text) ?? []
  const nearest = nearestRoutes(method, path)
  return nearest && `expected a route of the mock server, such as ${nearest.join(', ')}`
}

/**
 * Reads `POST /threads/{thread_id}/runs`. Without a method, or with `*`, every method fits; `{name}` fits any id, and
 * nothing but an id; `*` at the end fits whatever follows. Throws a TypeError for a text that names no routes.
 */
export function routePattern(text: string): RoutePattern {
  const wrong = routeFault(text)
  if (wrong !== undefined) throw new TypeError(`${wrong}, received ${JSON.stringify(text)}`)
  const [, method = '*', path = ''] = ROUTE.exec(text) ?? []
  const wanted = path.split('/').filter((part) => part !== '')
  const open = wanted.at(-1) === '*'
  if (open) wanted.pop()
  return (ofMethod, ofPath) => {
    if (method !== '*' && method !== ofMethod) return false
    const parts = partsOfPath(ofPath)
    if (open ? parts.length < wanted.length : parts.length !== wanted.length) return false
    return wanted.every((want, index) => {
      const part = parts[index]
      return want === part?.text || (/^\{.*\}$/.test(want) && part?.id !== undefined)
    })
  }
}
