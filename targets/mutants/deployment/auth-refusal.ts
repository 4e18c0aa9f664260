import type { AuthUser } from '../../../mock-server/deployment/auth/handlers.ts'
import { type GuardedEndpoint, guardedEndpoints } from '../../../suites/catalog/deployment/auth-refusal.ts'
import type { RequirementId } from '../../../suites/catalog/generated/ids.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import { createRun, streamRun } from '../../wrappers/requests.ts'
import { replace } from '../../wrappers/responses.ts'
import { matchesRoute, type Route } from '../../wrappers/routes.ts'
import { changeAuthEngine } from '../auth.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const guest: AuthUser = { identity: 'guest' }

function hasCredentials({ headers }: Request): boolean {
  return headers.has('authorization') || headers.has('x-auth-scheme')
}

function refusalRequirements(fault: 'missing' | 'wrong'): readonly RequirementId[] {
  return guardedEndpoints.map(({ key }) => `auth.refused.${key}.${fault}-credentials` as const) as RequirementId[]
}

/** Treats requests without credentials as a guest. */
function acceptMissing({ key, ...route }: GuardedEndpoint): Mutant {
  return {
    id: `auth.refused.${key}.open-without-credentials`,
    defect: `${route.method} ${route.path} accepts requests without credentials`,
    requirements: [`auth.refused.${key}.missing-credentials` as RequirementId],
    policies: changeAuthEngine(({ authenticate }) => ({
      authenticate: async (request) =>
        matchesRoute(request, route) && !hasCredentials(request) ? guest : authenticate(request),
    })),
  }
}

/** Treats requests with invalid credentials as a guest. */
function acceptInvalidCredentials({ key, ...route }: GuardedEndpoint): Mutant {
  return {
    id: `auth.refused.${key}.open-for-wrong-credentials`,
    defect: `${route.method} ${route.path} accepts requests with invalid credentials`,
    requirements: [`auth.refused.${key}.wrong-credentials` as RequirementId],
    policies: changeAuthEngine(({ authenticate }) => ({
      authenticate: async (request) => {
        const user = authenticate(request)
        return matchesRoute(request, route) && hasCredentials(request) ? user.catch(() => guest) : user
      },
    })),
  }
}

/** Changes the status of authentication errors. */
function changeErrorStatus(test: (request: Request) => boolean, status: number): Wrap {
  return (fetch) => async (request) => {
    const response = await fetch(request)
    if (response.status !== 401 || !test(request)) return response
    return Response.json(await response.json(), { status })
  }
}

/** Executes a rejected request with valid credentials, but still returns the authentication error. */
function executeAnyway(route: Route, test: (request: Request) => boolean = () => true): Wrap {
  return (fetch) => async (request) => {
    const copy = request.clone()
    const response = await fetch(request)
    if (response.status !== 401 || !matchesRoute(request, route) || !test(request)) return response
    copy.headers.set('authorization', 'Bearer touchstone-alice')
    await (await fetch(copy)).text()
    return response
  }
}

function dropDetail(test: (request: Request) => boolean): Wrap {
  return (fetch) => async (request) => {
    const response = await fetch(request)
    return response.status === 401 && test(request)
      ? replace(response, { body: '{"detail":"Unauthorized"}' })
      : response
  }
}

export const authRefusalMutants: readonly Mutant[] = [
  ...guardedEndpoints.map(acceptMissing),
  ...guardedEndpoints.map(acceptInvalidCredentials),
  ...mutantsOf({
    'auth.refused.forbidden-for-wrong-token': {
      defect: 'an invalid token gets status 403',
      requirements: refusalRequirements('wrong'),
      wrap: changeErrorStatus(hasCredentials, 403),
    },
    'auth.refused.cached-by-prefix': {
      defect: 'the user of a token is cached by its first characters',
      requirements: refusalRequirements('wrong'),
      alsoFails: { 'auth.handler.receives-headers': 'the handler is not called again for other headers' },
      policies: changeAuthEngine(({ authenticate }) => {
        const users = new Map<string, AuthUser>()
        return {
          authenticate: async (request) => {
            const key = request.headers.get('authorization')?.slice(0, 'Bearer touchstone-al'.length) ?? ''
            const user = users.get(key) ?? (await authenticate(request))
            if (user !== undefined && key !== '') users.set(key, user)
            return user
          },
        }
      }),
    },
    'auth.refused.handler-crashes-without-header': {
      defect: 'a request without credentials gets status 500',
      requirements: refusalRequirements('missing'),
      wrap: changeErrorStatus((request) => !hasCredentials(request), 500),
    },
    'auth.refused.run-created-first': {
      defect: 'a rejected request still creates a run',
      requirements: ['auth.refused.creates-no-run'],
      wrap: executeAnyway(createRun),
    },
    'auth.refused.run-created-first-for-wrong-token': {
      defect: 'a request that is rejected because of its token still creates a run',
      requirements: ['auth.refused.creates-no-run'],
      wrap: executeAnyway(createRun, hasCredentials),
    },
    'auth.refused.stream-created-first': {
      defect: 'a rejected stream request still creates a run',
      requirements: ['auth.refused.streams-no-run'],
      alsoFails: { 'stream.run.one': 'the thread has the run of the rejected request, too' },
      wrap: executeAnyway(streamRun),
    },
    'errors.unauthenticated.no-detail-without-header': {
      defect: 'the 401 response to a request without credentials does not have the detail of the handler',
      requirements: ['errors.unauthenticated.detail-missing'],
      wrap: dropDetail((request) => !hasCredentials(request)),
    },
    'errors.unauthenticated.no-detail-for-wrong-token': {
      defect: 'the 401 response to an invalid token does not have the detail of the handler',
      requirements: ['errors.unauthenticated.detail-wrong'],
      wrap: dropDetail(hasCredentials),
    },
  }),
]
