import type { JsonObject } from '../../../mock-server/http/fields.ts'
import type { RequirementId } from '../../../suites/catalog/generated/ids.ts'
import { changeEngine, changePermits } from '../auth.ts'
import type { Fetch, Mutant } from '../mutant.ts'
import { changeAt, changeResponse, matchesRoute } from '../responses.ts'

/** Endpoints at which the filter is asked, as the server names them, by the row that each has. */
const scoped = {
  state: 'GET /threads/:thread_id/state',
  'run-list': 'GET /threads/:thread_id/runs',
  'run-get': 'GET /threads/:thread_id/runs/:run_id',
  'run-join': 'GET /threads/:thread_id/runs/:run_id/join',
  'run-create': 'POST /threads/:thread_id/runs',
  'run-stream': 'POST /threads/:thread_id/runs/stream',
  'thread-list': 'GET /threads',
  'assistant-get': 'GET /assistants/:assistant_id',
  'assistant-search': 'POST /assistants/search',
} as const
type Scoped = keyof typeof scoped

function filterIgnored(key: Scoped): Mutant {
  return {
    id: `auth.scope.filter-ignored.${key}`,
    defect: `${scoped[key]} ignores the filter of the authorization handler`,
    requirements: [`auth.scope.${key}`],
    profile: 'custom-auth',
    policies: changePermits(
      (permits) =>
        (...asked) =>
          asked[2] === scoped[key] || permits(...asked),
    ),
  }
}

/** What one endpoint refused once is refused to everybody from then on, there or at another endpoint. */
function refusalRemembered(row: RequirementId, refusedAt: Scoped, hiddenAt: Scoped = refusedAt): Mutant {
  return {
    id: `${row}.hidden-after-refusal`,
    defect: `what ${scoped[refusedAt]} refused to one user once, ${scoped[hiddenAt]} hides from its owner too`,
    requirements: [row],
    policies: changePermits((permits) => {
      const refused = new WeakSet<object>()
      return (filter, metadata, endpoint) => {
        const passes = permits(filter, metadata, endpoint)
        if (!passes && endpoint === scoped[refusedAt]) refused.add(metadata)
        return passes && !(endpoint === scoped[hiddenAt] && refused.has(metadata))
      }
    }),
  }
}

const studio = ['state', 'run-list', 'run-get', 'run-create', 'assistant-get', 'assistant-search'] as const

/** One endpoint restricts users of the development UI to what belongs to nobody. */
function studioRestricted(key: (typeof studio)[number]): Mutant {
  return {
    id: `auth.studio.restricted.${key}`,
    defect: `${scoped[key]} takes an empty filter for one that lets nothing of others pass`,
    requirements: [`auth.studio.${key}`],
    policies: (defaults) => ({
      ...changeEngine(({ authorize }) => ({
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

/** Metadata as the client sent it: who owns a thing is kept where no answer shows it. */
function ownerDropped(of: 'thread' | 'assistant' | 'run'): Mutant {
  const dropped = (shown: JsonObject): JsonObject => {
    const { owner: _dropped, ...metadata } = Object(shown['metadata']) as JsonObject
    return { ...shown, metadata }
  }
  return {
    id: `auth.authz.${of}-owner-not-kept`,
    defect: `the metadata of a created ${of} is what the client sent, not what the handler made of it`,
    requirements: [`auth.authz.${of}-metadata`],
    policies: ({ presentThread, presentAssistant, presentRun }) => ({
      ...(of === 'thread' && { presentThread: (...record) => dropped(presentThread(...record)) }),
      ...(of === 'assistant' && { presentAssistant: (...record) => dropped(presentAssistant(...record)) }),
      ...(of === 'run' && { presentRun: (...record) => dropped(presentRun(...record)) }),
    }),
  }
}

const state = { method: 'GET', path: '/threads/{thread_id}/state' }

/** Reads of one address that come together, from the fourth on, are answered with what the first one got. */
function answeredTogether(fetch: Fetch): Fetch {
  const gathered = new Map<string, { count: number; first: Promise<string> }>()
  return async (request) => {
    if (!matchesRoute(request, state)) return fetch(request)
    const { url } = request
    const own = fetch(request)
    const batch = gathered.get(url) ?? { count: 0, first: own.then((response) => response.clone().text()) }
    batch.count += 1
    gathered.set(url, batch)
    await new Promise((resolve) => setTimeout(resolve, 100))
    if (gathered.get(url) === batch) gathered.delete(url)
    return batch.count >= 3 ? Response.json(JSON.parse(await batch.first)) : own
  }
}

export const authScopeMutants: readonly Mutant[] = [
  ...(Object.keys(scoped) as Scoped[]).map(filterIgnored),
  refusalRemembered('auth.scope.own-state', 'state'),
  refusalRemembered('auth.scope.own-runs', 'run-list'),
  refusalRemembered('auth.scope.own-assistant', 'assistant-get'),
  refusalRemembered('auth.scope.own-assistant-found', 'assistant-get', 'assistant-search'),
  ...studio.map(studioRestricted),
  ownerDropped('thread'),
  ownerDropped('assistant'),
  ownerDropped('run'),
  {
    id: 'auth.authz.assistant-owner-lost-later',
    defect: 'GET /assistants/{assistant_id} answers without what the handler wrote into the metadata',
    requirements: ['auth.authz.assistant-metadata'],
    wrap: changeResponse({ method: 'GET', path: '/assistants/{assistant_id}' }, (body) => {
      changeAt(body, ['metadata', 'owner'], () => undefined)
      return body
    }),
    alsoFails: { 'assistant.get.as-created': 'the metadata is not as the creation answered it' },
  },
  {
    id: 'auth.authz.context-of-another-kind',
    defect: "the authorization handler is given the user under the server's own id, not the handler's identity",
    requirements: ['auth.authz.context-user'],
    policies: changeEngine(({ authorize }) => ({
      authorize: (user, ...access) => authorize(user && { ...user, identity: `user-${user.identity}` }, ...access),
    })),
  },
  {
    id: 'auth.scope.one-user-sees-all',
    defect: 'a right to read the state of every thread was left to one user',
    requirements: ['auth.scope.both-ways'],
    policies: changePermits((permits) => (filter, metadata, endpoint) => {
      return (endpoint === scoped.state && filter['owner'] === 'alice') || permits(filter, metadata, endpoint)
    }),
  },
  {
    id: 'auth.scope.reads-answered-together',
    defect: 'many reads of one address at the same time are answered together, whoever asks',
    requirements: ['auth.scope.side-by-side'],
    nondeterministic: 'other checks read the same shared threads at the same time, or not',
    wrap: answeredTogether,
  },
]
