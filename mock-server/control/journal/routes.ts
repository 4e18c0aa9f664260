import { Hono } from 'hono'
import { z } from 'zod'
import { ApiError } from '../../http/errors.ts'
import type { Connection } from '../../http/handler.ts'
import { parse, readJsonBody } from '../../http/request.ts'
import { strictObject } from '../../http/validation.ts'
import { routeText } from '../route-pattern.ts'
import type { CallFilter } from './filter.ts'
import type { Journal } from './journal.ts'
import { respondWithChanges } from './live.ts'

const MAX_WAIT_MS = 60_000
const ID_LIMITS = { maxBytes: 2 ** 20, maxDepth: 10 }

const wholeNumber = (least: number, most: number) => {
  const error = `expected a whole number from ${least} to ${most}`
  return z
    .string()
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .pipe(z.number().min(least, { error }).max(most, { error }))
}

const filterShape = {
  route: routeText.optional(),
  method: z.string().optional(),
  status: wholeNumber(100, 599).optional(),
  ids: z
    .string()
    .regex(/^\d{1,15}(?:,\d{1,15})*$/, { error: 'expected ids separated by commas' })
    .transform((text) => text.split(',').map(Number))
    .optional(),
  after: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  webhook: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
}

const states = ['arrived', 'answered', 'ended'] as const

const callQuery: z.ZodType<CallFilter> = strictObject(filterShape)
const waitQuery: z.ZodType<
  CallFilter & {
    count?: number | undefined
    timeout_ms?: number | undefined
    until?: (typeof states)[number] | undefined
  }
> = strictObject({
  ...filterShape,
  count: wholeNumber(1, 1_000_000).optional(),
  timeout_ms: wholeNumber(0, MAX_WAIT_MS).optional(),
  until: z.enum(states).optional(),
})

const saved: z.ZodType<{ ids?: number[] | undefined }> = strictObject({ ids: z.array(z.int()).optional() })

/** Returns a journal that is on. Throws ApiError `route-not-found` for one that is off. */
export function openJournal(journal: Journal): Journal {
  if (journal.isOn) return journal
  throw new ApiError('route-not-found', 'The journal is off; start the server with --journal, or with journal: true')
}

/** What a request to an endpoint of the journal has besides itself. */
export interface JournalEnvironment {
  Bindings: { readonly connection?: Connection | undefined }
}

/** The endpoints of the control plane for the journal. */
export function journalRoutes(journal: Journal): Hono<JournalEnvironment> {
  const app = new Hono<JournalEnvironment>()
  const query = <T>(schema: z.ZodType<T>, url: string): T =>
    parse(schema, Object.fromEntries(new URL(url).searchParams), 'invalid-query')

  app.get('/journal', ({ req }) => {
    const opened = openJournal(journal)
    return Response.json({ calls: opened.calls(query(callQuery, req.url)), dropped: opened.dropped })
  })
  app.get('/journal.har', ({ req }) => {
    const text = openJournal(journal).har(query(callQuery, req.url))
    return new Response(text, { headers: { 'content-type': 'application/json' } })
  })
  app.post('/journal.har', async ({ req }) => {
    const filter = parse(saved, await readJsonBody(req.raw, ID_LIMITS))
    return new Response(openJournal(journal).har(filter), { headers: { 'content-type': 'application/json' } })
  })
  app.post('/journal/scenario', async ({ req }) => {
    const filter = parse(saved, await readJsonBody(req.raw, ID_LIMITS))
    const { recording, omitted } = openJournal(journal).session(filter)
    return Response.json({ scenario: { recording }, omitted })
  })
  app.get('/journal/changes', ({ env }) => respondWithChanges(openJournal(journal), env?.connection))
  app.get('/journal/wait', async ({ req }) => {
    const { count, timeout_ms: timeoutMs, until, ...filter } = query(waitQuery, req.url)
    try {
      return Response.json({
        calls: await openJournal(journal).waitFor(filter, { count, timeoutMs, until, signal: req.raw.signal }),
      })
    } catch (error) {
      if (!(error instanceof Error) || error instanceof ApiError) throw error
      return Response.json({ detail: error.message }, { status: 408 })
    }
  })
  app.delete('/journal', () => {
    openJournal(journal).clear()
    return Response.json({})
  })
  return app
}
