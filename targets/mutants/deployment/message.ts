import { isObject } from '../../../suites/catalog/facts.ts'
import type { Mutant } from '../mutant.ts'
import { changeRequest, createRun, getRun, jsonBody, rejectRequest } from '../requests.ts'
import { changeResponse, matchesRoute } from '../responses.ts'
import { changeMessages, type ShownMessage } from '../show-state.ts'
import { messageOrderMutants } from './message-order.ts'

const stream = { method: 'POST', path: '/threads/{thread_id}/runs/stream' }

/** The messages in the input of a run. */
function inputOf(body: Readonly<Record<string, unknown>>): readonly ShownMessage[] {
  const messages = isObject(body['input']) ? body['input']['messages'] : undefined
  return Array.isArray(messages) ? (messages as ShownMessage[]).filter(isObject) : []
}

const saidBy = (role: string) => (body: Readonly<Record<string, unknown>>) =>
  inputOf(body).some((message) => message['role'] === role)

/** Changes the content of stored messages of a type, where it is a string. */
function changeContent(type: 'human' | 'ai', change: (content: string) => string) {
  return changeMessages((messages) =>
    messages.map((message) => {
      const { content } = message
      return message['type'] === type && typeof content === 'string'
        ? { ...message, content: change(content) }
        : message
    }),
  )
}

const inputMutants: readonly Mutant[] = [
  {
    id: 'message.input.user-refused',
    defect: 'an input message with the role user is refused',
    requirements: ['message.input.user-accepted'],
    wrap: (fetch) => rejectRequest(stream, saidBy('user'))(rejectRequest(createRun, saidBy('user'))(fetch)),
  },
  {
    id: 'message.input.human-refused',
    defect: 'an input message with the role human is refused',
    requirements: ['message.input.human-accepted'],
    wrap: (fetch) => rejectRequest(stream, saidBy('human'))(rejectRequest(createRun, saidBy('human'))(fetch)),
  },
  {
    id: 'message.input.user-fails',
    defect: 'a run with an input message of the role user fails',
    requirements: ['message.input.user-runs'],
    wrap: changeResponse(getRun, (run) => {
      const { kwargs, status } = run as { kwargs: Record<string, unknown>; status: string }
      return saidBy('user')(kwargs) && status === 'success' ? { ...Object(run), status: 'error' } : run
    }),
  },
  {
    id: 'message.input.user-as-ai',
    defect: 'an input message with the role user is stored with the type ai',
    requirements: ['message.input.user-stored-as-human'],
    wrap: changeRequest(createRun, (body) => {
      const messages = inputOf(body).map((one) => (one['role'] === 'user' ? { ...one, role: 'assistant' } : one))
      return saidBy('user')(body) ? { ...body, input: { messages } } : body
    }),
  },
  {
    id: 'message.input.user-kept-as-type',
    defect: 'an input message with the role user is stored with the type user',
    requirements: ['message.input.user-stored-as-human'],
    wrap: (fetch) => {
      const said = new Set<unknown>()
      const shown = changeMessages((messages) =>
        messages.map((message) => (said.has(message['content']) ? { ...message, type: 'user' } : message)),
      )(fetch)
      return async (request) => {
        if (matchesRoute(request, createRun)) {
          for (const { role, content } of inputOf(await jsonBody(request))) if (role === 'user') said.add(content)
        }
        return shown(request)
      }
    },
  },
  {
    id: 'message.input.not-stored',
    defect: 'the input message of a run is not stored',
    requirements: ['message.input.stored'],
    wrap: changeMessages((messages) => messages.filter(({ type }) => type !== 'human')),
  },
  {
    id: 'message.input.trimmed',
    defect: 'white space round the content of an input message is lost',
    requirements: ['message.input.content-kept'],
    wrap: changeContent('human', (content) => content.trim()),
  },
  {
    id: 'message.input.white-space-joined',
    defect: 'several spaces in the content of an input message become one',
    requirements: ['message.input.content-kept'],
    wrap: changeContent('human', (content) => content.replace(/ +/g, ' ')),
  },
  {
    id: 'message.input.lower-cased',
    defect: 'the content of an input message is stored in lower case',
    requirements: ['message.input.content-kept'],
    wrap: changeContent('human', (content) => content.replace(/[A-Z]/g, (letter) => letter.toLowerCase())),
  },
  {
    id: 'message.input.ascii-only',
    defect: 'characters beyond ASCII are stored as question marks',
    requirements: ['message.input.unicode-kept'],
    wrap: changeContent('human', (content) => content.replace(/[^\p{ASCII}]/gu, '?')),
  },
  {
    id: 'message.input.bmp-only',
    defect: 'characters outside the basic plane are lost when a message is stored',
    requirements: ['message.input.unicode-kept'],
    wrap: changeContent('human', (content) => content.replace(/[\u{10000}-\u{10ffff}]/gu, '')),
  },
  {
    id: 'message.input.wrong-encoding',
    defect: 'the content of an input message is read as Latin-1',
    requirements: ['message.input.unicode-kept'],
    wrap: changeContent('human', (content) => String.fromCharCode(...new TextEncoder().encode(content))),
  },
  {
    id: 'message.input.first-line-only',
    defect: 'the graph works on the first line of a message only',
    requirements: ['message.input.reaches-graph'],
    wrap: changeContent('ai', (content) => content.split('\n')[0] ?? ''),
  },
]

const answerMutants: readonly Mutant[] = [
  {
    id: 'message.answer.once',
    defect: 'an answer that says the same as an earlier message is not stored again',
    requirements: ['message.answer.stored'],
    policies: ({ reduceMessages }) => ({
      reduceMessages: (current, added) => {
        const said = new Set(current.toArray().map(({ type, content }) => JSON.stringify([type, content])))
        const isNew = ({ type, content }: (typeof added)[number]) =>
          type !== 'ai' || content === '' || !said.has(JSON.stringify([type, content]))
        return reduceMessages(current, added.filter(isNew))
      },
    }),
  },
  {
    id: 'message.answer.white-space-joined',
    defect: 'several spaces in an answer become one',
    requirements: ['message.answer.content-kept'],
    wrap: changeContent('ai', (content) => content.replace(/ +/g, ' ')),
  },
  {
    id: 'message.answer.capitals-lost',
    defect: 'answers are stored in lower case',
    requirements: ['message.answer.content-kept'],
    wrap: changeContent('ai', (content) => content.replace(/: [A-Z]/g, (start) => start.toLowerCase())),
  },
  {
    id: 'message.tool.not-stored',
    defect: 'messages of tools are not stored',
    requirements: ['message.tool.stored'],
    wrap: changeMessages((messages) => messages.filter(({ type }) => type !== 'tool')),
  },
]

export const messageMutants: readonly Mutant[] = [...inputMutants, ...answerMutants, ...messageOrderMutants]
