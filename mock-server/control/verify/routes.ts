import { Hono } from 'hono'
import { parse, readJsonBody } from '../../http/request.ts'
import type { Journal } from '../journal/journal.ts'
import { openJournal } from '../journal/routes.ts'
import { verification } from './expected-call.ts'
import { VerificationError } from './verify.ts'

const LIMITS = { maxBytes: 2 ** 20, maxDepth: 100 }

/** The endpoint of the control plane for verifications. */
export function verifyRoutes(journal: Journal): Hono {
  const app = new Hono()
  app.post('/verify', async ({ req }) => {
    const { calls, ...options } = parse(verification, await readJsonBody(req.raw, LIMITS))
    try {
      openJournal(journal).verify(calls, options)
    } catch (error) {
      if (error instanceof VerificationError) return new Response(`${error.message}\n`, { status: 417 })
      throw error
    }
    return Response.json({})
  })
  return app
}
