import type { Policies } from '../../../mock-server/deployment/policies.ts'
import type { Thread } from '../../../mock-server/deployment/records.ts'
import { changeAt } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { changeMessages, messagesIn, type ShownMessage, showState } from '../show-state.ts'

/** Changes the order of messages on some threads. */
function reorder(
  test: (thread: Thread) => boolean,
  order: (messages: readonly ShownMessage[], thread: Thread) => readonly ShownMessage[],
): (defaults: Policies) => Partial<Policies> {
  return showState((show) => (thread) => {
    const state = show(thread)
    if (test(thread)) changeAt(state, ['values', 'messages'], () => order(messagesIn(state), thread))
    return state
  })
}

const ranOnce = ({ runs, status }: Thread): boolean => runs.size === 1 && status === 'idle'

/** The number of messages of a thread when its newest run started; undefined if its runs overlapped. */
function messagesBefore({ runs, checkpoints, status }: Thread): number | undefined {
  const [newest, ...earlier] = runs.newestFirst()
  const isLater = earlier.every((run) => newest !== undefined && run.updated_at <= newest.created_at)
  if (status !== 'idle' || newest === undefined || earlier.length === 0 || !isLater) return undefined
  return checkpoints.findLast(({ metadata }) => metadata.run_id !== newest.run_id)?.values.messages.length
}

/** Changes messages of the type that were stored before the newest input. */
function changeEarlier(type: 'ai' | 'tool', change: Readonly<Record<string, unknown>>) {
  return changeMessages((messages) => {
    const newest = messages.findLastIndex((message) => message['type'] === 'human')
    return messages.map((message, index) =>
      message['type'] === type && index < newest ? { ...message, ...change } : message,
    )
  })
}

export const messageOrderMutants: readonly Mutant[] = mutantsOf({
  'message.kept.usage-lost': {
    defect: 'messages of the type ai lose `usage_metadata` when a later run has begun',
    requirements: ['message.kept'],
    wrap: changeEarlier('ai', { usage_metadata: null }),
  },
  'message.kept.artifact-lost': {
    defect: 'messages of the type tool lose `artifact` when a later run has begun',
    requirements: ['message.kept'],
    wrap: changeEarlier('tool', { artifact: null }),
  },
  'message.input.without-tags': {
    defect: 'HTML tags are removed from messages',
    requirements: ['message.input.content-kept'],
    wrap: changeMessages((messages) =>
      messages.map((message) => {
        const { content } = message
        return typeof content === 'string' ? { ...message, content: content.replaceAll(/<\/?\w+>/g, '') } : message
      }),
    ),
  },
  'message.input.only-fifty': {
    defect: 'of an input with more than 50 messages, only the first 50 are stored',
    requirements: ['message.input.several-stored'],
    policies: ({ reduceMessages }) => ({
      reduceMessages: (current, added) => reduceMessages(current, added.slice(0, 50)),
    }),
  },
  'message.order.tool-before-its-call': {
    defect: 'the message of a tool is stored before the message with its call',
    requirements: ['message.order.of-nodes'],
    alsoFails: { 'message.tool.tool_call_id.same': 'no earlier message contains the call' },
    wrap: changeMessages((messages) =>
      messages.map((message, index) => {
        const [before, after] = [messages[index - 1], messages[index + 1]]
        if (message['type'] === 'tool' && before?.['type'] === 'ai') return before
        return message['type'] === 'ai' && after?.['type'] === 'tool' ? after : message
      }),
    ),
  },
  'message.tool.id-of-first-call': {
    defect: 'all tool messages of a thread respond to its first tool call',
    requirements: ['message.tool.tool_call_id.same'],
    wrap: changeMessages((messages) => {
      const [call] = messages.flatMap(({ tool_calls: calls }) => (Array.isArray(calls) ? calls : []))
      return messages.map((message) =>
        message['type'] === 'tool' ? { ...message, tool_call_id: Object(call)['id'] } : message,
      )
    }),
  },
  'message.order.later-inputs-reversed': {
    defect: 'the messages of the input of a later run are in reverse order',
    requirements: ['message.input.several-stored'],
    wrap: changeMessages((messages) => {
      const isHuman = (index: number) => messages[index]?.['type'] === 'human'
      const first = messages.findIndex((_, index) => !isHuman(index))
      const inputs = messages.filter(
        (_, index) => index > first && isHuman(index) && (isHuman(index - 1) || isHuman(index + 1)),
      )
      const reversed = inputs.toReversed()
      return messages.map((message) => reversed[inputs.indexOf(message)] ?? message)
    }),
  },
  'message.order.input-last': {
    defect: 'the input of the first run of a thread comes after its outputs',
    requirements: ['message.order.input-first'],
    policies: reorder(ranOnce, (messages) => [...messages].sort((a, b) => rank(a) - rank(b))),
  },
  'message.order.nodes-reversed': {
    defect: 'the outputs of the first run of a thread are in reverse order',
    requirements: ['message.order.of-nodes'],
    policies: reorder(ranOnce, (messages) => [
      ...messages.filter((message) => rank(message) === 1),
      ...messages.filter((message) => rank(message) === 0).reverse(),
    ]),
  },
  'message.order.newest-run-first': {
    defect: 'the messages of a run on an idle thread come before those of earlier runs',
    requirements: ['message.order.of-runs'],
    policies: reorder(
      (thread) => messagesBefore(thread) !== undefined,
      (messages, thread) => {
        const before = messagesBefore(thread)
        return [...messages.slice(before), ...messages.slice(0, before)]
      },
    ),
  },
  'message.id.from-content': {
    defect: 'messages with the same content have the same id',
    requirements: ['message.id.distinct'],
    alsoFails: { 'stream.updates.id-as-stored': 'the stream has the ids before the change' },
    wrap: changeMessages((messages) =>
      messages.map((message) => ({ ...message, id: `${message['type']}-${message['content']}` })),
    ),
  },
  'message.id.counted-a-run': {
    defect: 'every run numbers its message ids from the start',
    requirements: ['message.id.distinct'],
    alsoFails: { 'stream.updates.id-as-stored': 'the stream has the ids before the change' },
    wrap: changeMessages((messages) => {
      let position = 0
      return messages.map((message) => {
        position = message['type'] === 'human' ? 0 : position + 1
        return { ...message, id: `message-${position}` }
      })
    }),
  },
})

function rank({ type }: ShownMessage): number {
  return type === 'human' ? 1 : 0
}
