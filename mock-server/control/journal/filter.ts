import { z } from 'zod'
import { checked, strictObject } from '../../http/validation.ts'
import { routePattern } from '../route-pattern.ts'
import type { Entry, Exchange } from './exchange.ts'
import type { WaitOptions } from './pending-waits.ts'

/** Conditions on exchanges. All of them must hold. */
export interface CallFilter {
  /** As in a fault: `POST /threads/{thread_id}/runs`, or a path alone for every method, or `/threads/*`. */
  readonly route?: string | undefined
  readonly method?: string | undefined
  readonly status?: number | undefined
  /** Only exchanges with these ids. */
  readonly ids?: readonly number[] | undefined
  /** Only exchanges after the one with this id. */
  readonly after?: number | undefined
  /** Only deliveries of webhooks, or with `false` only requests of clients. */
  readonly webhook?: boolean | undefined
  readonly where?: ((exchange: Exchange) => boolean) | undefined
}

const filter = strictObject({
  route: z.string().optional(),
  method: z.string().optional(),
  status: z.int().optional(),
  ids: z.array(z.number()).optional(),
  after: z.number().optional(),
  webhook: z.boolean().optional(),
  where: z.custom((value) => typeof value === 'function', { error: 'expected a function' }).optional(),
})
const options = strictObject({
  count: z.int().min(1).optional(),
  timeoutMs: z.number().min(0).optional(),
  until: z.enum(['arrived', 'answered', 'ended']).optional(),
  signal: z
    .custom((value) => typeof value === 'object' && value !== null && 'aborted' in value, {
      error: 'expected an AbortSignal',
    })
    .optional(),
})

/** Throws a TypeError for an invalid filter or invalid options. Without it, a typo would match nothing. */
export function checkCall(call: CallFilter, wait: WaitOptions = {}): void {
  checked(filter, call, 'The filter')
  checked(options, wait, 'The options')
}

/** Returns a test of entries. `show` returns the exchange for `where`. Throws a TypeError for an invalid route. */
export function matcher(filter: CallFilter, show: (entry: Entry) => Exchange): (entry: Entry) => boolean {
  const { route, method, status, ids, after = 0, webhook, where } = filter
  const wanted = ids && new Set(ids)
  const hasRoute = route === undefined ? () => true : routePattern(route)
  return (entry) =>
    entry.id > after &&
    (wanted === undefined || wanted.has(entry.id)) &&
    (method === undefined || entry.method === method.toUpperCase()) &&
    (status === undefined || entry.status === status) &&
    (webhook === undefined || (entry.webhook !== undefined) === webhook) &&
    hasRoute(entry.method, entry.path) &&
    (where === undefined || where(show(entry)))
}
