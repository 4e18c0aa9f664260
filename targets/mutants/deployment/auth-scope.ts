import type { AuthUser } from '../../../mock-server/deployment/auth/handlers.ts'
import type { JsonObject } from '../../../mock-server/http/fields.ts'
import type { RequirementId } from '../../../suites/catalog/generated/ids.ts'
import type { Fetch } from '../../wrappers/fetch.ts'
import {
  createRun,
  errorResponse,
  getRun,
  getState,
  joinRun,
  jsonBody,
  lastSegment,
  pathIds,
} from '../../wrappers/requests.ts'
import { combine } from '../../wrappers/responses.ts'
import { changeAt, changeResponse, matchesRoute, respondInstead } from '../../wrappers/routes.ts'
import { changeAuthEngine, changePermits } from '../auth.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

/** Endpoints that apply the filter, as the server names them, by the last part of their requirement id. */
const scoped = {
  state: 'GET /threads/{thread_id}/state',
  'run-list': 'GET /threads/{thread_id}/runs',
  'run-get': 'GET /threads/{thread_id}/runs/{run_id}',
  'run-join': 'GET /threads/{thread_id}/runs/{run_id}/join',
  'run-create': 'POST /threads/{thread_id}/runs',
  'run-stream': 'POST /threads/{thread_id}/runs/stream',
  'thread-list': 'GET /threads',
  'assistant-get': 'GET /assistants/{assistant_id}',
  'assistant-search': 'POST /assistants/search',
} as const
type Scoped = keyof typeof scoped

function ignoreFilter(key: Scoped): Mutant {
  return {
    id: `auth.scope.filter-ignored.${key}`,
    defect: `${scoped[key]} ignores the filter of the authorization handler`,
    requirements: [`auth.scope.${key}`],
    profile: 'custom-auth',
    policies: changePermits(
      (permits) =>
        (...args) =>
          args[2] === scoped[key] || permits(...args),
    ),
  }
}

/** Finds runs by their id alone, whatever the thread in the path. */
function findUnderAnyThread(key: 'run-get' | 'run-join'): Mutant {
  const route = key === 'run-get' ? getRun : joinRun
  return {
    id: `auth.scope.${key}-under-any-thread`,
    defect: `GET ${route.path} finds the runs of all users under any thread`,
    requirements: [`auth.scope.${key}`],
    wrap: (fetch) => {
      const creations = new Map<string, Request>()
      return combine(
        respondInstead(createRun, async (request, inner) => {
          const response = await inner(request.clone())
          if (response.ok) creations.set(String(Object(await response.clone().json()).run_id), request)
          return response
        }),
        respondInstead(route, async (request, inner) => {
          const { threadId, runId } = pathIds(request)
          const creation = creations.get(runId)
          if (creation === undefined || creation.url.includes(threadId)) return inner(request)
          const { pathname } = new URL(request.url)
          const end = pathname.slice(pathname.indexOf(runId))
          const headers = { authorization: creation.headers.get('authorization') ?? '' }
          return inner(new Request(`${creation.url}/${end}`, { headers }))
        }),
      )(fetch)
    },
  }
}

/** After an endpoint has denied access to a record once, it (or another endpoint) denies it to everyone. */
function rememberDenial(requirement: RequirementId, deniedAt: Scoped, hiddenAt: Scoped = deniedAt): Mutant {
  return {
    id: `${requirement}.hidden-after-refusal`,
    defect: `after ${scoped[deniedAt]} has denied access to a record, ${scoped[hiddenAt]} also hides it from its owner`,
    requirements: [requirement],
    policies: changePermits((permits) => {
      const denied = new WeakSet<object>()
      return (filter, metadata, endpoint) => {
        const passes = permits(filter, metadata, endpoint)
        if (!passes && endpoint === scoped[deniedAt]) denied.add(metadata)
        return passes && !(endpoint === scoped[hiddenAt] && denied.has(metadata))
      }
    }),
  }
}

const studio = [
  'state',
  'run-list',
  'run-get',
  'run-join',
  'run-create',
  'run-stream',
  'assistant-get',
  'assistant-search',
] as const

/** One endpoint hides records with an owner from users of the development UI. */
function restrictStudio(key: (typeof studio)[number]): Mutant {
  return {
    id: `auth.studio.restricted.${key}`,
    defect: `${scoped[key]} treats an empty filter as one that matches only records without an owner`,
    requirements: [`auth.studio.${key}`],
    policies: (defaults) => ({
      ...changeAuthEngine(({ authorize }) => ({
        authorize: async (user, ...access) => {
          const filter = await authorize(user, ...access)
          return filter === undefined && user !== undefined ? { owner: undefined } : filter
        },
      }))(defaults),
      ...changePermits((permits) => (filter, metadata, endpoint) => {
        const isEmpty = 'owner' in filter && filter['owner'] === undefined
        return isEmpty
          ? endpoint !== scoped[key] || metadata['owner'] === undefined
          : permits(filter, metadata, endpoint)
      })(defaults),
    }),
  }
}

/** Removes the owner from metadata in responses. */
function dropOwner(kind: 'thread' | 'assistant' | 'run'): Mutant {
  const withoutOwner = (record: JsonObject): JsonObject => {
    const { owner: _dropped, ...metadata } = Object(record['metadata']) as JsonObject
    return { ...record, metadata }
  }
  return {
    id: `auth.authz.${kind}-owner-not-kept`,
    defect: `the metadata of a created ${kind} lacks the changes of the authorization handler`,
    requirements: [`auth.authz.${kind}-metadata`],
    policies: ({ presentThread, presentAssistant, presentRun }) => ({
      ...(kind === 'thread' && { presentThread: (...record) => withoutOwner(presentThread(...record)) }),
      ...(kind === 'assistant' && { presentAssistant: (...record) => withoutOwner(presentAssistant(...record)) }),
      ...(kind === 'run' && { presentRun: (...record) => withoutOwner(presentRun(...record)) }),
    }),
  }
}

/** From the third concurrent read of one URL on, returns the response to the first one. */
function shareResponses(fetch: Fetch): Fetch {
  const batches = new Map<string, { count: number; first: Promise<string> }>()
  return async (request) => {
    if (!matchesRoute(request, getState)) return fetch(request)
    const { url } = request
    const response = fetch(request)
    const batch = batches.get(url) ?? { count: 0, first: response.then((response) => response.clone().text()) }
    batch.count += 1
    batches.set(url, batch)
    await new Promise((resolve) => setTimeout(resolve, 100))
    if (batches.get(url) === batch) batches.delete(url)
    return batch.count >= 3 ? Response.json(JSON.parse(await batch.first)) : response
  }
}

/** Removes the assistants of other users from the pages of a search, which the server has counted with them. */
function filterPages(fetch: Fetch): Fetch {
  const owners = new Map<string | null, unknown>()
  const ownerOf = (assistant: unknown) => Object(Object(assistant).metadata).owner
  return combine(
    changeResponse({ method: 'POST', path: '/assistants' }, (assistant, request) => {
      owners.set(request.headers.get('authorization'), ownerOf(assistant))
      return assistant
    }),
    changeResponse({ method: 'POST', path: '/assistants/search' }, (page, request) => {
      const owner = owners.get(request.headers.get('authorization'))
      return (page as unknown[]).filter((assistant) => owner === undefined || ownerOf(assistant) === owner)
    }),
  )(fetch)
}

export const authScopeMutants: readonly Mutant[] = [
  ...(Object.keys(scoped) as Scoped[]).map(ignoreFilter),
  {
    ...ignoreFilter('thread-list'),
    id: 'auth.scope.filter-ignored.enveloped-thread-list',
    defect: 'GET /threads returns the threads of all users in an object',
    wrap: changeResponse({ method: 'GET', path: '/threads' }, (threads) => ({ threads })),
  },
  rememberDenial('auth.scope.own-state', 'state'),
  rememberDenial('auth.scope.own-runs', 'run-list'),
  rememberDenial('auth.scope.own-assistant', 'assistant-get'),
  rememberDenial('auth.scope.own-assistant-found', 'assistant-get', 'assistant-search'),
  ...studio.map(restrictStudio),
  {
    id: 'auth.scope.assistants-without-owner',
    defect: `${scoped['assistant-search']} shows assistants without an owner to all users`,
    requirements: ['auth.scope.assistant-search'],
    profile: 'custom-auth',
    policies: changePermits((permits) => (filter, metadata, endpoint) => {
      const hasNoOwner = endpoint === scoped['assistant-search'] && metadata['owner'] === undefined
      return hasNoOwner || permits(filter, metadata, endpoint)
    }),
  },
  dropOwner('thread'),
  dropOwner('assistant'),
  dropOwner('run'),
  {
    id: 'auth.authz.assistant-owner-lost-later',
    defect: 'the metadata of GET /assistants/{assistant_id} lacks the changes of the authorization handler',
    requirements: ['auth.authz.assistant-metadata'],
    wrap: changeResponse({ method: 'GET', path: '/assistants/{assistant_id}' }, (body) =>
      changeAt(body, ['metadata', 'owner'], () => undefined),
    ),
    alsoFails: { 'assistant.get.as-created': 'the metadata differs from that of the creation' },
  },
  {
    id: 'auth.authz.equal-assistant-shared',
    defect: 'a user who creates an assistant that equals one of another user gets the one of the other user',
    requirements: ['auth.authz.assistant-metadata'],
    wrap: (fetch) => {
      const known = new Map<string, Response>()
      return respondInstead({ method: 'POST', path: '/assistants' }, async (request, inner) => {
        const body = JSON.stringify(await jsonBody(request))
        const response = await inner(request)
        const earlier = known.get(body)
        if (response.ok && earlier !== undefined) return earlier.clone()
        if (body.includes('configurable')) known.set(body, response.clone())
        return response
      })(fetch)
    },
  },
  {
    id: 'auth.authz.context-of-another-kind',
    defect: 'the authorization handler receives an internal user id instead of the identity',
    requirements: ['auth.authz.context-user'],
    policies: changeAuthEngine(({ authorize }) => ({
      authorize: (user, ...access) => authorize(user && { ...user, identity: `user-${user.identity}` }, ...access),
    })),
  },
  ...(['run-get', 'run-join'] as const).map(findUnderAnyThread),
  ...mutantsOf({
    'auth.authz.previous-user': {
      defect: 'the owner of a thread is the end user who sent the previous request',
      requirements: ['auth.authz.context-user'],
      policies: changeAuthEngine(({ authorize }) => {
        let previous: AuthUser | undefined
        return {
          authorize: (user, resource, action, value) => {
            const isCreation = resource === 'threads' && action === 'create'
            const authorized = (isCreation && user !== undefined && previous) || user
            if (user?.identity === 'alice' || user?.identity === 'bob') previous = user
            return authorize(authorized, resource, action, value)
          },
        }
      }),
    },
    'auth.scope.one-user-sees-all': {
      defect: 'one user can read the state of every thread',
      requirements: ['auth.scope.both-ways'],
      policies: changePermits((permits) => (filter, metadata, endpoint) => {
        return (endpoint === scoped.state && filter['owner'] === 'alice') || permits(filter, metadata, endpoint)
      }),
    },
    'auth.scope.one-user-sees-all-assistants': {
      defect: 'one user can read every assistant',
      requirements: ['auth.scope.both-ways'],
      policies: changePermits((permits) => (filter, metadata, endpoint) => {
        return (
          (endpoint === scoped['assistant-get'] && filter['owner'] === 'alice') || permits(filter, metadata, endpoint)
        )
      }),
    },
    'auth.scope.assistants-without-config': {
      defect: 'an assistant that was created without a configuration is shown to all users',
      requirements: ['auth.scope.assistant-get'],
      profile: 'custom-auth',
      wrap: (fetch) => {
        const open = new Map<string, Response>()
        const created = respondInstead({ method: 'POST', path: '/assistants' }, async (request, inner) => {
          const { config } = await jsonBody(request)
          const response = await inner(request)
          if (response.ok && config === undefined)
            open.set(Object(await response.clone().json())['assistant_id'], response.clone())
          return response
        })(fetch)
        return respondInstead({ method: 'GET', path: '/assistants/{assistant_id}' }, (request, inner) => {
          const shown = open.get(lastSegment(request))
          return shown === undefined ? inner(request) : Promise.resolve(shown.clone())
        })(created)
      },
    },
    'auth.scope.assistants-filtered-after-limit': {
      defect: 'the search applies limit and offset to the assistants of all users, then hides those of others',
      requirements: ['assistant.search.offset'],
      profile: 'custom-auth',
      policies: changePermits(
        (permits) =>
          (...args) =>
            args[2] === scoped['assistant-search'] || permits(...args),
      ),
      wrap: filterPages,
    },
    'auth.scope.thread-lost-to-studio': {
      defect: 'a run of a user of the development UI hides the thread from its owner',
      requirements: ['thread.kept'],
      profile: 'custom-auth',
      wrap: (fetch) => {
        const lost = new Set<string>()
        return async (request) => {
          const { threadId } = pathIds(request)
          const isStudio = request.headers.has('x-auth-scheme')
          if (lost.has(threadId) && !isStudio) return errorResponse(404)
          const response = await fetch(request)
          if (isStudio && response.ok && matchesRoute(request, createRun)) lost.add(threadId)
          return response
        }
      },
    },
    'auth.scope.reads-answered-together': {
      defect: 'concurrent reads of one URL share a response, also for different users',
      requirements: ['auth.scope.side-by-side'],
      nondeterministic: 'whether other checks read the same threads concurrently depends on timing',
      wrap: shareResponses,
    },
  }),
]
