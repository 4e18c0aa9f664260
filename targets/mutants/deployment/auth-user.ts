import type { AuthUser } from '../../../mock-server/deployment/auth/handlers.ts'
import type { Fetch } from '../../wrappers/fetch.ts'
import { createRun, getState, pathIds, streamRun } from '../../wrappers/requests.ts'
import { matchesRoute } from '../../wrappers/routes.ts'
import { changeAuthEngine, changeAuthHeaders, changeGraphUser } from '../auth.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

export const authUserMutants: readonly Mutant[] = mutantsOf({
  'auth.bearer.only-api-keys': {
    defect: 'the authentication handler does not receive the Authorization header',
    requirements: ['auth.bearer.accepted'],
    policies: changeAuthHeaders((headers) => {
      const rest = new Headers(headers)
      rest.delete('authorization')
      return rest
    }),
    alsoFails: {
      'thread.create.accepts-empty-object': 'all requests are rejected',
      'assistant.create.answers-assistant': 'all requests are rejected',
      'assistant.search.answers-array': 'all requests are rejected',
    },
  },
  'auth.handler.credentials-only': {
    defect: 'the authentication handler receives only the Authorization header',
    requirements: ['auth.handler.receives-headers'],
    policies: changeAuthHeaders((headers) => new Headers({ authorization: headers.get('authorization') ?? '' })),
  },
  'auth.handler.names-as-sent': {
    defect: 'the authentication handler receives header names in mixed case',
    requirements: ['auth.handler.lower-cased'],
    policies: changeGraphUser(({ header_names, ...user }) => ({
      ...user,
      header_names: [header_names].flat().map((name) => String(name).replace(/^x-touchstone/, 'X-Touchstone')),
    })),
  },
  'auth.user.not-placed': {
    defect: 'the configuration of a run has no authenticated user',
    requirements: ['auth.user.placed'],
    policies: changeGraphUser(() => undefined),
  },
  'auth.user.without-identity': {
    defect: 'only the custom fields of the user reach the graph',
    requirements: ['auth.user.identity'],
    policies: changeGraphUser(({ identity: _dropped, ...fields }) => fields),
  },
  'auth.user.identity-only': {
    defect: 'only the identity of the user reaches the graph',
    requirements: ['auth.user.custom-fields'],
    policies: changeGraphUser(({ identity }) => ({ identity, header_names: ['x-touchstone-probe'] })),
  },
  'auth.user.fields-by-known-names': {
    defect: 'unknown custom fields of the user do not reach the graph',
    requirements: ['auth.user.custom-fields'],
    policies: changeGraphUser(({ org_id: _dropped, ...user }) => user),
  },
  'auth.user.only-texts': {
    defect: 'custom fields of the user that are objects reach the graph as JSON texts',
    requirements: ['auth.user.custom-fields'],
    policies: changeGraphUser((user) => ({ ...user, profile: JSON.stringify(user['profile']) })),
  },
  'auth.user.stream-without-fields': {
    defect: 'the user of a streamed run has no custom fields',
    requirements: ['auth.user.streamed-run'],
    alsoFails: {
      'stream.create.answers-stream': 'a user of the development UI is not recognized',
      'auth.user.side-by-side': 'streams of bob lack the fields, too',
      'auth.user.second-user': 'bob streams alone, too, unless other scenarios have runs of alice',
    },
    policies: changeAuthEngine(({ authenticate }) => ({
      authenticate: async (request) => {
        const user = await authenticate(request)
        return user && matchesRoute(request, streamRun) ? { identity: user.identity } : user
      },
    })),
  },
  'auth.user.later-stream-without-fields': {
    defect: 'the user of the second streamed run of a thread has no custom fields',
    requirements: ['auth.user.streamed-run'],
    policies: changeAuthEngine(({ authenticate }) => {
      const used = new Set<string>()
      return {
        authenticate: async (request) => {
          const user = await authenticate(request)
          if (user === undefined || !matchesRoute(request, streamRun)) return user
          const { threadId } = pathIds(request)
          if (used.has(threadId)) return { identity: user.identity }
          used.add(threadId)
          return user
        },
      }
    }),
  },
  'auth.user.first-cached': {
    defect: 'runs of all users have the user object of the first user',
    requirements: ['auth.user.second-user'],
    policies: (defaults) => {
      let first: AuthUser | undefined
      return changeGraphUser((user) => {
        first ??= user
        return user.identity === first.identity ? user : first
      })(defaults)
    },
  },
  'auth.user.fields-of-the-first': {
    defect: 'the second user has the custom fields of the first user',
    requirements: ['auth.user.second-user'],
    policies: (defaults) => {
      let first: AuthUser | undefined
      return changeGraphUser((user) => {
        first ??= user
        return user.identity === first.identity ? user : { ...first, identity: user.identity }
      })(defaults)
    },
  },
  'auth.user.mixed-up-in-a-crowd': {
    defect: 'the fourth concurrent run of a user has the object of another user',
    requirements: ['auth.user.side-by-side'],
    wrap: mixUpUsers,
  },
})

/** Counts the runs of each user whose state has not been read yet. */
function mixUpUsers(fetch: Fetch): Fetch {
  const activeRuns = new Map<string, string>()
  const affected = new Set<string>()
  return async (request) => {
    const token = request.headers.get('authorization') ?? ''
    const thread = new URL(request.url).pathname.split('/')[2] ?? ''
    if (matchesRoute(request, createRun) && (await request.clone().text()).includes('whoami')) {
      activeRuns.set(thread, token)
      const tokens = [...activeRuns.values()]
      const ownRuns = tokens.filter((each) => each === token).length
      if (ownRuns >= 3 && tokens.length - ownRuns >= 2) affected.add(thread)
    }
    const response = await fetch(request)
    if (!matchesRoute(request, getState)) return response
    activeRuns.delete(thread)
    if (!affected.has(thread)) return response
    const changed = (await response.text()).replace(/\\"identity\\":\\"[^"]*\\"/, '\\"identity\\":\\"carol\\"')
    return Response.json(JSON.parse(changed))
  }
}
