import { routePattern } from '../route-pattern.ts'
import type { Entry } from './entry.ts'
import type { Exchange } from './exchange.ts'

/** Which exchanges are meant: all, unless it says less. Every condition that is given has to hold. */
export interface CallFilter {
  /** `POST /threads/{thread_id}/runs`; without the method, all of them; `*` at the end stands for whatever follows. */
  readonly route?: string | undefined
  readonly method?: string | undefined
  readonly status?: number | undefined
  /** Only exchanges later than the one with this id. */
  readonly after?: number | undefined
  readonly where?: ((exchange: Exchange) => boolean) | undefined
}

/** A test of entries; `show` makes what `where` looks at. Throws a TypeError for a route that is none. */
export function matcher(filter: CallFilter, show: (entry: Entry) => Exchange): (entry: Entry) => boolean {
  const { route, method, status, after = 0, where } = filter
  const fits = route === undefined ? () => true : routePattern(route)
  return (entry) =>
    entry.id > after &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (status === undefined || entry.status === status) &&
    fits(entry.method, entry.path) &&
    (where === undefined || where(show(entry)))
}
