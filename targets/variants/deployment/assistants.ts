import type { Policies } from '../../../mock-server/deployment/policies.ts'
import type { Fetch, Wrap } from '../../wrappers/fetch.ts'
import { createRun, type Fields, jsonBody, streamRun, withBody } from '../../wrappers/requests.ts'
import { objects } from '../../wrappers/responses.ts'
import { matchesRoute, respondInstead } from '../../wrappers/routes.ts'
import { type Choice, choicesOf } from '../choice.ts'

const create = { method: 'POST', path: '/assistants' }
const search = { method: 'POST', path: '/assistants/search' }

const withinTheSecond = Object.fromEntries(
  ['auth.none.assistant-search', 'auth.studio.assistant-search', 'auth.scope.own-assistant-found'].map(
    (requirement) => [requirement, 'the search is sent within the second'],
  ),
)

/** Searches and creation of assistants. */
export const assistantChoices: readonly Choice[] = choicesOf('deployment', {
  'auth.default-assistants': {
    description: 'Whether searches of a user show the default assistants.',
    legal: 'An owner filter may hide what belongs to nobody, default assistants included (ruling 15)',
    values: {
      hidden: {
        wrap: searchAll((all, { headers }) =>
          headers.has('authorization') ? all.filter(({ metadata }) => Object(metadata).created_by !== 'system') : all,
        ),
      },
    },
  },
  'assistant.equal': {
    description: 'What a creation returns that equals an earlier one.',
    legal: 'POST /assistants: whether two equal assistants can exist is not shown (ruling 34)',
    values: {
      'the-first-one': {
        wrap: oneForEqualRequests((created) => Response.json({ ...created, updated_at: new Date().toISOString() })),
      },
      refused: { wrap: oneForEqualRequests(() => Response.json({ detail: 'it exists' }, { status: 409 })) },
    },
  },
  'assistant.order': {
    description: 'The order of assistants in a search.',
    legal: 'assistant.search.order: not shown',
    values: {
      'oldest-first': { wrap: searchAll((all) => all.toReversed()) },
      'by-id': {
        wrap: searchAll((all) =>
          all.toSorted((a, b) => (String(a['assistant_id']) < String(b['assistant_id']) ? -1 : 1)),
        ),
      },
    },
  },
  'assistant.index': {
    description: 'When a search shows a new assistant.',
    legal: 'POST /assistants/search: how soon a search shows a new assistant is not shown',
    values: {
      'a-second-later': {
        wrap: searchAll((all) => all.filter((each) => Date.now() - Date.parse(String(each['created_at'])) >= 1000)),
        excuses: withinTheSecond,
      },
      'first-page-cached': { wrap: cacheFirstPages(1000), excuses: withinTheSecond },
    },
  },
  'assistant.page-size': {
    description: 'The most assistants of a page.',
    legal: 'limits.page-size.assistants: maximum page sizes are not shown (ruling 32)',
    values: { 'at-most-7': { wrap: limitPages(7) }, 'more-than-20-refused': { wrap: refusePages(20) } },
  },
  'assistant.updated': {
    description: 'When `updated_at` of an assistant changes.',
    legal: 'Assistant: `updated_at` is a timestamp; what changes it is not shown',
    values: { 'with-each-run': { wrap: updateWithRuns }, 'after-150-ms': { wrap: objects(updatedLater(150)) } },
  },
  'assistant.thread-settings': {
    description: 'The settings that a graph receives on a thread on which another assistant ran before.',
    legal: 'Run: whether a thread keeps the settings of its first run is not shown',
    values: { 'of-the-first-run': { policies: keepSettings } },
  },
  'assistant.default-config': {
    description: 'The config of an assistant that was created without one.',
    legal: 'assistant.create.config-default: not shown',
    values: {
      configurable: {
        wrap: objects((object) => {
          const isBare = 'assistant_id' in object && 'graph_id' in object && isEmpty(object['config'])
          const isDefault = Object(object['metadata']).created_by === 'system'
          return isBare && !isDefault ? { ...object, config: { configurable: {} } } : object
        }),
      },
    },
  },
})

/** Shows assistants as updated some time after their creation, once that time has passed. */
function updatedLater(ms: number): (object: Fields) => Fields {
  return (object) => {
    const updatedMs = Date.parse(String(object['created_at'])) + ms
    const isDefault = Object(object['metadata']).created_by === 'system'
    const isUpdated = 'graph_id' in object && 'updated_at' in object && !isDefault && Date.now() > updatedMs
    return isUpdated ? { ...object, updated_at: new Date(updatedMs).toISOString() } : object
  }
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function oneForEqualRequests(respond: (created: object) => Response): Wrap {
  return (fetch) => {
    const created = new Map<string, object>()
    return async (request) => {
      if (!matchesRoute(request, create)) return fetch(request)
      const { graph_id, config } = await jsonBody(request)
      const key = JSON.stringify([graph_id, config, request.headers.get('authorization')])
      const known = created.get(key)
      if (known !== undefined) return respond(known)
      const response = await fetch(request)
      if (response.ok) created.set(key, (await response.clone().json()) as object)
      return response
    }
  }
}

/** Shows the time of the latest request for a run as `updated_at` of its assistant. */
function updateWithRuns(fetch: Fetch): Fetch {
  const used = new Map<unknown, string>()
  const shown = objects((object) => {
    const time = 'graph_id' in object && 'updated_at' in object ? used.get(object['assistant_id']) : undefined
    return time === undefined ? object : { ...object, updated_at: time }
  })(fetch)
  return async (request) => {
    const isRun = matchesRoute(request, createRun) || matchesRoute(request, streamRun)
    if (isRun) used.set((await jsonBody(request))['assistant_id'], new Date().toISOString())
    return shown(request)
  }
}

/** Reorders or hides assistants before a page is taken. */
function searchAll(change: (all: readonly Fields[], request: Request) => readonly Fields[]): Wrap {
  return respondInstead(search, async (request, fetch) => {
    const { limit = 10, offset = 0, ...others } = await jsonBody(request)
    if (!Number.isInteger(limit) || !Number.isInteger(offset) || Number(limit) < 1 || Number(offset) < 0)
      return fetch(request)
    const all: Fields[] = []
    for (let page: Fields[] | undefined; page === undefined || page.length === 1000; all.push(...page)) {
      const response = await fetch(withBody(request, { ...others, limit: 1000, offset: all.length }))
      if (!response.ok) return response
      page = (await response.json()) as Fields[]
    }
    return Response.json(change(all, request).slice(Number(offset), Number(offset) + Number(limit)))
  })
}

/** Repeats the response to a search of one caller for a first page, for equal searches within a time. */
function cacheFirstPages(ms: number): Wrap {
  return (fetch) => {
    const cached = new Map<string, { readonly until: number; readonly response: Promise<Response> }>()
    return async (request) => {
      if (!matchesRoute(request, search)) return fetch(request)
      const body = await jsonBody(request)
      if (body['offset'] !== 0) return fetch(request)
      const key = JSON.stringify([body, request.headers.get('authorization'), request.headers.get('x-auth-scheme')])
      const known = cached.get(key)
      const fresh = known && known.until > Date.now() ? known : { until: Date.now() + ms, response: fetch(request) }
      cached.set(key, fresh)
      return (await fresh.response).clone()
    }
  }
}

function limitPages(most: number): Wrap {
  return respondInstead(search, async (request, fetch) => {
    const body = await jsonBody(request)
    const { limit } = body
    return typeof limit === 'number' && limit > most
      ? fetch(withBody(request, { ...body, limit: most }))
      : fetch(request)
  })
}

function refusePages(most: number): Wrap {
  return respondInstead(search, async (request, fetch) => {
    const { limit } = await jsonBody(request)
    const isTooLarge = typeof limit === 'number' && limit > most
    return isTooLarge ? Response.json({ detail: `limit: at most ${most}` }, { status: 422 }) : fetch(request)
  })
}

/** Adds the settings of the first run of a thread to those of later runs. */
function keepSettings({ runKwargs }: Policies): Partial<Policies> {
  const kept = new Map<string, object>()
  return {
    runKwargs(request, context) {
      const { thread_id, assistant } = context
      const own = Object(assistant.config['configurable'])
      const first = kept.get(thread_id) ?? own
      kept.set(thread_id, first)
      const config = { ...assistant.config, configurable: { ...own, ...first } }
      return runKwargs(request, { ...context, assistant: { ...assistant, config } })
    },
  }
}
