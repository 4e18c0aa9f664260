import { isDeepStrictEqual } from 'node:util'
import { stateTable } from '../../catalog/deployment/state.ts'
import { isObject, isUuid } from '../../catalog/facts.ts'
import { checkedEarliestEnd, stateReads } from '../../model/bounds.ts'
import { conversations, foreignTexts, hasUniqueText, showsLatest } from '../../model/conversations.ts'
import { type DeploymentModel, keyOf, threadOf, threadStates } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import { hasTestGraphs } from '../../model/graphs.ts'
import { createRun } from '../../model/operations.ts'
import { finalStatus, hadEnded, writtenStates } from '../../model/run-ends.ts'
import { behaviorOf, inputText, mayHoldResults } from '../../model/test-graphs.ts'
import { at, listAt, show } from '../../values/json.ts'
import { messageTexts } from '../../values/messages.ts'
import { hasFieldOf, responds } from '../common.ts'
import { failureOf, type ItemOf, mismatch, type Rule, rule, rules, verify, verifyNone } from '../rule.ts'
import { inputFailure } from './messages.ts'
import { effectFailure, wrongGraph } from './service.ts'
import { lockoutFailure } from './threads.ts'

/** Reads of the states of threads after a run has succeeded: one that fails or is interrupted may leave no checkpoint. */
function* reads(model: DeploymentModel) {
  for (const exchange of model.attempts('GET /threads/{thread_id}/state')) {
    const thread = threadOf(model, exchange)
    if (thread === undefined || thread.hasUnknownEffects || !thread.isPrivate) continue
    if (!thread.runs.some((run) => hadEnded(run, exchange.sentAt) && finalStatus(run) === 'success')) continue
    yield { exchange, thread, setup: [thread.creation, ...thread.runCreations] }
  }
}

/** States of threads on which a run has succeeded, and of threads on which none was requested. */
function* statesOfThreads(model: DeploymentModel) {
  yield* select(model, reads)
  for (const { exchange, thread } of select(model, threadStates)) {
    if (thread.creation === undefined || thread.hasUnknownEffects || !thread.isPrivate) continue
    const isFresh = thread.creation.endedAt <= exchange.sentAt && thread.runCreations.length === 0
    if (isFresh) yield { exchange, thread, setup: [thread.creation] }
  }
}

/** States after a later run whose messages differ from those of the state before, with the `checkpoint_id` of both. */
function* changedStates(model: DeploymentModel) {
  for (const { exchange, setup, turns, texts, before } of select(model, conversations)) {
    // Results that arrive late are a requirement of their own.
    if (before === undefined || before.turns.length === turns.length) continue
    if (isDeepStrictEqual(texts, before.texts)) continue
    const ids = [before.exchange, exchange].map(({ json }) => at(json, 'checkpoint_id'))
    yield { exchange, setup: [...setup, before.exchange], ids }
  }
}

/** States with the ids of their checkpoint and of its parent. */
function* parents(model: DeploymentModel) {
  for (const read of select(model, reads)) {
    const ids = ['checkpoint_id', 'parent_checkpoint_id'].map((name) => at(read.exchange.json, name))
    // The first checkpoint has no parent; other types fail requirements of their own.
    if (!read.exchange.accepted || !isObject(read.exchange.json)) continue
    if (ids[0] === undefined || ids.every((id) => typeof id === 'string')) yield { ...read, ids }
  }
}

/** States with their parent, and the state of another thread with that checkpoint if there is one. */
function* foreignParents(model: DeploymentModel) {
  const shown = Map.groupBy(select(model, threadStates), ({ exchange }) => at(exchange.json, 'checkpoint_id'))
  for (const { thread, ids, setup, ...read } of select(model, parents)) {
    const [, parent] = ids
    const same = shown.get(parent) ?? []
    // Other ids than UUIDs, and one of two threads, identify a checkpoint only together with its thread.
    const isUnique = isUuid(parent) && new Set(same.map((each) => each.thread)).size === 1
    const other = isUnique ? same.find((each) => each.thread !== thread) : undefined
    yield { ...read, setup: [other?.thread.creation, other?.exchange, ...setup], parent, other: other?.thread.id }
  }
}

/** States after the latest run has succeeded, each with the last one that was read before that run can have ended. */
function* laterStates(model: DeploymentModel) {
  // Another graph may store nothing.
  if (!hasTestGraphs(model)) return
  for (const { exchange, writer, thread } of select(model, writtenStates)) {
    // A run without messages may change nothing.
    const hasInput = inputText(writer.creation.request) !== undefined
    if (!hasInput || !thread.isPrivate || finalStatus(writer) !== 'success') continue
    // What streams and runs after one that failed store has requirements of its own.
    const isUsual =
      writer.creation.operation === createRun && thread.runs.every((run) => finalStatus(run) === 'success')
    const bound = checkedEarliestEnd(model, writer) ?? writer.creation.sentAt
    const earlier = stateReads(writer).findLast(({ endedAt }) => endedAt <= bound)
    if (earlier !== undefined) yield { exchange, setup: [thread.creation, writer.creation, earlier], earlier, isUsual }
  }
}

/** Names of nodes in the `writes` of a state, without those that the graph framework adds. */
function namesIn(state: unknown): readonly string[] {
  const written = at(state, 'metadata', 'writes')
  return isObject(written) ? Object.keys(written).filter((name) => !name.startsWith('__')) : []
}

/** Names of nodes in the `writes` of states of threads with one run, because a later state may not show them. */
function* writesOfSingleRuns(model: DeploymentModel) {
  for (const run of model.runs.values()) {
    const { thread, creation } = run
    const graph = behaviorOf(model, run)
    if (graph === undefined || thread.hasUnknownEffects || !thread.isPrivate) continue
    if (thread.runCreations.length > 1 || thread.mayHaveOtherRuns) continue
    const outputs = graph.prefixes.map((prefix) => `${prefix}${inputText(creation.request)}`)
    for (const exchange of thread.exchanges.filter(({ accepted, method }) => accepted && method === 'GET')) {
      const names = namesIn(exchange.json)
      // A graph that was not requested fails another requirement.
      if (names.length > 0 && messageTexts(exchange.json).some((text) => outputs.includes(text)))
        yield { exchange, setup: [thread.creation, creation], names, isMissing: false, nodes: graph.nodes }
    }
  }
}

/** Names of nodes in the `writes` of states that name the latest run, which succeeded after another one was interrupted. */
function* writesAfterInterruptions(model: DeploymentModel) {
  for (const { exchange, thread } of select(model, threadStates)) {
    const runs = thread.runCreations.filter(({ sentAt }) => sentAt < exchange.endedAt).map(thread.runOf)
    const [latest, names] = [runs.at(-1), namesIn(exchange.json)]
    const isIdle = runs.every((run) => run !== undefined && hadEnded(run, exchange.sentAt))
    if (latest === undefined || !isIdle || !thread.isPrivate || thread.hasUnknownEffects) continue
    const [graph, statuses] = [behaviorOf(model, latest), runs.map((run) => run && finalStatus(run))]
    const isAfter = statuses.at(-1) === 'success' && statuses.includes('interrupted')
    const isNamed = keyOf(at(exchange.json, 'metadata', 'run_id')) === keyOf(latest.id)
    if (graph === undefined || names.length === 0 || !isAfter || !isNamed) continue
    // If the results are missing, another requirement fails.
    if (!mayHoldResults(model, latest, exchange.json)) continue
    const setup = [thread.creation, ...runs.map((run) => run?.creation)]
    yield { exchange, setup, names, isMissing: false, nodes: graph.nodes }
  }
}

/** Names of nodes in the `writes` of states after runs of test graphs. */
function* writes(model: DeploymentModel) {
  yield* select(model, writesOfSingleRuns)
  yield* select(model, writesAfterInterruptions)
  for (const conversation of select(model, conversations)) {
    const { exchange, setup, latest } = conversation
    if (wrongGraph(conversation, model) !== undefined) continue
    const written = at(exchange.json, 'metadata', 'writes')
    const isMissing = written === undefined && isObject(at(exchange.json, 'metadata'))
    const names = namesIn(exchange.json)
    if (latest.graph !== undefined && latest.outputs.length > 0 && (isMissing || names.length > 0))
      yield { exchange, setup, names, isMissing, nodes: latest.graph.nodes }
  }
}

type LaterState = ItemOf<typeof laterStates>

function laterRule(when: (state: LaterState, model: DeploymentModel) => boolean): Rule<DeploymentModel> {
  return rule('state.get.latest', {
    each: laterStates,
    when,
    evaluate(state, model) {
      const { exchange, earlier } = state
      const isOther = !isDeepStrictEqual(exchange.json, earlier.json)
      const received = `the same as ${Math.round(exchange.sentAt - earlier.sentAt)} ms earlier, before the run had ended`
      return (
        effectFailure(state, model) ??
        verify(isOther, 'the state after a run has ended', 'another one than before', received)
      )
    },
  })
}

const usualFailure = failureOf([laterRule(({ isUsual }) => isUsual)])

/** Rules that find states from before the end of a run. */
export const latestRules: readonly Rule<DeploymentModel>[] = [
  rule('state.get.latest', {
    each: conversations,
    when: (conversation) =>
      conversation.turns.length > 1 && hasUniqueText(conversation) && showsLatest(conversation) !== undefined,
    evaluate: (conversation, model) => {
      if (showsLatest(conversation)) return undefined
      const expected = `a message of the latest run, ${show(conversation.latest.input)}`
      return (
        inputFailure(conversation, model) ??
        mismatch('the state after several runs', expected, show(conversation.texts))
      )
    },
  }),
  // Also before the first run, and for states without messages.
  laterRule((state, model) => state.isUsual || usualFailure(state, model) !== undefined),
]

/** Rules about the states of threads. */
export const stateRules: readonly Rule<DeploymentModel>[] = [
  rule('state.get.answers-state', {
    each: reads,
    evaluate: (subject, model) =>
      lockoutFailure(subject, model) ?? responds(subject, 'a state', hasFieldOf(stateTable)),
  }),
  rule('state.get.that-thread', {
    each: statesOfThreads,
    // The texts of a graph that is not a test graph are unknown.
    when: ({ exchange }, model) => hasTestGraphs(model) && listAt(exchange.json, 'values', 'messages').length > 0,
    evaluate: ({ exchange, thread }, model) =>
      verifyNone(
        foreignTexts(model, thread, messageTexts(exchange.json)).map((text) => show(text)),
        'messages of other threads in a state',
      ),
  }),
  ...latestRules,
  rule('state.checkpoint-id.changes', {
    each: changedStates,
    evaluate({ ids }) {
      const [earlier, later] = ids
      if (ids.includes(undefined)) return 'state.fields.checkpoint_id.present'
      if (!ids.every((id) => typeof id === 'string')) return 'state.fields.checkpoint_id.type'
      const name = '`checkpoint_id` of a state that a run has changed'
      return verify(later !== earlier, name, 'another one than before', later)
    },
  }),
  rule('state.parent-checkpoint-id.other', {
    each: parents,
    evaluate: ({ ids: [own, parent] }) =>
      own === undefined
        ? 'state.fields.checkpoint_id.present'
        : verify(own !== parent, '`parent_checkpoint_id` of a state', 'another id than `checkpoint_id`', parent),
  }),
  ...rules(foreignParents, {
    'state.parent-checkpoint-id.own-thread': ({ parent, other }) =>
      verify(
        other === undefined,
        '`parent_checkpoint_id` of a state',
        'a checkpoint of its thread',
        `${parent}, the \`checkpoint_id\` of thread ${other}`,
      ),
  }),
  rule('state.metadata.writes.node-names', {
    each: writes,
    evaluate({ isMissing, names, nodes }) {
      if (isMissing) return 'state.metadata.writes.present'
      const areNodes = names.every((name) => nodes.includes(name))
      return verify(areNodes, 'the keys of `writes`', show(nodes), show(names))
    },
  }),
]
