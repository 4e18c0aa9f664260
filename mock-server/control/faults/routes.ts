import { Hono } from 'hono'
import { z } from 'zod'
import { ApiError } from '../../http/errors.ts'
import { parse, readJsonBody } from '../../http/request.ts'
import { strictObject } from '../../http/validation.ts'
import type { Fault } from './fault.ts'
import type { Faults } from './faults.ts'
import { faultSchema } from './schema.ts'

const LIMITS = { maxBytes: 2 ** 20, maxDepth: 100 }

const several: z.ZodType<{ faults: readonly Fault[] }> = strictObject({ faults: z.array(faultSchema) })

/** The endpoints of the control plane for faults. */
export function faultRoutes(faults: Faults): Hono {
  const app = new Hono()
  app.get('/faults', () => Response.json({ faults: faults.list() }))
  app.post('/faults', async ({ req }) => {
    const body = await readJsonBody(req.raw, LIMITS)
    const isList = typeof body === 'object' && body !== null && 'faults' in body
    const added = isList ? parse(several, body).faults : [parse(faultSchema, body)]
    for (const fault of added) faults.add(fault)
    return Response.json({
      ids:
        added.length === 0
          ? []
          : faults
              .list()
              .slice(-added.length)
              .map(({ id }) => id),
    })
  })
  app.delete('/faults', () => {
    faults.clear()
    return Response.json({})
  })
  app.delete('/faults/:id', ({ req }) => {
    const id = req.param('id')
    if (faults.remove(id)) return Response.json({})
    throw new ApiError('not-found', `There is no fault ${JSON.stringify(id)}; GET faults lists the active ones`)
  })
  return app
}
