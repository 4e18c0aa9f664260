import { Hono } from 'hono'
import { z } from 'zod'
import { ApiError } from '../../http/errors.ts'
import { parse } from '../../http/request.ts'
import { strictObject } from '../../http/validation.ts'
import { routeProblem } from '../route-pattern.ts'
import type { CallFilter } from './filter.ts'
import type { Journal } from './journal.ts'

const LONGEST_WAIT = 60_000

const whole = (least: number, most: number) => {
  const error = `expected a whole number from ${least} to ${most}`
  return z
    .string()
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .pipe(z.number().min(least, { error }).max(most, { error }))
}

const filter = {
  route: z
    .string()
    .superRefine((text, { addIssue }) => {
      const wrong = routeProblem(text)
      if (wrong !== undefined) addIssue(wrong)
    })
    .optional(),
  method: z.string().optional(),
  status: whole(100, 599).optional(),
  after: whole(0, Number.MAX_SAFE_INTEGER).optional(),
}

const states = ['arrived', 'answered', 'ended'] as const

const callQuery: z.ZodType<CallFilter> = strictObject(filter)
const waitQuery: z.ZodType<
  CallFilter & {
    count?: number | undefined
    timeout_ms?: number | undefined
    until?: (typeof states)[number] | undefined
  }
> = strictObject({
  ...filter,
  count: whole(1, 1_000_000).optional(),
  timeout_ms: whole(0, LONGEST_WAIT).optional(),
  until: z.enum(states).optional(),
})

/** The endpoints of the control plane about the journal. */
export function journalRoutes(journal: Journal): Hono {
  const app = new Hono()
  const opened = (): Journal => {
    if (journal.isOn) return journal
    throw new ApiError('route-not-found', 'The journal is off; start the server with --journal, or with journal: true')
  }
  const query = <T>(schema: z.ZodType<T>, url: string): T =>
    parse(schema, Object.fromEntries(new URL(url).searchParams), 'invalid-query')

  app.get('/journal', ({ req }) => {
    const kept = opened()
    return Response.json({ calls: kept.calls(query(callQuery, req.url)), dropped: kept.dropped })
  })
  app.get('/journal.har', ({ req }) => {
    const text = opened().har(query(callQuery, req.url))
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  })
  app.get('/journal/wait', async ({ req }) => {
    const { count, timeout_ms: timeoutMs, until, ...which } = query(waitQuery, req.url)
    try {
      return Response.json({
        calls: await opened().waitFor(which, { count, timeoutMs, until, signal: req.raw.signal }),
      })
    } catch (error) {
      if (!(error instanceof Error) || error instanceof ApiError) throw error
      return Response.json({ detail: error.message }, { status: 408 })
    }
  })
  app.delete('/journal', () => {
    opened().clear()
    return Response.json({})
  })
  return app
}
