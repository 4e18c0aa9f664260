import { type MakeWay, multitask } from '../../../mock-server/deployment/multitask.ts'
import type { Run } from '../../../mock-server/deployment/records.ts'
import { emptyValues } from '../../../mock-server/graphs/values.ts'
import { defaultAssistantId } from '../../../mock-server/runtime/ids.ts'
import type { Mutant } from '../mutant.ts'
import { changeRequest, createRun, errorResponse, jsonBody, pathIds } from '../requests.ts'
import { changeResponse, respondInstead } from '../responses.ts'

const createAssistant = { method: 'POST', path: '/assistants' }

/** The strategy of the active run, which the mutant applies instead of that of the new run. */
function ofActive(own: MakeWay): MakeWay {
  return (inFlight) => {
    const [active] = inFlight.jobs as readonly { readonly run?: Run }[]
    const strategy = active?.run?.multitask_strategy
    const chosen = strategy === 'enqueue' || strategy === 'interrupt' ? multitask[strategy] : own
    chosen(inFlight)
  }
}

export const serviceMutants: readonly Mutant[] = [
  {
    id: 'service.graph-mixed-up',
    defect: 'the graph name chat executes the graph echo',
    requirements: ['service.graphs.by-name'],
    wrap: changeRequest(createRun, (body) =>
      body['assistant_id'] === 'chat' ? { ...body, assistant_id: 'echo' } : body,
    ),
  },
  {
    id: 'service.assistant-of-first-graph',
    defect: 'a created assistant of the graph chat executes the graph echo',
    requirements: ['service.assistant.executes-its-graph'],
    wrap: (fetch) => {
      const made = new Set<unknown>()
      const noting = changeResponse(createAssistant, (assistant) => {
        const { graph_id, assistant_id } = Object(assistant)
        if (graph_id === 'chat') made.add(assistant_id)
        return assistant
      })(fetch)
      return changeRequest(createRun, (body) =>
        made.has(body['assistant_id']) ? { ...body, assistant_id: 'echo' } : body,
      )(noting)
    },
  },
  {
    id: 'service.conversation-replaced',
    defect: 'the input of a run replaces the messages of earlier runs',
    requirements: ['service.thread.keeps-conversation'],
    alsoFails: { 'message.answer.stored': 'the outputs of the first run are lost' },
    policies: ({ reduceMessages }) => ({
      reduceMessages: (current, added) =>
        reduceMessages(added[0]?.type === 'human' ? emptyValues.messages : current, added),
    }),
  },
  {
    id: 'service.thread-bound',
    defect: 'a thread rejects runs of a second created assistant',
    requirements: ['service.thread.accepts-other-assistant'],
    wrap: (fetch) => {
      const bound = new Map<string, unknown>()
      return respondInstead(createRun, async (request, next) => {
        const { threadId } = pathIds(request)
        const { assistant_id } = await jsonBody(request)
        if (!/^[0-9a-f-]{36}$/.test(String(assistant_id))) return next(request)
        if (!bound.has(threadId)) bound.set(threadId, assistant_id)
        return bound.get(threadId) === assistant_id ? next(request) : errorResponse(409)
      })(fetch)
    },
  },
  {
    id: 'service.state-of-each-assistant',
    defect: 'a created assistant does not receive the messages of another one',
    requirements: ['service.thread.later-sees-state'],
    policies: ({ reduceMessages, saveCheckpoint }) => {
      let forget = false
      return {
        saveCheckpoint: (thread, checkpoint) => {
          const { source, assistant_id, graph_id } = checkpoint.metadata
          const last = thread.checkpoints.at(-1)?.metadata.assistant_id ?? assistant_id
          forget = source === 'input' && last !== assistant_id && assistant_id !== defaultAssistantId(graph_id)
          saveCheckpoint(thread, checkpoint)
        },
        reduceMessages: (current, added) => {
          const kept = forget ? emptyValues.messages : current
          forget = false
          return reduceMessages(kept, added)
        },
      }
    },
  },
  {
    id: 'service.run-without-effect',
    defect: 'the state of a thread does not change after its first run until the second one',
    requirements: ['service.run.updates-state'],
    alsoFails: {
      'state.metadata.writes.node-names': 'the state after a run is the state before it, which no node has written',
      'message.input.stored': 'the state of a first run holds no message',
      'message.answer.stored': 'the state of a first run holds no message',
      'message.tool.stored': 'the state of a first run holds no message',
    },
    policies: ({ stateView }) => ({
      stateView: (thread) => {
        const [first] = thread.checkpoints
        const view = stateView(thread)
        return view?.metadata.run_id === first?.metadata.run_id ? first : view
      },
    }),
  },
  {
    id: 'service.run-awaited',
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
  {
    id: 'service.active-run-decides',
    defect: 'the strategy of the active run applies instead of that of the new run',
    requirements: ['service.multitask.new-run-decides'],
    policies: () => ({
      multitask: {
        ...multitask,
        enqueue: ofActive(multitask.enqueue),
        interrupt: ofActive(multitask.interrupt),
      },
    }),
  },
]
