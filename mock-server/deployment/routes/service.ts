import { z } from 'zod'
import { jsonResponse } from '../../http/route.ts'
import type { DeploymentRoute } from '../deployment.ts'

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
    handle: async () =>
      // Loaded on demand: only people read it.
      new Response((await import('../docs-page.ts')).docsPage, {
        headers: { 'content-type': 'text/html; charset=utf-8' },
      }),
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
