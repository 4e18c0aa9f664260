import { Hono } from 'hono'
import { z } from 'zod'
import { ApiError } from '../../http/errors.ts'
import type { Page } from '../../http/page.ts'
import { parse } from '../../http/request.ts'
import { strictObject } from '../../http/validation.ts'
import type { Inspection } from './inspection.ts'

const number = (least: number, otherwise: number) =>
  z.coerce
    .number({ error: `expected a whole number from ${least}` })
    .int()
    .min(least)
    .default(otherwise)

const pageQuery: z.ZodType<Page> = strictObject({ limit: number(1, 200), offset: number(0, 0) })

/** The endpoints of the control plane for what the server has stored. */
export function inspectionRoutes(inspection: Inspection): Hono {
  const app = new Hono()
  app.get('/threads', ({ req }) => Response.json(inspection.threads(parse(pageQuery, req.query(), 'invalid-query'))))
  app.get('/threads/:id', ({ req }) => {
    const id = req.param('id')
    const thread = inspection.thread(id)
    if (thread !== undefined) return Response.json(thread)
    throw new ApiError('not-found', `There is no thread ${JSON.stringify(id)}; GET threads lists them`)
  })
  app.get('/assistants', () => Response.json({ assistants: inspection.assistants() }))
  app.get('/exports', () => Response.json({ exports: inspection.exports() }))
  return app
}
