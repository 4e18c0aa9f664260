import { z } from 'zod'
import { page } from '../../http/response.ts'
import { jsonResponse } from '../../http/route.ts'
import type { DeploymentRoute } from '../deployment.ts'
import type { Description } from '../docs/description.ts'

/** The endpoints of the service itself. They need no credentials. */
export const serviceRoutes: readonly DeploymentRoute[] = [
  {
    method: 'GET',
    path: '/',
    summary: 'Check whether the service is up, as `/ok` does',
    schemas: () => ({ responses: { '200': jsonResponse('The service is up', z.object({ ok: z.literal(true) })) } }),
    handle: () => Response.json({ ok: true }),
  },
  {
    method: 'GET',
    path: '/docs',
    summary: 'Read the endpoints of this server as a page',
    schemas: () => ({
      responses: { '200': { description: 'A page', content: { 'text/html': { schema: z.string() } } } },
    }),
    handle: async ({ openApi }, { request }) => {
      // Loaded on demand: only people read it.
      const [{ renderDocs }, { policy }] = await Promise.all([
        import('../docs/page.ts'),
        import('../docs/generated/docs.ts'),
      ])
      const { origin } = new URL(request.url)
      return page(String(await renderDocs((await openApi()) as Description, origin)), policy)
    },
  },
  {
    method: 'GET',
    path: '/ok',
    summary: 'Check whether the service is up',
    schemas: () => ({ responses: { '200': jsonResponse('The service is up', z.object({ ok: z.literal(true) })) } }),
    handle: () => Response.json({ ok: true }),
  },
  {
    method: 'GET',
    path: '/openapi.json',
    summary: 'Read this description',
    schemas: () => ({ responses: { '200': jsonResponse('OpenAPI 3.1', z.looseObject({ openapi: z.string() })) } }),
    handle: async ({ openApi }) => Response.json(await openApi()),
  },
  {
    method: 'GET',
    path: '/info',
    summary: 'Read the version and features of the deployment',
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
        flags: { assistants: true, crons: true, store: true },
      }),
  },
]
