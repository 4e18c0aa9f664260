import { Hono } from 'hono'
import { ApiError } from '../http/errors.ts'
import { readJsonBody } from '../http/request.ts'
import type { GraphScript } from '../scripting/graph-script.ts'
import type { Scripts } from '../scripting/scripts.ts'

const LIMITS = { maxBytes: 16 * 2 ** 20, maxDepth: 100 }

/** The endpoints of the control plane for scripts. */
export function scriptRoutes(scripts: Scripts): Hono {
  const app = new Hono()
  app.get('/scripts', () => Response.json({ scripts: scripts.list() }))
  app.get('/scripts/:graph', ({ req }) => {
    const graph = req.param('graph')
    const script = scripts.get(graph)
    if (script !== undefined) return Response.json(script)
    const isInCode = scripts.list().some((listed) => listed.graph === graph)
    throw isInCode
      ? new ApiError('not-found', `The script of the graph ${JSON.stringify(graph)} is written in code`)
      : unknownScript(graph)
  })
  app.put('/scripts/:graph', async ({ req }) => {
    const body = await readJsonBody(req.raw, LIMITS)
    try {
      // `set` validates the body.
      scripts.set(req.param('graph'), body as GraphScript)
    } catch (error) {
      if (error instanceof TypeError) throw new ApiError('invalid-body', error.message)
      throw error
    }
    return Response.json({})
  })
  app.delete('/scripts', () => {
    scripts.clear()
    return Response.json({})
  })
  app.delete('/scripts/:graph', ({ req }) => {
    const graph = req.param('graph')
    if (scripts.remove(graph)) return Response.json({})
    throw unknownScript(graph)
  })
  return app
}

function unknownScript(graph: string): ApiError {
  return new ApiError(
    'not-found',
    `There is no script of the graph ${JSON.stringify(graph)}; GET scripts lists the graphs with a script`,
  )
}
