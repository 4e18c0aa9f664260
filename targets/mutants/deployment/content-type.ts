import { jsonEndpoints } from '../../../suites/catalog/deployment/run.ts'
import { matchesRoute } from '../../wrappers/routes.ts'
import type { Mutant } from '../mutant.ts'

export const contentTypeMutants: readonly Mutant[] = jsonEndpoints.map(({ name, endpoint }): Mutant => {
  const [method = '', path = ''] = endpoint.split(' ')
  return {
    id: `content-type.${name}.text`,
    defect: `JSON responses of ${endpoint} have the content type text/plain`,
    requirements: [`content-type.${name}`],
    wrap: (fetch) => async (request) => {
      const response = await fetch(request)
      if (!response.ok || !matchesRoute(request, { method, path })) return response
      const headers = new Headers(response.headers)
      headers.set('content-type', 'text/plain; charset=utf-8')
      return new Response(response.body, { status: response.status, headers })
    },
  }
})
