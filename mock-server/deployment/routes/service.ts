import type { Route } from '../call.ts'
import type { Deployment } from '../deployment.ts'

/** Endpoints about the service itself; they need no credentials. */
export function serviceRoutes({ dialect, graphs, auth }: Deployment): Route[] {
  return [
    { method: 'GET', path: '/ok', answer: () => Response.json({ ok: true }) },
    {
      method: 'GET',
      path: '/info',
      answer: () =>
        Response.json({
          service: 'touchstone mock server',
          dialect: dialect.name,
          graphs: [...graphs.keys()],
          custom_auth: auth.enabled,
        }),
    },
  ]
}
