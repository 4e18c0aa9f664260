import { isObject } from '../../../suites/catalog/facts.ts'
import { at } from '../../../suites/values/json.ts'
import type { Wrap } from '../../wrappers/fetch.ts'
import {
  changeRequest,
  createRun,
  getRun,
  getState,
  jsonBody,
  pathIds,
  rejectRequest,
  streamRun,
} from '../../wrappers/requests.ts'
import { combine } from '../../wrappers/responses.ts'
import { changeAt, changeResponse, matchesRoute } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { changeMessages, type ShownMessage } from '../show-state.ts'
import { changeUpdateMessages, forStreamedRuns } from '../streams.ts'
import { messageOrderMutants } from './message-order.ts'

/** Returns the messages in the input of a run. */
function inputMessages(body: Readonly<Record<string, unknown>>): readonly ShownMessage[] {
  const messages = isObject(body['input']) ? body['input']['messages'] : undefined
  return Array.isArray(messages) ? (messages as ShownMessage[]).filter(isObject) : []
}

const hasRole = (role: string) => (body: Readonly<Record<string, unknown>>) =>
  inputMessages(body).some((message) => message['role'] === role)

/** Changes the role `user` of input messages to `assistant`. */
function userAsAssistant(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const messages = inputMessages(body).map((each) => (each['role'] === 'user' ? { ...each, role: 'assistant' } : each))
  return hasRole('user')(body) ? { ...body, input: { messages } } : body
}

/** Changes the content of stored messages of a type if it is a string. */
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

/** Changes the messages of threads whose run has an input with several messages. */
function changeSeveral(
  change: (messages: readonly ShownMessage[], inputs: readonly ShownMessage[]) => readonly ShownMessage[],
): Wrap {
  return (fetch) => {
    const several: (readonly ShownMessage[])[] = []
    const changed = changeMessages((messages) => {
      const inputs = several.find(([first]) => messages.some(({ content }) => content === first?.['content']))
      return inputs === undefined ? messages : change(messages, inputs)
    })(fetch)
    return async (request) => {
      const inputs = matchesRoute(request, createRun) ? inputMessages(await jsonBody(request)) : []
      if (inputs.length > 1) several.push(inputs)
      return changed(request)
    }
  }
}

/** Changes all messages, in states and in updates. */
function changeEach(change: (message: ShownMessage) => ShownMessage): Wrap {
  return combine(
    changeMessages((messages) => messages.map(change)),
    changeUpdateMessages(change),
  )
}

/** Changes the content of all messages, in states and in updates, except that of the graph `whoami`. */
function changeContents(change: (content: string) => string): Wrap {
  return changeEach((message) => {
    const { content } = message
    return typeof content === 'string' && !content.startsWith('{') ? { ...message, content: change(content) } : message
  })
}

function withoutArguments(call: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...call, args: {} }
}

function withDoubledUsage(message: ShownMessage): ShownMessage {
  const usage = message['usage_metadata']
  if (!isObject(usage)) return message
  const doubled = Object.entries(usage).map(([name, value]) => [name, 2 * Number(value)])
  return { ...message, usage_metadata: Object.fromEntries(doubled) }
}

/** Changes each message in states whose latest run was streamed. */
function changeMessagesOfStreamedRuns(change: (message: ShownMessage) => ShownMessage): Wrap {
  return forStreamedRuns((isStreamed) =>
    changeResponse(getState, (state) => {
      const runId = at(state, 'metadata', 'run_id')
      const changed = (messages: unknown) => (Array.isArray(messages) ? messages.map(change) : messages)
      return isStreamed(runId) ? changeAt(state, ['values', 'messages'], changed) : state
    }),
  )
}

const inputMutants: readonly Mutant[] = mutantsOf({
  'message.input.html-escaped': {
    defect: 'the characters <, > and & in messages are escaped as in HTML',
    requirements: ['message.input.content-kept'],
    wrap: changeContents((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
  },
  'message.input.normalized': {
    defect: 'the content of messages is normalized to NFC',
    requirements: ['message.input.unicode-kept'],
    wrap: changeContents((text) => text.normalize('NFC')),
  },
  'message.input.control-characters-lost': {
    defect: 'messages lack control characters other than line ends and tabs',
    requirements: ['message.input.content-kept'],
    alsoFails: {
      'stream.framing.text': 'the text of the event contains other control characters',
      'message.input.unicode-kept': 'the text contains a control character',
    },
    wrap: changeContents((text) => text.replaceAll(/(?![\n\t])\p{Cc}/gu, '')),
  },
  'message.input.entities-decoded': {
    defect: 'HTML entities in messages are decoded',
    requirements: ['message.input.content-kept'],
    wrap: changeContents((text) => text.replaceAll('&amp;', '&')),
  },
  'message.tool_call.without-arguments': {
    defect: 'tool calls have no arguments',
    requirements: ['message.tool_call.as-called'],
    wrap: changeEach((message) => {
      const calls = message['tool_calls']
      return Array.isArray(calls) ? { ...message, tool_calls: calls.map(withoutArguments) } : message
    }),
  },
  'message.tool_call.arguments-cut': {
    defect: 'texts in the arguments of tool calls are cut to 1,000 characters',
    requirements: ['message.tool_call.as-called'],
    wrap: changeEach((message) => {
      const cut = (_: string, value: unknown) => (typeof value === 'string' ? value.slice(0, 1000) : value)
      const calls = message['tool_calls']
      return calls === undefined ? message : { ...message, tool_calls: JSON.parse(JSON.stringify(calls, cut)) }
    }),
  },
  'message.ai.usage-doubled': {
    defect: 'the numbers in `usage_metadata` are counted twice',
    requirements: ['message.ai.usage_metadata.as-given'],
    wrap: changeEach(withDoubledUsage),
  },
  'message.ai.usage-doubled-in-streams': {
    defect: 'the numbers in `usage_metadata` of streamed runs are counted twice',
    requirements: ['message.ai.usage_metadata.as-given'],
    wrap: combine(changeUpdateMessages(withDoubledUsage), changeMessagesOfStreamedRuns(withDoubledUsage)),
  },
  'message.input.cut': {
    defect: 'only the first 65,535 characters of a message are kept',
    requirements: ['message.input.content-kept'],
    alsoFails: { 'stream.request.input': 'the response to a streamed input is cut, too' },
    wrap: changeContents((text) => text.slice(0, 65_535)),
  },
  'message.input.user-refused': {
    defect: 'input messages with the role user are rejected',
    requirements: ['message.input.user-accepted'],
    wrap: (fetch) => rejectRequest(streamRun, hasRole('user'))(rejectRequest(createRun, hasRole('user'))(fetch)),
  },
  'message.input.human-refused': {
    defect: 'input messages with the role human are rejected',
    requirements: ['message.input.human-accepted'],
    wrap: (fetch) => rejectRequest(streamRun, hasRole('human'))(rejectRequest(createRun, hasRole('human'))(fetch)),
  },
  'message.input.user-fails': {
    defect: 'runs with an input message of the role user fail',
    requirements: ['message.input.user-runs'],
    alsoFails: { 'run.get.current-status': 'lists show success' },
    wrap: changeResponse(getRun, (run) => {
      const { kwargs, status } = run as { kwargs: Record<string, unknown>; status: string }
      return hasRole('user')(kwargs) && status === 'success' ? { ...Object(run), status: 'error' } : run
    }),
  },
  'message.input.user-as-ai': {
    defect: 'input messages with the role user are stored with the type ai',
    requirements: ['message.input.user-stored-as-human'],
    alsoFails: { 'run.kwargs.input.given': 'kwargs contain the changed role' },
    wrap: changeRequest(createRun, userAsAssistant),
  },
  'message.input.user-kept-as-type': {
    defect: 'input messages with the role user are stored with the type user',
    requirements: ['message.input.user-stored-as-human'],
    wrap: (fetch) => {
      const contents = new Set<unknown>()
      const changed = changeMessages((messages) =>
        messages.map((message) => (contents.has(message['content']) ? { ...message, type: 'user' } : message)),
      )(fetch)
      return async (request) => {
        if (matchesRoute(request, createRun)) {
          for (const { role, content } of inputMessages(await jsonBody(request)))
            if (role === 'user') contents.add(content)
        }
        return changed(request)
      }
    },
  },
  'message.input.later-user-as-ai': {
    defect: 'later runs of a thread store input messages with the role user with the type ai',
    requirements: ['message.input.user-stored-as-human'],
    alsoFails: { 'run.kwargs.input.given': 'kwargs contain the changed role' },
    wrap: (fetch) => {
      const used = new Set<string>()
      return changeRequest(createRun, (body, request) => {
        const { threadId } = pathIds(request)
        if (used.has(threadId)) return userAsAssistant(body)
        used.add(threadId)
        return body
      })(fetch)
    },
  },
  'message.input.last-stored': {
    defect: 'only the last message of an input is stored',
    requirements: ['message.input.several-stored'],
    wrap: changeSeveral((messages, inputs) =>
      messages.filter(({ content }) => !inputs.slice(0, -1).some((input) => input['content'] === content)),
    ),
  },
  'message.input.last-of-stream': {
    defect: 'a streamed run stores only the last message of its input',
    requirements: ['message.input.several-stored'],
    alsoFails: { 'run.kwargs.input.given': 'kwargs contain the other input' },
    wrap: changeRequest(streamRun, (body) => {
      const messages = inputMessages(body)
      return messages.length > 1 ? { ...body, input: { messages: messages.slice(-1) } } : body
    }),
  },
  'message.input.stream-user-as-ai': {
    defect: 'streamed runs store input messages with the role user with the type ai',
    requirements: ['message.input.user-stored-as-human'],
    alsoFails: { 'run.kwargs.input.given': 'kwargs contain the changed role' },
    wrap: changeRequest(streamRun, userAsAssistant),
  },
  'message.input.stored-in-reverse': {
    defect: 'the messages of an input are stored in reverse order',
    requirements: ['message.input.several-stored'],
    wrap: changeSeveral((messages, inputs) => {
      const isInput = ({ content }: ShownMessage) => inputs.some((input) => input['content'] === content)
      return [...messages.filter(isInput).reverse(), ...messages.filter((message) => !isInput(message))]
    }),
  },
  'message.input.humans-first': {
    defect: 'the messages of an input with the role human are stored before those with the role user',
    requirements: ['message.input.several-stored'],
    wrap: changeSeveral((messages, inputs) => {
      const roleOf = ({ content }: ShownMessage) => inputs.find((input) => input['content'] === content)?.['role']
      const sorted = messages.filter(roleOf).sort((a, b) => (`${roleOf(a)}` < `${roleOf(b)}` ? -1 : 0))
      return messages.map((message) => (roleOf(message) ? (sorted.shift() ?? message) : message))
    }),
  },
  'message.input.equal-neighbors': {
    defect: 'of equal messages in a row, only the first is stored',
    requirements: ['message.input.several-stored'],
    wrap: changeSeveral((messages) =>
      messages.filter(({ content }, index) => content !== messages[index - 1]?.['content']),
    ),
  },
  'message.input.repeated-lost': {
    defect: 'an input message with the text of an earlier one is not stored',
    requirements: ['message.input.stored'],
    alsoFails: { 'multitask.enqueue.all-messages': 'a queue has the same input several times' },
    wrap: changeMessages((messages) =>
      messages.filter(
        (message, index) =>
          message['type'] !== 'human' ||
          messages.findIndex(({ type, content }) => type === 'human' && content === message['content']) === index,
      ),
    ),
  },
  'message.input.not-stored': {
    defect: 'the input message of a run is not stored',
    requirements: ['message.input.stored'],
    wrap: changeMessages((messages) => messages.filter(({ type }) => type !== 'human')),
  },
  'message.input.empty-not-stored': {
    defect: 'an empty input message is not stored',
    requirements: ['message.input.stored'],
    wrap: changeMessages((messages) => messages.filter(({ type, content }) => type !== 'human' || content !== '')),
  },
  'message.input.empty-null': {
    defect: 'the content of an empty input message is null',
    requirements: ['message.human.content.type'],
    wrap: changeMessages((messages) =>
      messages.map((message) =>
        message['type'] === 'human' && !message['content'] ? { ...message, content: null } : message,
      ),
    ),
  },
  'message.input.line-end-lost': {
    defect: 'the content of input messages loses a line break at its end',
    requirements: ['message.input.content-kept'],
    wrap: changeContent('human', (content) => content.replace(/\n$/, '')),
  },
  'message.input.byte-order-mark-lost': {
    defect: 'the content of input messages loses byte order marks',
    requirements: ['message.input.unicode-kept'],
    wrap: changeContent('human', (content) => content.replaceAll('\ufeff', '')),
  },
  'message.input.trimmed': {
    defect: 'the content of input messages is trimmed',
    requirements: ['message.input.content-kept'],
    alsoFails: { 'message.input.unicode-kept': 'an unusual text of a stream ends with white space' },
    wrap: changeContent('human', (content) => content.trim()),
  },
  'message.input.white-space-joined': {
    defect: 'repeated spaces in the content of input messages are collapsed',
    requirements: ['message.input.content-kept'],
    wrap: changeContent('human', (content) => content.replace(/ +/g, ' ')),
  },
  'message.input.lower-cased': {
    defect: 'the content of input messages is stored in lower case',
    requirements: ['message.input.content-kept'],
    wrap: changeContent('human', (content) => content.replace(/[A-Z]/g, (letter) => letter.toLowerCase())),
  },
  'message.input.ascii-only': {
    defect: 'non-ASCII characters are stored as question marks',
    requirements: ['message.input.unicode-kept'],
    wrap: changeContent('human', (content) => content.replace(/[^\p{ASCII}]/gu, '?')),
  },
  'message.input.bmp-only': {
    defect: 'stored messages lose characters outside the Basic Multilingual Plane',
    requirements: ['message.input.unicode-kept'],
    wrap: changeContent('human', (content) => content.replace(/[\u{10000}-\u{10ffff}]/gu, '')),
  },
  'message.input.wrong-encoding': {
    defect: 'the content of input messages is decoded as Latin-1',
    requirements: ['message.input.unicode-kept'],
    wrap: changeContent('human', (content) => String.fromCharCode(...new TextEncoder().encode(content))),
  },
  'message.input.first-line-only': {
    defect: 'the graph receives only the first line of a message',
    requirements: ['message.input.reaches-graph'],
    wrap: changeContent('ai', (content) => content.split('\n')[0] ?? ''),
  },
})

const outputMutants: readonly Mutant[] = mutantsOf({
  'message.answer.once': {
    defect: 'an output with the same content as an earlier message is not stored',
    requirements: ['message.answer.stored'],
    alsoFails: {
      'multitask.enqueue.all-messages': 'a queue has the same input several times',
      'stream.updates.id-as-stored': 'the stream shows a message that is not stored',
    },
    policies: ({ reduceMessages }) => ({
      reduceMessages: (current, added) => {
        const contents = new Set(current.toArray().map(({ type, content }) => JSON.stringify([type, content])))
        const isNew = ({ type, content }: (typeof added)[number]) =>
          type !== 'ai' || content === '' || !contents.has(JSON.stringify([type, content]))
        return reduceMessages(current, added.filter(isNew))
      },
    }),
  },
  'message.answer.white-space-joined': {
    defect: 'repeated spaces in outputs are collapsed',
    requirements: ['message.answer.content-kept'],
    wrap: changeContent('ai', (content) => content.replace(/ +/g, ' ')),
  },
  'message.answer.capitals-lost': {
    defect: 'outputs are stored in lower case',
    requirements: ['message.answer.content-kept'],
    wrap: changeContent('ai', (content) => content.replace(/: [A-Z]/g, (start) => start.toLowerCase())),
  },
  'message.no-others.input-twice': {
    defect: 'the input message of a run is stored twice',
    requirements: ['message.no-others'],
    policies: ({ reduceMessages }) => ({
      reduceMessages: (current, added) =>
        reduceMessages(
          current,
          added.flatMap((message) =>
            message.type === 'human' ? [message, { ...message, id: `${message.id}-again` }] : [message],
          ),
        ),
    }),
  },
  'message.no-others.greeting': {
    defect: 'the messages of a thread start with one that neither an input nor a graph has',
    requirements: ['message.no-others'],
    wrap: changeMessages(([first, ...others]) =>
      first === undefined ? [] : [{ ...first, id: `${first['id']}-greeting`, content: 'Hello!' }, first, ...others],
    ),
  },
  'message.tool.not-stored': {
    defect: 'tool messages are not stored',
    requirements: ['message.tool.stored'],
    alsoFails: { 'stream.updates.as-stored': 'updates contain the tool messages' },
    wrap: changeMessages((messages) => messages.filter(({ type }) => type !== 'tool')),
  },
})

export const messageMutants: readonly Mutant[] = [...inputMutants, ...outputMutants, ...messageOrderMutants]
