import type { RequirementId } from '../../../suites/catalog/generated/ids.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import { createRun, getRun, getState, joinRun, listRuns, streamRun } from '../../wrappers/requests.ts'
import { replace } from '../../wrappers/responses.ts'
import { matchesRoute, type Route } from '../../wrappers/routes.ts'
import type { Mutant } from '../mutant.ts'

function endUser({ headers }: Request): string {
  return headers.get('authorization') ?? headers.get('x-end-user') ?? ''
}

const search: Route = { method: 'POST', path: '/assistants/search' }
const getAssistant: Route = { method: 'GET', path: '/assistants/{assistant_id}' }

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

const scoped: readonly (readonly [name: string, requirement: RequirementId, route: Route, effect: string])[] = [
  ['state', 'auth.none.threads', getState, 'only the token that created a thread can read its state'],
  ['runs', 'auth.none.runs', listRuns, 'only the token that created a thread can list its runs'],
  ['run-create', 'auth.none.run-create', createRun, 'only the token that created a thread can create runs on it'],
  ['run-get', 'auth.none.run-get', getRun, 'only the token that created a thread can read its runs'],
  ['run-join', 'auth.none.run-join', joinRun, 'only the token that created a thread can join its runs'],
  ['run-stream', 'auth.none.run-stream', streamRun, 'only the token that created a thread can stream runs on it'],
  ['assistants', 'auth.none.assistants', getAssistant, 'only the token that created an assistant can read it'],
  ['search', 'auth.none.assistant-search', search, 'the search returns only assistants of the same token'],
]

export const authNoneMutants: readonly Mutant[] = scoped.map(([name, requirement, route, effect]) => ({
  id: `auth.none.${name}-scoped`,
  defect: `without custom authentication, ${effect}`,
  requirements: [requirement],
  wrap: hideFromOthers(route),
}))
