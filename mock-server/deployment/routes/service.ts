import { z } from 'zod'
import { jsonResponse } from '../../http/route.ts'
import type { DeploymentRoute } from '../deployment.ts'

/** The endpoints of the service itself. They need no credentials. */
export const serviceRoutes: readonly DeploymentRoute[] = [
  {
    method: 'GET',
    path: '/ok',
    summary: 'Whether the service is up',
    schemas: () => ({ responses: { '200': jsonResponse('It is', z.object({ ok: z.literal(true) })) } }),
    handle: () => Response.json({ ok: true }),
  },
  {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description',
    schemas: () => ({ responses: { '200': jsonResponse('OpenAPI 3.1', z.looseObject({ openapi: z.string() })) } }),
    handle: async ({ openApi }) => Response.json(await openApi()),
  },
  {
    method: 'GET',
    path: '/info',
    summary: 'What is deployed',
    schemas: () => ({
      responses: {
        '200': jsonResponse(
          'The service',
          z.looseObject({ service: z.string(), dialect: z.string(), graphs: z.array(z.string()) }),
        ),
      },
    }),
    handle: ({ dialect, graphs, auth }) =>
      Response.json({
        service: 'touchstone mock server',
        dialect: dialect.name,
        graphs: [...graphs.keys()],
        custom_auth: auth.enabled,
        flags: { assistants: true, crons: false, store: false },
      }),
  },
]
