import type { Route } from '../call.ts'
import type { Deployment } from '../deployment.ts'

/** Endpoints about the service itself; they need no credentials. */
export function serviceRoutes({ dialect, graphs, auth }: Deployment): Route[] {
  return [
    { method: 'GET', path: '/ok', answer: () => Response.json({ ok: true }) },
    {
      method: 'GET',
      path: '/openapi.json',
      // Loaded when asked for: it costs more time and memory than the whole start of the server.
      answer: async () => Response.json((await import('../openapi/document.ts')).openApiDocument(dialect)),
    },
    {
      method: 'GET',
      path: '/info',
      answer: () =>
        Response.json({
          service: 'touchstone mock server',
          dialect: dialect.name,
          graphs: [...graphs.keys()],
          custom_auth: auth.enabled,
          flags: { assistants: true, crons: false, store: false },
        }),
    },
  ]
}
