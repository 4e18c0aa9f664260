import type { Wrap } from '../../wrappers/fetch.ts'
import { createRun, createThread, jsonBody, streamRun } from '../../wrappers/requests.ts'
import { responses } from '../../wrappers/responses.ts'
import { matchesRoute, respondInstead } from '../../wrappers/routes.ts'
import { type Choice, choicesOf } from '../choice.ts'

const createAssistant = { method: 'POST', path: '/assistants' }
const searchAssistants = { method: 'POST', path: '/assistants/search' }

/** The fields that the specification names for each request. */
const documented = [
  { route: createThread, fields: [] },
  { route: createRun, fields: ['assistant_id', 'input', 'multitask_strategy'] },
  { route: streamRun, fields: ['assistant_id', 'input', 'stream_mode'] },
  { route: createAssistant, fields: ['graph_id', 'config'] },
  { route: searchAssistants, fields: ['limit', 'offset'] },
] as const

/** What requests a server accepts besides those that the specification shows. */
export const requestChoices: readonly Choice[] = choicesOf('deployment', {
  'deployment.dialect': {
    description: 'The behavior of public servers where the specification says nothing.',
    legal:
      'errors.*, stream.mode.*, run.list.*, stream.join.*: every point on which the dialects differ is unspecified',
    values: {
      'agent-server': { options: { dialect: 'agent-server' } },
      'js-dev': { options: { dialect: 'js-dev' } },
    },
  },
  'deployment.unknown-fields': {
    description: 'Whether fields of requests that the specification does not name are accepted.',
    legal: 'errors.unknown-field.*, ruling 32: not shown',
    values: { refused: { wrap: refuseUnknownFields } },
  },
  'deployment.further-routes': {
    description: 'Whether routes that the specification does not name exist.',
    legal: 'thread.read, stream.join.*, errors.route.unknown: not shown',
    values: {
      none: {
        wrap: (fetch) => async (request) =>
          isDocumented(request) ? fetch(request) : new Response('Not Found', { status: 404 }),
      },
    },
  },
  'thread.list': {
    description: 'The list of threads.',
    legal: 'thread.list.shape, thread.list.filters: not shown',
    values: {
      'not-found': { wrap: threadList(() => new Response('Not Found', { status: 404 })) },
      enveloped: {
        wrap: threadList(async (response) => Response.json({ threads: await response.json(), next: null })),
      },
      'by-id': {
        wrap: threadList(async (response) =>
          Response.json(
            Object.fromEntries(((await response.json()) as object[]).map((each) => [Object(each).thread_id, each])),
          ),
        ),
      },
    },
  },
  'message.other-roles': {
    description: 'Whether input messages may have other roles and further fields.',
    legal: 'message.input.other-roles, message.input.id: values used are `user` and `human`',
    values: { refused: { wrap: usualMessagesOnly } },
  },
  'message.input.empty': {
    description: 'Whether a run can be created with an empty list of messages.',
    legal: 'errors.*, ruling 32: no request is shown with an empty list',
    values: {
      refused: {
        wrap: respondInstead(createRun, async (request, fetch) => {
          const { input } = await jsonBody(request)
          return Object(input).messages?.length === 0 ? refusal('expected messages') : fetch(request)
        }),
        excuses: { 'service.thread.later-sees-state': 'decided by a run without messages' },
      },
    },
  },
  'stream.modes': {
    description: 'Stream modes other than `updates` and `values`.',
    legal: 'stream.mode.*, stream.request.mode-unknown, stream.request.mode-string: other modes are not shown',
    values: {
      refused: {
        wrap: respondInstead(streamRun, async (request, fetch) => {
          const { stream_mode: modes } = await jsonBody(request)
          const isKnown =
            modes === undefined || (Array.isArray(modes) && modes.every((mode) => ['updates', 'values'].includes(mode)))
          return isKnown ? fetch(request) : refusal('unknown stream mode')
        }),
      },
    },
  },
})

function refusal(detail: string, status = 422): Response {
  return Response.json({ detail }, { status })
}

function refuseUnknownFields(fetch: Parameters<Wrap>[0]): ReturnType<Wrap> {
  return async (request) => {
    const known = documented.find(({ route }) => matchesRoute(request, route))
    const unknown =
      known && Object.keys(await jsonBody(request)).find((name) => !(known.fields as readonly string[]).includes(name))
    return unknown === undefined ? fetch(request) : refusal(`unknown field ${unknown}`)
  }
}

function isDocumented({ method, url }: Request): boolean {
  const { pathname } = new URL(url)
  if (method === 'GET')
    return /^\/threads(\/[^/]+\/(state|runs(\/[^/]+(\/join)?)?))?$|^\/assistants\/[^/]+$/.test(pathname)
  return method === 'POST' && /^\/threads(\/[^/]+\/runs(\/stream)?)?$|^\/assistants(\/search)?$/.test(pathname)
}

function threadList(respond: (response: Response) => Response | Promise<Response>): Wrap {
  return responses((response, request) =>
    response.ok && matchesRoute(request, { method: 'GET', path: '/threads' }) ? respond(response) : response,
  )
}

/** Refuses messages with other roles and fields, and inputs with other keys. */
function usualMessagesOnly(fetch: Parameters<Wrap>[0]): ReturnType<Wrap> {
  return async (request) => {
    if (!matchesRoute(request, createRun) && !matchesRoute(request, streamRun)) return fetch(request)
    const { input = {} } = await jsonBody(request)
    const messages = [Object(input).messages ?? []].flat()
    const isUsual =
      Object.keys(Object(input)).every((key) => key === 'messages') &&
      messages.every((message) => {
        const { role, content, ...others } = Object(message)
        return ['user', 'human'].includes(role) && typeof content === 'string' && Object.keys(others).length === 0
      })
    return isUsual ? fetch(request) : refusal('expected messages with role and content')
  }
}
