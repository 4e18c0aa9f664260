import { z } from 'zod'
import { page } from '../../http/response.ts'
import { ok } from '../../http/route.ts'
import { type DeploymentRoute, route } from '../deployment.ts'
import type { Description } from '../docs/description.ts'

/** The endpoints of the service itself. They need no credentials. */
export const serviceRoutes: readonly DeploymentRoute[] = [
  route('GET /', 'Check whether the service is up, as `/ok` does', {
    schemas: () => ({ responses: ok('The service is up', z.object({ ok: z.literal(true) })) }),
    handle: () => Response.json({ ok: true }),
  }),
  route('GET /docs', 'Read the endpoints of this server as a page', {
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
  }),
  route('GET /ok', 'Check whether the service is up', {
    schemas: () => ({ responses: ok('The service is up', z.object({ ok: z.literal(true) })) }),
    handle: () => Response.json({ ok: true }),
  }),
  route('GET /openapi.json', 'Read this description', {
    schemas: () => ({ responses: ok('OpenAPI 3.1', z.looseObject({ openapi: z.string() })) }),
    handle: async ({ openApi }) => Response.json(await openApi()),
  }),
  route('GET /info', 'Read the version and features of the deployment', {
    schemas: () => ({
      responses: ok(
        'The service',
        z.looseObject({ service: z.string(), dialect: z.string(), graphs: z.array(z.string()) }),
      ),
    }),
    handle: ({ dialect, graphs, auth }) =>
      Response.json({
        service: 'touchstone mock server',
        dialect: dialect.name,
        graphs: [...graphs.keys()],
        custom_auth: auth.enabled,
        flags: { assistants: true, crons: true, store: true },
      }),
  }),
]
