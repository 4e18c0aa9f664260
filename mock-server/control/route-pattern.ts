import { z } from 'zod'
import { nearestRoutes } from './known-routes.ts'
import { segmentsOf } from './route-names.ts'

/** Whether a request has a route. */
export type RoutePattern = (method: string, path: string) => boolean

const ROUTE = /^(?:([A-Z]+|\*) )?(\/(?:[^\s/]+\/?)*)$/

/** Returns the problem of an invalid text of a route; undefined for a valid one. */
function routeProblem(text: string): string | undefined {
  const [, , path] = ROUTE.exec(text) ?? []
  if (path === undefined) return 'expected a route such as POST /threads/{thread_id}/runs'
  if (/\/:/.test(path)) return 'expected {name} for an id in a route, as in POST /threads/{thread_id}/runs'
  if (/\*(?=.)/.test(path)) return 'expected * at the end of a route only, as in GET /threads/*'
  return undefined
}

/** The schema of a route. */
export const routeText = withProblem(routeProblem)

/** The schema of a route that requests to this server can have. */
export const knownRoute = withProblem((text) => {
  const problem = routeProblem(text)
  if (problem !== undefined) return problem
  const [, method = '*', path = ''] = ROUTE.exec(text) ?? []
  const nearest = nearestRoutes(method, path)
  return nearest && `expected a route of the mock server, such as ${nearest.join(', ')}`
})

function withProblem(problemOf: (text: string) => string | undefined): z.ZodString {
  return z.string().superRefine((text, { addIssue }) => {
    const problem = problemOf(text)
    if (problem !== undefined) addIssue(problem)
  })
}

/**
 * Parses a route such as `POST /threads/{thread_id}/runs`. Throws a TypeError for an invalid one.
 *
 * Without a method, or with `*`, it matches every method. `{name}` matches any id and nothing else, and `*` at the end any
 * rest of a path.
 */
export function routePattern(text: string): RoutePattern {
  const problem = routeProblem(text)
  if (problem !== undefined) throw new TypeError(`${problem}, received ${JSON.stringify(text)}`)
  const [, method = '*', path = ''] = ROUTE.exec(text) ?? []
  const pattern = path.split('/').filter((segment) => segment !== '')
  const isOpen = pattern.at(-1) === '*'
  if (isOpen) pattern.pop()
  return (requestMethod, requestPath) => {
    if (method !== '*' && method !== requestMethod) return false
    const segments = segmentsOf(requestPath)
    if (isOpen ? segments.length < pattern.length : segments.length !== pattern.length) return false
    return pattern.every((expected, index) => {
      const segment = segments[index]
      return expected === segment?.text || (/^\{.*\}$/.test(expected) && segment?.parameter !== undefined)
    })
  }
}
