import { defaultAssistantId } from '../../../mock-server/runtime/ids.ts'
import { isDefaultAssistant } from '../../../suites/catalog/deployment/assistant.ts'
import { listAt } from '../../../suites/values/json.ts'
import { testGraphNames } from '../../../suites/values/test-graphs.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import { changeRequest, jsonBody, lastSegment, rejectRequest, withBody } from '../../wrappers/requests.ts'
import { replaceJson } from '../../wrappers/responses.ts'
import { changeAt, changeResponse, respondInstead } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'

const create = { method: 'POST', path: '/assistants' }
const search = { method: 'POST', path: '/assistants/search' }
const get = { method: 'GET', path: '/assistants/{assistant_id}' }

const notFound = () => Response.json({ detail: 'assistant not found' }, { status: 404 })

/** Removes assistants from search results. */
function hide(test: (assistant: unknown) => boolean): Wrap {
  return changeResponse(search, (list) => (list as unknown[]).filter((assistant) => !test(assistant)))
}

/** Responds with 404 for the default assistants of some graphs. */
function hideDefaults(graphs: readonly string[]): Wrap {
  const ids = graphs.map(defaultAssistantId)
  return respondInstead(get, async (request, fetch) =>
    ids.includes(lastSegment(request)) ? notFound() : fetch(request),
  )
}

/** Changes assistants except default ones. */
const ifCreated = (change: (assistant: Record<string, unknown>) => unknown) => (assistant: unknown) =>
  isDefaultAssistant(assistant) ? assistant : change(assistant as Record<string, unknown>)

const isDefaultOf = (graph: string) => (assistant: unknown) =>
  isDefaultAssistant(assistant) && (assistant as { graph_id: string }).graph_id === graph

export const assistantReadMutants: readonly Mutant[] = mutantsOf({
  'assistant.default.none': {
    defect: 'there are no default assistants',
    requirements: ['assistant.default.exists'],
    wrap: (fetch) => hideDefaults(testGraphNames)(hide(isDefaultAssistant)(fetch)),
  },
  'assistant.default.one-missing': {
    defect: 'one of the deployed graphs has no default assistant',
    requirements: ['assistant.default.exists'],
    alsoFails: { 'assistant.search.offset': 'the offset counts the hidden assistant' },
    wrap: (fetch) => hideDefaults(['tools'])(hide(isDefaultOf('tools'))(fetch)),
  },
  'assistant.search.defaults-hidden': {
    defect: 'the search returns no default assistants',
    requirements: ['assistant.search.includes-default'],
    wrap: hide(isDefaultAssistant),
  },
  'assistant.search.one-default-hidden': {
    defect: 'the search omits the default assistant of one graph',
    requirements: ['assistant.search.includes-default'],
    alsoFails: { 'assistant.search.offset': 'the offset counts the hidden assistant' },
    wrap: hide(isDefaultOf('tools')),
  },
  'assistant.get.defaults-unknown': {
    defect: 'GET /assistants/{assistant_id} does not find default assistants',
    requirements: ['assistant.get.default'],
    wrap: hideDefaults(testGraphNames),
  },
  'assistant.search.broken': {
    defect: 'POST /assistants/search always fails',
    requirements: ['assistant.search.answers-array'],
    wrap: rejectRequest(search, () => true, 500),
  },
  'assistant.search.wrapped': {
    defect: 'POST /assistants/search returns the array inside an object',
    requirements: ['assistant.search.answers-array'],
    wrap: changeResponse(search, (assistants) => ({ assistants })),
  },
  'assistant.search.limit-ignored': {
    defect: 'the search ignores limit',
    requirements: ['assistant.search.limit'],
    wrap: changeRequest(search, ({ limit: _, ...body }) => ({ ...body, limit: 1000 })),
  },
  'assistant.search.limit-inclusive': {
    defect: 'a page of search results has one more assistant than limit',
    requirements: ['assistant.search.limit'],
    wrap: changeRequest(search, (body) => ({ ...body, limit: Number(body['limit'] ?? 10) + 1 })),
  },
  'assistant.search.offset-ignored': {
    defect: 'the search ignores offset and always returns the first page',
    requirements: ['assistant.search.offset'],
    wrap: changeRequest(search, (body) => ({ ...body, offset: 0 })),
  },
  'assistant.search.offset-counts-from-one': {
    defect: 'the search skips one assistant too many from the second page on',
    requirements: ['assistant.search.offset'],
    wrap: changeRequest(search, (body) => {
      const offset = Number(body['offset'] ?? 0)
      return { ...body, offset: offset > 0 ? offset + 1 : 0 }
    }),
  },
  'assistant.search.offset-in-pages': {
    defect: 'the search treats offset as a number of pages',
    requirements: ['assistant.search.offset'],
    wrap: changeRequest(search, (body) => ({
      ...body,
      offset: Number(body['offset'] ?? 0) * Number(body['limit'] ?? 10),
    })),
  },
  'assistant.search.created-hidden': {
    defect: 'the search returns only default assistants',
    requirements: ['assistant.search.includes-created'],
    wrap: hide((assistant) => !isDefaultAssistant(assistant)),
  },
  'assistant.search.every-third-hidden': {
    defect: 'the search never returns every third created assistant',
    requirements: ['assistant.search.includes-created'],
    wrap: (fetch) => {
      const hidden = new Set<unknown>()
      let count = 0
      const recording = changeResponse(create, (body) => {
        if (++count % 3 === 0) hidden.add((body as { assistant_id: unknown }).assistant_id)
        return body
      })
      return hide((assistant) => hidden.has((assistant as { assistant_id: unknown }).assistant_id))(recording(fetch))
    },
  },
  'assistant.search.last-of-full-page': {
    defect: 'a full page of the search lacks the last of all assistants',
    requirements: ['assistant.search.offset'],
    wrap: respondInstead(search, async (request, fetch) => {
      const body = await jsonBody(request)
      const { limit, offset = 0 } = body
      const response = await fetch(request)
      if (!response.ok || typeof limit !== 'number') return response
      const page = listAt(await response.clone().json())
      const next = await fetch(withBody(request, { ...body, limit: 1, offset: Number(offset) + page.length }))
      const isLast = page.length === limit && listAt(await next.json()).length === 0
      return isLast ? replaceJson(response, () => page.slice(0, -1)) : response
    }),
  },
  'assistant.search.without-config': {
    defect: 'the search returns assistants with an empty config',
    requirements: ['assistant.search.as-created'],
    wrap: changeResponse(search, (list) => (list as unknown[]).map(ifCreated((each) => ({ ...each, config: {} })))),
  },
  'assistant.search.updated_at-in-future': {
    defect: 'the search shows an updated_at in the future',
    requirements: ['assistant.search.as-created'],
    wrap: changeResponse(search, (list) =>
      (list as unknown[]).map(ifCreated((each) => ({ ...each, updated_at: '2999-12-31T23:59:59.000+00:00' }))),
    ),
  },
  'assistant.get.broken': {
    defect: 'GET /assistants/{assistant_id} always fails',
    requirements: ['assistant.get.answers-assistant'],
    wrap: respondInstead(get, async () => Response.json({ detail: 'no database' }, { status: 500 })),
  },
  'assistant.get.answers-array': {
    defect: 'GET /assistants/{assistant_id} returns the assistant in an array',
    requirements: ['assistant.get.answers-assistant'],
    wrap: changeResponse(get, (body) => [body]),
  },
  'assistant.get.enveloped': {
    defect: 'GET /assistants/{assistant_id} returns an object that contains the assistant',
    requirements: ['assistant.get.answers-assistant'],
    wrap: changeResponse(get, (assistant) => ({ assistant })),
  },
  'assistant.get.newest': {
    defect: 'GET /assistants/{assistant_id} always returns the newest assistant',
    requirements: ['assistant.get.that-assistant'],
    alsoFails: { 'auth.none.assistants': 'another caller receives another assistant, too' },
    wrap: (fetch) => {
      let newest: unknown
      const recording = changeResponse(create, (body) => {
        newest = body
        return body
      })
      return changeResponse(get, (body) => newest ?? body)(recording(fetch))
    },
  },
  'assistant.get.without-config': {
    defect: 'GET /assistants/{assistant_id} returns an empty config',
    requirements: ['assistant.get.as-created'],
    wrap: changeResponse(
      get,
      ifCreated((each) => ({ ...each, config: {} })),
    ),
  },
  'assistant.get.updated_at-in-future': {
    defect: 'GET shows an updated_at in the future',
    requirements: ['assistant.get.as-created'],
    wrap: changeResponse(get, (body) => changeAt(body, ['updated_at'], () => '2999-12-31T23:59:59.000+00:00')),
  },
})
