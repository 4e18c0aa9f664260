import { isDeepStrictEqual } from 'node:util'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { earliestEndAlone, inTimeUntil, stateReads } from '../../model/bounds.ts'
import { type Conversation, conversations, showsLatest } from '../../model/conversations.ts'
import { type DeploymentModel, type Run, threadOf, threadStates } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { deployedGraphs, hasTestGraphs } from '../../model/graphs.ts'
import { createRun } from '../../model/operations.ts'
import { finalStatus, hadEnded, writerOf } from '../../model/run-ends.ts'
import { allPrefixes } from '../../model/test-graphs.ts'
import { at, listAt, show, textAt } from '../../values/json.ts'
import { textOf } from '../../values/messages.ts'
import { responds } from '../common.ts'
import { failureOf, type Rule, rule, type Subject, verify, verifyIncludes } from '../rule.ts'
import { formOf } from './forms.ts'
import { endRules, interruptedElsewhere } from './multitask-ends.ts'

const assistantOf = ({ creation }: Run): unknown => at(creation.request, 'assistant_id')

/** Returns the requirement that the latest run fails because it executed another graph than its request names. */
export function wrongGraph({ latest, texts }: Conversation, { endpoint }: DeploymentModel): RequirementId | undefined {
  const others = allPrefixes
    .filter((prefix) => !latest.graph?.prefixes.includes(prefix))
    .map((prefix) => `${prefix}${latest.input}`)
  if (latest.outputs.some((text) => texts.includes(text)) || !others.some((text) => texts.includes(text)))
    return undefined
  const isName = deployedGraphs(endpoint).includes(String(assistantOf(latest.run)))
  return isName ? 'service.graphs.by-name' : 'service.assistant.executes-its-graph'
}

/** Creates a rule: a run executes the graph that its request names. */
function graphRule(requirement: RequirementId, isByName: boolean): Rule<DeploymentModel> {
  return rule(requirement, {
    each: conversations,
    when: ({ latest, texts }, { endpoint }) =>
      texts.length > 0 &&
      latest.outputs.length > 0 &&
      deployedGraphs(endpoint).includes(String(assistantOf(latest.run))) === isByName,
    evaluate: (conversation, model) => {
      const { latest, texts, turns } = conversation
      const added = texts.filter((text) => turns.every(({ input }) => input !== text))
      const isRight = wrongGraph(conversation, model) === undefined
      return verifyIncludes(isRight, 'the messages that the graph of the run added', show(latest.outputs), show(added))
    },
  })
}

/** Requests for a run on an idle thread where a run of another assistant has succeeded. */
function* otherAssistants(model: DeploymentModel): Iterable<Subject> {
  for (const exchange of model.attempts(createRun)) {
    const thread = threadOf(model, exchange)
    if (thread === undefined || thread.hasUnknownEffects) continue
    const writes = thread.writes.filter(({ sentAt }) => sentAt < exchange.sentAt)
    const before = thread.runs.filter(({ creation }) => creation.sentAt < exchange.sentAt)
    const isIdle = before.every((run) => hadEnded(run, exchange.sentAt) && finalStatus(run) === 'success')
    const named = textAt(exchange.request, 'assistant_id')
    if (writes.length === before.length && isIdle && before.some((run) => assistantOf(run) !== named))
      yield { exchange, setup: [thread.creation, ...before.map(({ creation }) => creation)] }
  }
}

/** Whether a request with the same strategy that names an assistant in the same way is accepted on any thread. */
export function isAcceptedElsewhere(model: DeploymentModel, exchange: Exchange): boolean {
  return derive(model, acceptedForms).has(formWithoutRoles(model, exchange))
}

function acceptedForms(model: DeploymentModel): ReadonlySet<string> {
  return new Set(model.of(createRun).map((exchange) => formWithoutRoles(model, exchange)))
}

function formWithoutRoles(model: DeploymentModel, exchange: Exchange): string {
  const form = formOf(model, exchange)
  // A server may refuse an input with several messages.
  return Object.values({ ...form, roles: form.roles.includes(',') ? 'several' : '' }).join()
}

/** Conversations whose latest run has no message, after a run of another assistant that executed another graph. */
function* handedOver(model: DeploymentModel) {
  for (const conversation of select(model, conversations)) {
    const { turns, latest } = conversation
    const before = turns.at(-2)
    const hasNoMessage = listAt(latest.run.creation.request, 'input', 'messages').length === 0
    if (!hasNoMessage || before === undefined || before.outputs.length === 0 || latest.graph === undefined) continue
    const expected = `${latest.graph.prefixes[0]}${before.input}`
    // Without any message of the run, the state does not show the result of the run.
    const isShown = conversation.texts.at(-1)?.startsWith(String(latest.graph.prefixes[0]))
    if (isShown && !before.outputs.includes(expected)) yield { ...conversation, expected }
  }
}

/** A sleeping run, and a new run with another strategy on its thread. */
function* mixedRuns(model: DeploymentModel) {
  for (const thread of model.threads.values()) {
    const [active, next] = thread.runs
    if (active === undefined || next === undefined || thread.hasUnknownEffects || thread.runCreations.length > 2)
      continue
    const [old, strategy] = [active, next].map(({ creation }) => at(creation.request, 'multitask_strategy'))
    const isMixed = (old === 'enqueue' && strategy === 'interrupt') || (old === 'interrupt' && strategy === 'enqueue')
    const exchange = active.views.at(-1)?.exchange
    const haveEnded = stateReads(active).some((read) => hadEnded(active, read.sentAt) && hadEnded(next, read.sentAt))
    const bound = earliestEndAlone(model, active)
    const isInTime = bound !== undefined && next.creation.endedAt < inTimeUntil(active, bound)
    if (!isMixed || !isInTime || !haveEnded || exchange === undefined) continue
    const status = finalStatus(active)
    const setup = [thread.creation, active.creation, next.creation]
    yield { exchange, setup, run: active, old, strategy, status, isCut: status !== 'success' }
  }
}

/** States that were read during later runs, or after one that did not succeed, with the latest conversation before. */
function* withLaterRuns(model: DeploymentModel) {
  // A graph that is not a test graph may remove messages.
  if (!hasTestGraphs(model)) return
  const earlier = Map.groupBy(select(model, conversations), ({ thread }) => thread)
  for (const { exchange, thread } of select(model, threadStates)) {
    const before = earlier.get(thread)?.findLast((each) => each.exchange.endedAt <= exchange.sentAt)
    const later = thread.runs.filter(({ creation }) => creation.sentAt < exchange.endedAt)
    const isKnown = !thread.hasUnknownEffects && later.every(({ creation }) => creation.intent === 'documented')
    const isShown = Array.isArray(at(exchange.json, 'values', 'messages'))
    const isConversation =
      writerOf(thread, exchange) !== undefined && later.every((run) => finalStatus(run) === 'success')
    if (before === undefined || !isKnown || !isShown || isConversation || thread.creation?.caller !== exchange.caller)
      continue
    yield { exchange, setup: [...before.setup, before.exchange, later.at(-1)?.creation], before }
  }
}

const effectRule = rule('service.run.updates-state', {
  each: conversations,
  when: ({ turns, latest }) => turns.length === 1 && latest.outputs.length > 0,
  evaluate: ({ texts, exchange, latest }) => {
    // A state that was read before and has not changed since fails another requirement.
    const isRepeated = stateReads(latest.run).some(
      ({ id, json, endedAt }) =>
        id !== exchange.id && endedAt <= exchange.sentAt && isDeepStrictEqual(json, exchange.json),
    )
    if (texts.length === 0 && isRepeated) return false
    return verify(texts.length > 0, 'the messages after the first run', 'at least one', show(texts))
  },
})

/** Returns the requirement that fails because a run changes nothing, also in a state that nobody has read before. */
export const effectFailure = failureOf([effectRule])

const graphRules = [graphRule('service.graphs.by-name', true), graphRule('service.assistant.executes-its-graph', false)]

/** Returns the requirement that fails because a run executed another graph than its request names. */
export const graphFailure = failureOf(graphRules)

const endFailure = failureOf(
  endRules(['multitask.enqueue.earlier-succeeds', 'multitask.interrupt.earlier-interrupted']),
)

/** Rules about what the service does. */
export const serviceRules: readonly Rule<DeploymentModel>[] = [
  ...graphRules,
  effectRule,
  rule('service.thread.keeps-conversation', {
    each: conversations,
    when: (conversation) =>
      conversation.before !== undefined &&
      showsLatest(conversation) !== false &&
      conversation.turns.every(({ run }) => assistantOf(run) === assistantOf(conversation.latest.run)),
    evaluate: ({ texts, before }) => {
      const missing = (before?.texts ?? []).filter((text) => !texts.includes(text))
      const name = 'the messages after another run'
      return verifyIncludes(missing.length === 0, name, `all earlier ones, also ${show(missing)}`, texts)
    },
  }),
  rule('service.thread.keeps-conversation', {
    each: withLaterRuns,
    evaluate: ({ exchange, before }) => {
      const texts = listAt(exchange.json, 'values', 'messages').map(textOf)
      const missing = before.texts.filter((text) => !texts.includes(text))
      const name = 'the messages during a later run, or after one that did not succeed'
      return verifyIncludes(missing.length === 0, name, `all earlier ones, also ${show(missing)}`, show(texts))
    },
  }),
  rule('service.thread.accepts-other-assistant', {
    each: otherAssistants,
    // How soon a thread is idle after a run is unspecified.
    when: ({ exchange }, model) =>
      exchange.accepted ||
      (at(exchange.request, 'multitask_strategy') !== 'reject' && isAcceptedElsewhere(model, exchange)),
    evaluate: (subject) => responds(subject, 'a run of another assistant'),
  }),
  rule('service.thread.later-sees-state', {
    each: handedOver,
    evaluate(handover, model) {
      const { texts, expected } = handover
      const isShown = texts.includes(expected)
      return (
        graphFailure(handover, model) ?? verify(isShown, 'the messages after both runs', show(expected), show(texts))
      )
    },
  }),
  rule('service.multitask.new-run-decides', {
    each: mixedRuns,
    evaluate(runs, model) {
      const { old, strategy, status, isCut } = runs
      // A server that treats both strategies alike fails the requirement of one of them.
      const isAlike = select(model, mixedRuns).some((other) => other.strategy !== strategy && other.isCut === isCut)
      const name = `the status of a run with the strategy ${old}, after a run with the strategy ${strategy} was created,`
      const expected = strategy === 'interrupt' ? '"interrupted"' : '"success"'
      return (
        (isAlike ? endFailure(runs, model) : undefined) ??
        interruptedElsewhere(runs, model) ??
        verify(isCut === (strategy === 'interrupt'), name, expected, show(status))
      )
    },
  }),
]
