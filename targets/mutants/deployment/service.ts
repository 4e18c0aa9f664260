import { type ApplyStrategy, multitask } from '../../../mock-server/deployment/multitask.ts'
import type { Run } from '../../../mock-server/deployment/records.ts'
import { emptyValues } from '../../../mock-server/graphs/values.ts'
import { defaultAssistantId } from '../../../mock-server/runtime/ids.ts'
import { changeRequest, createRun, errorResponse, jsonBody, pathIds } from '../../wrappers/requests.ts'
import { changeAt, changeResponse, respondInstead } from '../../wrappers/routes.ts'
import { type Mutant, mutantsOf } from '../mutant.ts'
import { changeMessages, messagesIn, showState } from '../show-state.ts'

const createAssistant = { method: 'POST', path: '/assistants' }

/** The strategy of the active run, which the mutant applies instead of that of the new run. */
function withActiveStrategy(defaultStrategy: ApplyStrategy): ApplyStrategy {
  return (inFlight) => {
    const [active] = inFlight.jobs as readonly { readonly run?: Run }[]
    const strategy = active?.run?.multitask_strategy
    const apply = strategy === 'enqueue' || strategy === 'interrupt' ? multitask[strategy] : defaultStrategy
    apply(inFlight)
  }
}

export const serviceMutants: readonly Mutant[] = mutantsOf({
  'service.graph-mixed-up': {
    defect: 'the graph name chat executes the graph echo',
    requirements: ['service.graphs.by-name'],
    alsoFails: {
      'assistant.name.run-of-default': 'the run has the id of the default assistant of another graph',
      'run.kwargs.config.configurable.graph_id.own': 'the config names the graph that runs',
    },
    wrap: changeRequest(createRun, (body) =>
      body['assistant_id'] === 'chat' ? { ...body, assistant_id: 'echo' } : body,
    ),
  },
  'service.assistant-of-first-graph': {
    defect: 'a created assistant of the graph chat executes the graph echo',
    requirements: ['service.assistant.executes-its-graph'],
    alsoFails: { 'run.fields.assistant_id.executes': 'the run has the id of another assistant' },
    wrap: (fetch) => {
      const created = new Set<unknown>()
      const recording = changeResponse(createAssistant, (assistant) => {
        const { graph_id, assistant_id } = Object(assistant)
        if (graph_id === 'chat') created.add(assistant_id)
        return assistant
      })(fetch)
      return changeRequest(createRun, (body) =>
        created.has(body['assistant_id']) ? { ...body, assistant_id: 'echo' } : body,
      )(recording)
    },
  },
  'service.conversation-replaced': {
    defect: 'the input of a run replaces the messages of earlier runs',
    requirements: ['service.thread.keeps-conversation'],
    alsoFails: {
      'message.input.stored': 'of two equal inputs, only the second one is stored',
      'message.answer.stored': 'the outputs of the first run are lost',
    },
    policies: ({ reduceMessages }) => ({
      reduceMessages: (current, added) =>
        reduceMessages(added[0]?.type === 'human' ? emptyValues.messages : current, added),
    }),
  },
  'service.conversation-cut': {
    defect: 'a state contains only the newest 50 messages',
    requirements: ['service.thread.keeps-conversation'],
    alsoFails: {
      'multitask.enqueue.used-thread.order': 'a queue on a used thread has more than 50 messages',
      'message.input.several-stored': 'an input has more than 50 messages',
    },
    wrap: changeMessages((messages) => messages.slice(-50)),
  },
  'service.conversation-hidden': {
    defect: 'while a run executes, the state contains only the messages of that run',
    requirements: ['service.thread.keeps-conversation'],
    policies: showState((show) => (thread) => {
      const state = show(thread)
      const messages = messagesIn(state)
      const own = messages.findLastIndex((message) => Object(message).type === 'human')
      const isHidden = thread.status === 'busy' && thread.runs.size > 1
      return isHidden ? changeAt(state, ['values', 'messages'], () => messages.slice(own)) : state
    }),
  },
  'service.conversation-lost-to-failure': {
    defect: 'a run that fails removes the messages of earlier runs from the state',
    requirements: ['service.thread.keeps-conversation'],
    alsoFails: { 'multitask.enqueue.earlier-outputs': 'a failing run is queued behind another one' },
    policies: showState((show) => (thread) => {
      const state = show(thread)
      const hasFailed = [...thread.runs.values()].at(-1)?.status === 'error'
      return hasFailed ? changeAt(state, ['values', 'messages'], () => messagesIn(state).slice(-2)) : state
    }),
  },
  'service.thread-bound': {
    defect: 'a thread rejects runs of a second created assistant',
    requirements: ['service.thread.accepts-other-assistant'],
    alsoFails: {
      'multitask.interrupt.accepted': 'runs of several assistants interrupt each other',
      'multitask.enqueue.accepted': 'the queue has runs of several assistants',
    },
    wrap: (fetch) => {
      const assistants = new Map<string, unknown>()
      return respondInstead(createRun, async (request, next) => {
        const { threadId } = pathIds(request)
        const { assistant_id } = await jsonBody(request)
        if (!/^[0-9a-f-]{36}$/.test(String(assistant_id))) return next(request)
        if (!assistants.has(threadId)) assistants.set(threadId, assistant_id)
        return assistants.get(threadId) === assistant_id ? next(request) : errorResponse(409)
      })(fetch)
    },
  },
  'service.state-of-each-assistant': {
    defect: 'a created assistant does not receive the messages of another one',
    requirements: ['service.thread.later-sees-state'],
    alsoFails: {
      'multitask.interrupt.partial-outputs-stay': 'the interrupted run may be one of another assistant',
      'multitask.enqueue.used-thread.order': 'the queue has runs of another assistant',
      'service.thread.keeps-conversation': 'a later state has no messages of another assistant',
    },
    policies: ({ reduceMessages, saveCheckpoint }) => {
      let reset = false
      return {
        saveCheckpoint: (thread, checkpoint) => {
          const { source, assistant_id, graph_id } = checkpoint.metadata
          const last = thread.checkpoints.at(-1)?.metadata.assistant_id ?? assistant_id
          reset = source === 'input' && last !== assistant_id && assistant_id !== defaultAssistantId(graph_id)
          saveCheckpoint(thread, checkpoint)
        },
        reduceMessages: (current, added) => {
          const messages = reset ? emptyValues.messages : current
          reset = false
          return reduceMessages(messages, added)
        },
      }
    },
  },
  'service.run-without-effect': {
    defect: 'the state of a thread does not change after its first run until the second one',
    requirements: ['service.run.updates-state'],
    alsoFails: {
      'run.status.results-in-state': 'a run follows one that failed',
      'state.metadata.writes.node-names': 'the state after a run is the state before it, which no node has written',
      'message.input.stored': 'the state after the first run has no messages',
      'message.answer.stored': 'the state after the first run has no messages',
      'message.tool.stored': 'the state after the first run has no messages',
    },
    policies: ({ stateView }) => ({
      stateView: (thread) => {
        const [first] = thread.checkpoints
        const view = stateView(thread)
        return view?.metadata.run_id === first?.metadata.run_id ? first : view
      },
    }),
  },
  'service.run-awaited': {
    defect: 'run creation responds only when the run has ended',
    requirements: ['service.background.returns-at-once'],
    alsoFails: { 'multitask.enqueue.answered-at-once': 'the creation of a queued run waits too' },
    wrap: (fetch) =>
      respondInstead(createRun, async (request, next) => {
        const { url, headers } = request
        const response = await next(request)
        if (!response.ok) return response
        const { run_id } = (await response.clone().json()) as { run_id: string }
        await next(new Request(`${url}/${run_id}/join`, { headers }))
        return response
      })(fetch),
  },
  'service.active-run-decides': {
    defect: 'the strategy of the active run applies instead of that of the new run',
    requirements: ['service.multitask.new-run-decides'],
    policies: () => ({
      multitask: {
        ...multitask,
        enqueue: withActiveStrategy(multitask.enqueue),
        interrupt: withActiveStrategy(multitask.interrupt),
      },
    }),
  },
})
