import { Hono } from 'hono'
import { ApiError } from '../http/errors.ts'
import { preview } from '../runtime/preview.ts'

/** The request header that names a session. */
export const SESSION_HEADER = 'x-touchstone-session'

const NAME = /^[\w.:-]{1,100}$/
const MAX_SESSIONS = 1000

/** Creates an empty set of sessions. `create` and `close` start and end the server of a session. */
export function createSessions<Server = unknown>(create: () => Server, close: (server: Server) => Promise<void>) {
  const sessions = new Map<string, { readonly server: Server; requests: number }>()

  const createSession = (name: string): { readonly server: Server; requests: number } => {
    if (!NAME.test(name)) {
      throw invalid(`expected a name of 1 to 100 letters, digits, or any of . _ : -, received ${preview(name)}`)
    }
    if (sessions.size >= MAX_SESSIONS) {
      throw invalid(
        `expected the name of one of the ${MAX_SESSIONS} sessions, which is the maximum, received ${preview(name)}. Delete sessions with DELETE /__touchstone/sessions/{name}.`,
      )
    }
    const session = { server: create(), requests: 0 }
    sessions.set(name, session)
    return session
  }
  const remove = async (name: string): Promise<boolean> => {
    const session = sessions.get(name)
    sessions.delete(name)
    if (session !== undefined) await close(session.server)
    return session !== undefined
  }
  return {
    /**
     * Returns the server of a request's session, which the first request creates; undefined for a request without a session.
     *
     * Throws ApiError `invalid-header` for an invalid name, and for a new session when there are already 1000.
     */
    serverOf: ({ headers }: Request): Server | undefined => {
      const name = headers.get(SESSION_HEADER)
      if (name === null) return undefined
      const session = sessions.get(name) ?? createSession(name)
      session.requests++
      return session.server
    },
    /** Returns the server of a session without counting the request. Throws ApiError `not-found` for an unknown session. */
    existing: (name: string): Server => {
      const session = sessions.get(name)
      if (session === undefined) throw unknownSession(name)
      return session.server
    },
    list: () => Array.from(sessions, ([session, { requests }]) => ({ session, requests })),
    /** Closes the server of a session. Resolves with false for an unknown session. */
    delete: remove,
    clear: async (): Promise<void> => {
      await Promise.all([...sessions.keys()].map(remove))
    },
  }
}

function invalid(message: string): ApiError {
  return new ApiError('invalid-header', `${SESSION_HEADER}: ${message}`)
}

function unknownSession(name: string): ApiError {
  return new ApiError('not-found', `There is no session ${JSON.stringify(name)}; GET sessions lists them`)
}

/** The endpoints of the control plane for sessions. */
export function sessionRoutes(sessions: ReturnType<typeof createSessions>): Hono {
  const app = new Hono()
  app.get('/sessions', () => Response.json({ sessions: sessions.list() }))
  app.delete('/sessions', async () => {
    await sessions.clear()
    return Response.json({})
  })
  app.delete('/sessions/:name', async ({ req }) => {
    const name = req.param('name')
    if (await sessions.delete(name)) return Response.json({})
    throw unknownSession(name)
  })
  return app
}
