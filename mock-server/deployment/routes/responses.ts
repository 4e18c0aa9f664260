import { z } from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { ErrorKind } from '../../http/errors.ts'
import { jsonResponse } from '../../http/route.ts'

/** The errors of creating a run without a thread. */
export const STATELESS_CREATE_ERRORS: readonly ErrorKind[] = [
  'assistant-not-found',
  'invalid-assistant',
  'graph-not-found',
]

/** The errors of creating a run on a thread. */
export const CREATE_ERRORS: readonly ErrorKind[] = [
  ...STATELESS_CREATE_ERRORS,
  'thread-not-found',
  'no-thread-to-run-on',
  'thread-busy',
]

export const eventsResponse: ZodOpenApiResponseObject = {
  description: 'Server-sent events; the first one of a run is `metadata` with the `run_id`',
  content: { 'text/event-stream': { schema: z.string() } },
}

export const outcomeResponse: ZodOpenApiResponseObject = jsonResponse(
  'The values after the run; with `__error__` if it failed, with `__interrupt__` if it was interrupted',
  z.looseObject({}),
)

export const lastEventIdHeader: z.ZodObject = z.object({ 'Last-Event-ID': z.string().optional() })
