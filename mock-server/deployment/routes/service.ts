import type { Deployment, DeploymentRoute } from '../deployment.ts'

/** Endpoints about the service itself; they need no credentials. */
export function serviceRoutes({ dialect, graphs, auth, openApi }: Deployment): DeploymentRoute[] {
  return [
    { method: 'GET', path: '/ok', answer: () => Response.json({ ok: true }) },
    {
      method: 'GET',
      path: '/openapi.json',
      answer: async () => Response.json(await openApi()),
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
