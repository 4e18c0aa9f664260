import { z } from 'zod'
import { describeIssues, strictObject } from '../../http/validation.ts'
import { routePattern } from '../route-pattern.ts'
import type { Entry } from './entry.ts'
import type { Exchange } from './exchange.ts'
import type { WaitOptions } from './wait.ts'

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

const filter = strictObject({
  route: z.string().optional(),
  method: z.string().optional(),
  status: z.int().optional(),
  after: z.number().optional(),
  where: z.custom((value) => typeof value === 'function', { error: 'expected a function' }).optional(),
})
const options = strictObject({
  count: z.int().min(1).optional(),
  timeoutMs: z.number().min(0).optional(),
  until: z.enum(['arrived', 'answered', 'ended']).optional(),
  signal: z
    .custom((value) => typeof value === 'object' && value !== null && 'aborted' in value, {
      error: 'expected a signal',
    })
    .optional(),
})

/** Throws a TypeError in words for what is no filter, or no options of waiting: a typo would find nothing, and say nothing. */
export function checkCall(given: CallFilter, waiting: WaitOptions = {}): void {
  for (const [schema, value, what] of [
    [filter, given, 'The filter'],
    [options, waiting, 'The options'],
  ] as const) {
    const { success, error } = schema.safeParse(value)
    if (!success)
      throw new TypeError(
        describeIssues(error.issues, value, what)
          .map(({ sentence }) => sentence)
          .join('; '),
      )
  }
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
