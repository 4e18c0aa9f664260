import type { Wrap } from '../../wrappers/fetch.ts'
import { replace } from '../../wrappers/responses.ts'
import { matchesRoute, type Route } from '../../wrappers/routes.ts'
import type { Mutant } from '../mutant.ts'

function endUser({ headers }: Request): string {
  return headers.get('authorization') ?? headers.get('x-end-user') ?? ''
}

/** Hides a thread or an assistant from all tokens but that of its creator, at one route. */
function hideFromOthers(route: Route): Wrap {
  return (fetch) => {
    const owners = new Map<string, string>()
    const isHidden = (request: Request, id: unknown) =>
      typeof id === 'string' && owners.has(id) && owners.get(id) !== endUser(request)
    return async (request) => {
      const matches = matchesRoute(request, route)
      if (matches && new URL(request.url).pathname.split('/').some((segment) => isHidden(request, segment))) {
        return Response.json({ detail: 'not found' }, { status: 404 })
      }
      const response = await fetch(request)
      if (matchesRoute(request, { method: 'POST', path: '/(threads|assistants)' }) && response.ok) {
        const created = (await response.clone().json()) as { thread_id?: string; assistant_id?: string }
        owners.set(created.thread_id ?? created.assistant_id ?? '', endUser(request))
      }
      if (!matches || route.path !== '/assistants/search') return response
      const page = (await response.json()) as { assistant_id: string }[]
      return replace(response, {
        body: JSON.stringify(page.filter(({ assistant_id }) => !isHidden(request, assistant_id))),
      })
    }
  }
}

export const authNoneMutants: readonly Mutant[] = [
  {
    id: 'auth.none.state-scoped',
    defect: 'without custom authentication, only the token that created a thread can read its state',
    requirements: ['auth.none.threads'],
    wrap: hideFromOthers({ method: 'GET', path: '/threads/{thread_id}/state' }),
  },
  {
    id: 'auth.none.runs-scoped',
    defect: 'without custom authentication, only the token that created a thread can list its runs',
    requirements: ['auth.none.runs'],
    wrap: hideFromOthers({ method: 'GET', path: '/threads/{thread_id}/runs' }),
  },
  {
    id: 'auth.none.run-create-scoped',
    defect: 'without custom authentication, only the token that created a thread can create runs on it',
    requirements: ['auth.none.run-create'],
    wrap: hideFromOthers({ method: 'POST', path: '/threads/{thread_id}/runs' }),
  },
  {
    id: 'auth.none.assistants-scoped',
    defect: 'without custom authentication, only the token that created an assistant can read it',
    requirements: ['auth.none.assistants'],
    wrap: hideFromOthers({ method: 'GET', path: '/assistants/{assistant_id}' }),
  },
  {
    id: 'auth.none.search-scoped',
    defect: 'without custom authentication, the search returns only assistants of the same token',
    requirements: ['auth.none.assistant-search'],
    wrap: hideFromOthers({ method: 'POST', path: '/assistants/search' }),
  },
]
