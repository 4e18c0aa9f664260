import { isObject } from '../../catalog/facts.ts'
import { mismatch, type Rule, rule } from '../../evaluate/rule.ts'
import { at, listAt, show } from '../../harness/json.ts'
import { textOf } from '../../harness/messages.ts'
import { conversations, hasUniqueText, showsLatest, sourcesOf } from '../../model/conversations.ts'
import { type DeploymentModel, keyOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import { isOver, isPrivate } from '../../model/quiet.ts'
import { inputText } from '../../model/test-graphs.ts'
import { responds } from '../common.ts'
import { wrongGraph } from './service.ts'

/** Reads of the states of threads after a run has ended. */
function* reads(model: DeploymentModel) {
  for (const exchange of model.attempts('GET /threads/{thread_id}/state')) {
    const thread = model.threads.get(keyOf(exchange.params['thread_id']) ?? '')
    if (thread === undefined || thread.tainted || !isPrivate(thread)) continue
    if (!thread.runs.some((run) => isOver(run, exchange.sentAt))) continue
    yield { exchange, thread, setup: [thread.created, ...thread.creations] }
  }
}

/** Names of nodes in the `writes` of states that runs of test graphs left. */
function* writes(model: DeploymentModel) {
  for (const conversation of select(model, conversations)) {
    const { exchange, setup, latest } = conversation
    if (wrongGraph(conversation, model) !== undefined) continue
    const written = at(exchange.json, 'metadata', 'writes')
    const isMissing = written === undefined && isObject(at(exchange.json, 'metadata'))
    const names = isObject(written) ? Object.keys(written).filter((name) => !name.startsWith('__')) : []
    if (latest.graph !== undefined && latest.outputs.length > 0 && (isMissing || names.length > 0))
      yield { exchange, setup, names, isMissing, nodes: latest.graph.nodes }
  }
}

/** Rules about the states of threads. */
export const stateRules: readonly Rule<DeploymentModel>[] = [
  rule('state.get.answers-state', {
    each: reads,
    holds: ({ exchange }) => responds(exchange, 'a state'),
  }),
  rule('state.get.that-thread', {
    each: reads,
    // Which texts a graph of the target's own produces is not known.
    when: ({ exchange }, { endpoint }) =>
      Object.keys(endpoint.graphs).length > 0 && listAt(exchange.json, 'values', 'messages').length > 0,
    holds({ exchange, thread }, model) {
      const texts = listAt(exchange.json, 'values', 'messages').map((message) => textOf(message) ?? '')
      const own = thread.creations.map(({ request }) => inputText(request)?.trim())
      // A text whose white space was changed still belongs to the thread.
      const foreign = texts.filter(
        (text) => sourcesOf(model, text)?.has(thread) === false && !own.includes(text.trim()),
      )
      return foreign.length === 0 ? undefined : mismatch('messages of other threads in a state', 'none', show(foreign))
    },
  }),
  rule('state.get.latest', {
    each: conversations,
    when: (conversation) =>
      conversation.turns.length > 1 && hasUniqueText(conversation) && showsLatest(conversation) !== undefined,
    holds: (conversation) => {
      if (showsLatest(conversation)) return undefined
      const expected = `a message of the latest run, ${show(conversation.latest.input)}`
      return mismatch('the state after several runs', expected, show(conversation.texts))
    },
  }),
  rule('state.metadata.writes.node-names', {
    each: writes,
    guard: ({ isMissing }) => (isMissing ? 'state.metadata.writes.present' : undefined),
    holds: ({ names, nodes }) =>
      names.every((name) => nodes.includes(name))
        ? undefined
        : mismatch('the keys of `writes`', show(nodes), show(names)),
  }),
]
