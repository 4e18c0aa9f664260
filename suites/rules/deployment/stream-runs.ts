import { isDeepStrictEqual } from 'node:util'
import { isUuid } from '../../catalog/facts.ts'
import { type DeploymentModel, keyOf, threadOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { createRun } from '../../model/operations.ts'
import { finalStatus, writtenStates } from '../../model/run-ends.ts'
import { type RunStream, showError, streamOf, streams } from '../../model/streams.ts'
import { inputRole, mayHoldResults, testGraphNodes } from '../../model/test-graphs.ts'
import { at, listAt, show } from '../../values/json.ts'
import { textOf } from '../../values/messages.ts'
import { isFinal } from '../../values/run-status.ts'
import { settlingMs } from '../../values/settling-time.ts'
import { freshIdRule, nameOf, type ShownObject, statusAndBody } from '../common.ts'
import { equal, failureOf, type ItemOf, type Rule, rule, rules, type Subject, verify, verifyIncludes } from '../rule.ts'
import { endsWithAll, storedRules, verifyUsage } from './messages.ts'
import { interruptedElsewhere } from './multitask-ends.ts'
import { listsStreamedRuns, smallList, smallLists } from './runs.ts'
import { ownTexts, ownUpdateRules, streamUpdateRules } from './stream-updates.ts'

/** When a stream showed that its run executes or has ended: with its first update, or with its end. */
function shownBy({ events, sentAt, endedAt }: Exchange): number {
  const update = events.find(({ event }) => event === 'updates')
  return update === undefined ? endedAt : sentAt + update.atMs
}

/** Lists of threads whose streamed runs execute or have ended, with the ids of the runs that they show and no request created. */
function* lists(model: DeploymentModel) {
  for (const exchange of model.of('GET /threads/{thread_id}/runs')) {
    const thread = threadOf(model, exchange)
    if (thread?.creation?.caller !== exchange.caller || thread.hasUnknownEffects || !Array.isArray(exchange.json))
      continue
    const creations = thread.runCreations.filter(({ sentAt }) => sentAt < exchange.endedAt)
    const streamed = creations.flatMap((creation) => streamOf(model, creation) ?? [])
    const created = creations.filter((creation) => creation.operation === createRun && creation.accepted)
    const createdIds = new Set(created.map(({ json }) => keyOf(at(json, 'run_id'))))
    const isKnown = streamed.length + created.length === creations.length && [...createdIds].every(isUuid)
    if (!isKnown || streamed.some((stream) => shownBy(stream.exchange) > exchange.sentAt)) continue
    // Runs of other threads, and one run listed twice, fail requirements of their own.
    const own = exchange.json.filter((run) => {
      const owner = keyOf(at(run, 'thread_id')) ?? ''
      return owner === thread.id || model.threads.get(owner)?.creation === undefined
    })
    const ids = new Set(own.map((run) => keyOf(at(run, 'run_id'))).filter((id) => !createdIds.has(id)))
    if (streamed.length === 0 || creations.length > smallList || ![...ids].every(isUuid)) continue
    const isSettled = streamed.every((stream) => shownBy(stream.exchange) <= exchange.sentAt - settlingMs)
    if (ids.size < streamed.length && !isSettled) continue
    const isMixed = created.length > 0
    yield { exchange, setup: [thread.creation, ...creations], streamed, isMixed, ids }
  }
}

/** Streams with the ids of a list that shows as many runs as were streamed. */
function* recordedStreams(model: DeploymentModel) {
  for (const { exchange, setup, streamed, ids } of select(model, lists)) {
    if (ids.size < streamed.length || !streamed.every(({ runId }) => isUuid(runId))) continue
    for (const stream of streamed) yield { ...stream, setup: [...setup, exchange], ids }
  }
}

/** Streams whose `run_id` is in a list of the runs of the thread. */
function* listedStreams(model: DeploymentModel): Iterable<RunStream & ShownObject> {
  const byThread = Map.groupBy(select(model, lists), ({ streamed: [first] }) => first?.thread)
  const isListed = ({ thread, runId }: RunStream) => byThread.get(thread)?.some(({ ids }) => ids.has(keyOf(runId)))
  for (const stream of select(model, streams).filter(isListed)) yield { ...stream, value: stream.metadata[0] }
}

/** Reads of the latest run of a thread by the user who streamed it. */
function* reads(model: DeploymentModel): Iterable<Subject> {
  const listed = new Set(
    model
      .of('GET /threads/{thread_id}/runs')
      .flatMap(({ json }) => listAt(json).map((run) => keyOf(at(run, 'run_id')))),
  )
  const shown = select(model, streams).filter(({ runId }) => isUuid(runId) && listed.has(keyOf(runId)))
  const byRun = Map.groupBy(shown, ({ runId }) => keyOf(runId))
  for (const exchange of model.attempts('GET /threads/{thread_id}/runs/{run_id}')) {
    const [stream] = byRun.get(keyOf(exchange.params['run_id'])) ?? []
    const latest = stream?.thread.runCreations.findLast(({ sentAt }) => sentAt < exchange.endedAt)
    if (stream === undefined || latest !== stream.exchange || latest.caller !== exchange.caller) continue
    if (latest.endedAt <= exchange.sentAt) yield { exchange, setup: [...(stream.setup ?? []), latest] }
  }
}

/**
 * Records of streamed runs that no later run of the thread may have changed. `unendedMs` is the time since the end of the
 * stream if no record of the run shows a final status, in milliseconds.
 */
function* views(model: DeploymentModel) {
  for (const { run, exchange, record } of model.runViews) {
    const stream = streamOf(model, run?.creation)
    const latest = stream?.thread.runCreations.findLast(({ sentAt }) => sentAt < exchange.endedAt)
    if (stream === undefined || latest !== stream.exchange) continue
    const hasEnded = run?.views.some((view) => isFinal(at(view.record, 'status')))
    const unendedMs = hasEnded ? 0 : exchange.sentAt - latest.endedAt
    const { graph, modes } = stream
    const setup = [...stream.setup, latest]
    yield { run, exchange, setup, graph, modes, request: latest.request, record, unendedMs, error: showError(stream) }
  }
}

/** Whether a test is true for any record of a run that was not streamed. If not, other requirements fail. */
function isShown({ runViews }: DeploymentModel, test: (record: unknown) => boolean): boolean {
  return runViews.some(({ creation, record }) => creation?.operation === createRun && test(record))
}

const modesOf = (record: unknown): readonly unknown[] => listAt(record, 'kwargs', 'stream_mode')
const hasDefaultMode = (record: unknown): boolean => isDeepStrictEqual(modesOf(record), ['values'])

/** Whether a record contains stream modes, and those of runs that were not streamed do, too. */
function showsModes(record: unknown, model: DeploymentModel): boolean {
  const modes = at(record, 'kwargs', 'stream_mode')
  return Array.isArray(modes) && modes.every((mode) => typeof mode === 'string') && isShown(model, hasDefaultMode)
}

/**
 * States after runs on threads on which all runs succeeded, with the texts of the messages and the stream of the run.
 * States after an interrupted run have their own requirements.
 */
function* results(model: DeploymentModel) {
  for (const { exchange, writer, thread } of select(model, writtenStates)) {
    const messages = at(exchange.json, 'values', 'messages')
    if (!Array.isArray(messages)) continue
    const runs = thread.runs.filter(({ creation }) => creation.id <= writer.creation.id)
    if (runs.some((run) => finalStatus(run) !== 'success')) continue
    const stream = streamOf(model, writer.creation)
    const isWhole = mayHoldResults(model, writer, exchange.json)
    const setup = [thread.creation, writer.creation]
    yield { exchange, setup, stream, messages, texts: messages.map(textOf), isWhole }
  }
}

/** Share of the states after other runs that must be whole: what is missing in few of them has to do with their inputs. */
const WHOLE_SHARE = 0.9

/** States after streamed runs of test graphs with the input of the run, unless states after other runs lack messages. */
function* streamedInputs(model: DeploymentModel) {
  const plain = select(model, results).filter(({ stream }) => stream === undefined)
  const whole = plain.filter(({ isWhole }) => isWhole)
  if (plain.length === 0 || whole.length < WHOLE_SHARE * plain.length) return
  for (const { stream, ...result } of select(model, results)) {
    if (stream?.graph === undefined || stream.input === undefined || result.texts.includes(undefined)) continue
    const { request } = stream.exchange
    const inputs = listAt(request, 'input', 'messages').map(textOf)
    yield { ...result, stream, graph: stream.graph, inputs, role: inputRole(request) }
  }
}

/** States after streamed runs of test graphs, with the last message that the graph produces. */
function* streamResults(model: DeploymentModel) {
  for (const { stream, graph, ...result } of select(model, streamedInputs)) {
    const prefix = Object.values(testGraphNodes[graph]).at(-1)
    if (typeof prefix !== 'string') continue
    // Whether the graph receives the input is a requirement of its own.
    const last = `${prefix}${stream.input}`
    const hasOtherInput = result.texts.at(-1)?.startsWith(prefix) && result.texts.at(-1) !== last
    if (!hasOtherInput) yield { ...result, stream, last, updated: ownTexts(stream) }
  }
}

/** Streamed updates, with a state that shows the result of the run. */
function* storedUpdates(model: DeploymentModel) {
  for (const { exchange, setup, stream, texts, last, updated } of select(model, streamResults))
    if (texts.includes(last) && updated.length > 0)
      yield { exchange: stream.exchange, setup: [...setup, exchange], texts, updated }
  // The message of `whoami` is the user of the run. A state after several runs may be an older one.
  for (const { exchange, setup, stream, graph, texts } of select(model, streamedInputs)) {
    const shown = stream.updates.flatMap(({ value }) => listAt(value, 'messages'))
    const updated = shown.flatMap((message) => textOf(message) ?? [])
    const isFirst = stream.thread.runCreations[0] === stream.exchange
    if (graph === 'whoami' && isFirst && updated.length > 0)
      yield { exchange: stream.exchange, setup: [...setup, exchange], texts, updated }
  }
}

/** Returns the type of the stored input of a streamed run with one input message. */
function inputType({ messages, inputs }: Pick<ItemOf<typeof streamedInputs>, 'messages' | 'inputs'>): unknown {
  const stored = messages.findLast((message) => textOf(message) === inputs[0])
  return at(stored, 'type')
}

const resultRules: readonly Rule<DeploymentModel>[] = rules(streamResults, {
  'stream.run.results-in-state': ({ texts, last }) =>
    verifyIncludes(texts.includes(last), 'the messages of the state after a stream', show(last), texts),
})

/** Rules about the runs that streams execute. */
export const streamRunRules: readonly Rule<DeploymentModel>[] = [
  freshIdRule('stream.metadata.run_id.fresh', listedStreams, 'run_id'),
  ...rules(lists, {
    // A list may be a page: it lacks streamed runs if it shows other ones.
    'stream.run.recorded': ({ ids, isMixed }) =>
      !isMixed && verify(ids.size > 0, 'the list of runs after an update or the end of a stream', 'the run', 'no run'),
    'stream.run.one': ({ ids, streamed: { length } }) =>
      verify(
        ids.size <= length,
        `the number of runs after ${length === 1 ? 'one stream' : `${length} streams`}`,
        String(length),
        ids.size,
      ),
  }),
  rule('stream.run.recorded', {
    each: smallLists,
    when: ({ hasStreamed }) => hasStreamed,
    evaluate: listsStreamedRuns,
  }),
  ...rules(recordedStreams, {
    'stream.metadata.run_id.of-run': ({ ids, runId }) =>
      verify(ids.has(keyOf(runId)), '`run_id` of the `metadata` event', `a run of the thread: ${[...ids]}`, runId),
  }),
  ...rules(
    reads,
    {
      'stream.metadata.run_id.gettable': ({ exchange }, model) =>
        (exchange.accepted || isShown(model, (record) => isFinal(at(record, 'status')))) &&
        verify(
          exchange.accepted,
          `the response to ${nameOf(exchange)} with the \`run_id\` of the \`metadata\` event of a stream`,
          'the run',
          statusAndBody(exchange),
        ),
    },
    (_, model) => (model.of('GET /threads/{thread_id}/runs/{run_id}').length === 0 ? 'run.get.answers-run' : undefined),
  ),
  ...rules(views, {
    'stream.run.success': ({ run, graph, request, record, unendedMs, error }, model) => {
      const status = at(record, 'status')
      const cause = run && interruptedElsewhere({ run, status }, model)
      if (cause !== undefined) return cause
      const isDecided = isFinal(status) || unendedMs >= (model.endpoint.waitMs ?? Number.POSITIVE_INFINITY)
      // Whether messages with the role `user` are accepted is a requirement of its own.
      const isKnown = graph !== undefined && graph !== 'fail' && inputRole(request) !== 'user' && isDecided
      const canSucceed = isShown(model, (other) => at(other, 'status') === 'success')
      const time = unendedMs > 0 ? `, read ${Math.round(unendedMs)} ms later` : ''
      const name = `the status of a run whose stream has ended${time}`
      return isKnown && canSucceed && verify(status === 'success', name, '"success"', show(status) + error)
    },
    'stream.run.kwargs-stream_mode': ({ modes, record }, model) => {
      if (modes === undefined || !showsModes(record, model)) return false
      const isKept = modes.every((mode) => modesOf(record).includes(mode))
      return verifyIncludes(isKept, '`kwargs.stream_mode` of a streamed run', show(modes), modesOf(record))
    },
    'stream.mode.default-values': ({ modes, record }, model) =>
      modes === undefined &&
      showsModes(record, model) &&
      verify(hasDefaultMode(record), '`kwargs.stream_mode` of a streamed run', '["values"]', modesOf(record)),
  }),
  ...resultRules,
  ...rules(
    streamedInputs,
    {
      'message.input.several-stored': ({ texts, inputs }) => {
        const [name, part] = ['the messages of the state after a stream', `${show(inputs)} in this order`]
        return inputs.length > 1 && verifyIncludes(endsWithAll(texts, inputs), name, part, texts)
      },
      'message.input.user-stored-as-human': (state, model) => {
        const type = inputType(state)
        const others = select(model, streamedInputs).filter(({ role }) => role === 'human')
        const isKnown = state.role === 'user' && typeof type === 'string' && others.map(inputType).includes('human')
        return isKnown && equal('the type of a message with the role `user` after a stream', type, 'human')
      },
      'message.ai.usage_metadata.as-given': ({ graph, messages, stream }) =>
        graph === 'tools' && verifyUsage(messages, stream.input),
    },
    failureOf([...storedRules, ...resultRules, ...streamUpdateRules]),
  ),
  ...rules(
    storedUpdates,
    {
      'stream.updates.as-stored': ({ texts, updated }) => {
        const isStored = updated.every((text) => texts.includes(text))
        return verify(isStored, 'the messages in updates', `messages of the state: ${show(texts)}`, updated)
      },
    },
    failureOf(ownUpdateRules),
  ),
]
