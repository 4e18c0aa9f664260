import { isObject, isUuid } from '../../catalog/facts.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { mayBeInterrupted } from '../../model/bounds.ts'
import { type DeploymentModel, keyOf, threadOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import { type Exchange, timedOut } from '../../model/exchange.ts'
import { executingGraph, testGraphOf } from '../../model/graphs.ts'
import { createRun, streamRun } from '../../model/operations.ts'
import { mayBeBusy } from '../../model/run-ends.ts'
import { hasData, hasJson, isNamed, streams, streamTexts } from '../../model/streams.ts'
import { inputRole, testGraphNodes } from '../../model/test-graphs.ts'
import { at, jsonError, listAt, show, textAt } from '../../values/json.ts'
import { WAITED } from '../../values/settling-time.ts'
import { isEvent, type StreamBlock, streamBlocks, valuesOf } from '../../values/stream-blocks.ts'
import { nodeUpdates } from '../../values/stream-data.ts'
import { statusAndBody } from '../common.ts'
import {
  deciding,
  failureOf,
  type Mismatch,
  type Rule,
  rule,
  rules,
  type Subject,
  verify,
  verifyIncludes,
} from '../rule.ts'
import { runStatusRules } from './run-status.ts'

/** A request that must start a stream. */
interface Attempt extends Subject {
  /** Requirements about what the request contains. */
  readonly forms: readonly RequirementId[]
  readonly isStream: boolean
  /** Time since the last earlier run of the thread was seen to have ended, in milliseconds; undefined on a new thread. */
  readonly idleMs: number | undefined
}

/** Whether a request executes the graph that fails: a server may respond to it in any way. */
function fails(model: DeploymentModel, exchange: Exchange): boolean {
  return testGraphOf(model, exchange) === 'fail'
}

/** Requests for streams of known graphs on idle threads of the user. */
function* attempts(model: DeploymentModel): Iterable<Attempt> {
  // Whether human messages are accepted is a requirement of its own.
  const background = model.attempts(createRun).filter(({ request }) => inputRole(request) === 'human')
  if (background.length > 0 && !background.some(({ accepted }) => accepted)) return
  for (const exchange of model.attempts(streamRun)) {
    const thread = threadOf(model, exchange)
    const graph = executingGraph(model, textAt(exchange.request, 'assistant_id'))
    if (graph === undefined || thread?.creation?.caller !== exchange.caller || mayBeBusy(thread, exchange)) continue
    // Requirements of their own state which other inputs are accepted.
    if (fails(model, exchange) || inputRole(exchange.request) !== 'human') continue
    const earlier = thread.runs.filter(({ creation }) => creation.sentAt < exchange.sentAt)
    const endedAt = Math.max(...earlier.map(({ endShownAt }) => endShownAt))
    const idleMs = earlier.length === 0 ? undefined : exchange.sentAt - endedAt
    const setup = [thread.creation, ...earlier.map(({ creation }) => creation)]
    yield { exchange, setup, forms: formsOf(exchange, model), isStream: isStream(exchange), idleMs }
  }
}

/** Returns the requirements that requests of this form are accepted. The id of a default assistant is no form of its own. */
function formsOf({ request }: Exchange, { defaultAssistants }: DeploymentModel): readonly RequirementId[] {
  const [named, modes] = [textAt(request, 'assistant_id'), at(request, 'stream_mode')]
  const subject: RequirementId = isUuid(named) ? 'assistant.id.stream-accepts' : 'assistant.name.stream-accepts'
  return [
    ...(defaultAssistants.has(keyOf(named) ?? '') ? [] : [subject]),
    ...(modes === undefined ? (['stream.request.stream_mode-optional'] as const) : []),
    ...(listAt(modes).length > 1 ? (['stream.request.stream_mode-array'] as const) : []),
    'stream.create.answers-stream',
  ]
}

const typeOf = ({ headers }: Exchange): string => headers['content-type'] ?? 'none'
const isEventStream = (type: string): boolean => /^text\/event-stream\b/i.test(type)

/** Whether a response is a stream. One that ended without an event is none: each stream starts with an event. */
function isStream(exchange: Exchange): boolean {
  const { status = 0, text, fate } = exchange
  if (status < 200 || status >= 300) return false
  return streamBlocks(text).some(isEvent) || (isEventStream(typeOf(exchange)) && fate !== 'answered')
}

/**
 * Returns the requirement that a request without a stream fails: that about the first of its forms that no accepted request
 * has. Requests on new and on used threads are compared separately.
 */
function refusedBy({ exchange, forms, idleMs }: Attempt, model: DeploymentModel): RequirementId | undefined {
  const same = select(model, attempts).filter((each) => (each.idleMs === undefined) === (idleMs === undefined))
  const streamed = same.filter((each) => each.isStream)
  const accepted = new Set(streamed.flatMap((each) => each.forms))
  const lacking = accepted.size === 0 ? undefined : forms.find((form) => !accepted.has(form))
  if (idleMs === undefined || exchange.accepted) return lacking ?? forms.at(-1)
  // How soon a thread is idle after a run is unspecified. Scenarios repeat a refused request during `waitMs`.
  const { waitMs = Number.POSITIVE_INFINITY } = model.endpoint
  const isIdle = idleMs >= WAITED * waitMs && streamed.some((each) => Number(each.idleMs) <= idleMs)
  return isIdle ? lacking : undefined
}

const acceptedRules = (
  [
    'stream.create.answers-stream',
    'assistant.id.stream-accepts',
    'assistant.name.stream-accepts',
    'stream.request.stream_mode-optional',
    'stream.request.stream_mode-array',
  ] as const
).map((requirement) =>
  rule(requirement, {
    each: attempts,
    when: (attempt, model) =>
      attempt.isStream ? attempt.forms.includes(requirement) : refusedBy(attempt, model) === requirement,
    evaluate: ({ exchange, isStream }) =>
      verify(isStream, `the response to ${streamRun}`, 'a 2xx response with events', statusAndBody(exchange)),
  }),
)

function eachEvent(
  part: string,
  isValid: (event: StreamBlock) => boolean,
): (stream: { readonly blocks: readonly StreamBlock[] }) => Mismatch | undefined {
  return ({ blocks }) => {
    const wrong = blocks.find((block) => !isValid(block))
    return verifyIncludes(wrong === undefined, 'each event of a stream', part, wrong && linesOf(wrong))
  }
}

/** The lines of an event, and what is wrong with its data if they are no JSON. */
function linesOf(event: StreamBlock): string {
  const lines = event.fields.map(({ name, value }) => show(`${name}: ${value}`, 200))
  const end = event.closed ? [] : ['the end of the stream']
  return [...lines, ...end].join(', ') + (hasData(event) ? jsonError(valuesOf(event, 'data').join('\n')) : '')
}

const completingTexts = (model: DeploymentModel) =>
  select(model, streamTexts).filter(({ exchange }) => !fails(model, exchange))

const completing = (model: DeploymentModel) => select(model, streams).filter(({ exchange }) => !fails(model, exchange))

/** Streams of documented requests, also those without an end. */
function allStreams(model: DeploymentModel): readonly Exchange[] {
  const requests = model.exchanges.filter(({ operation, intent }) => operation === streamRun && intent === 'documented')
  return requests.filter((exchange) => isStream(exchange) && !fails(model, exchange))
}

/** Streams that ended, or whose connection broke; not those for which the client stopped waiting. */
function* ends(model: DeploymentModel): Iterable<Subject> {
  for (const exchange of allStreams(model)) {
    const run = threadOf(model, exchange)?.runOf(exchange)
    // How the stream of an interrupted run ends is unspecified.
    if (run !== undefined && mayBeInterrupted(run)) continue
    if (exchange.accepted || (exchange.fate === 'broken' && !isSilent(exchange))) yield { exchange }
  }
}

/** Whether the client stopped waiting for a stream. */
function isSilent(exchange: Exchange): boolean {
  return exchange.fate === 'left' || timedOut(exchange)
}

/** Streams with the silence after the last node of the graph, in milliseconds. */
function* silences(model: DeploymentModel) {
  const { waitMs = Number.POSITIVE_INFINITY } = model.endpoint
  for (const exchange of allStreams(model)) {
    const graph = testGraphOf(model, exchange)
    const nodes = Object.keys(graph === undefined ? {} : testGraphNodes[graph])
    const last = nodeUpdates(exchange.events).findLast(({ node }) => node === nodes.at(-1))
    const silence = last === undefined ? 0 : exchange.closedAt - exchange.sentAt - last.atMs
    if (exchange.accepted || (isSilent(exchange) && silence > waitMs / 2)) yield { exchange, silence }
  }
}

/** Rules about requests for streams, the form of streams and their `metadata` event. */
export const streamRules: readonly Rule<DeploymentModel>[] = [
  ...acceptedRules,
  ...rules(ends, {
    'stream.end.clean': ({ exchange: { fate, error } }) =>
      verify(
        fate === 'answered',
        'the response of a stream',
        'complete',
        `a connection that broke before its end (${error})`,
      ),
  }),
  ...rules(
    silences,
    {
      'stream.end.reached': ({ exchange, silence }) =>
        verify(exchange.accepted, 'a stream after the last node of its graph', 'its end', `none in ${silence} ms`),
    },
    // If no run ends, no stream ends.
    failureOf(deciding(runStatusRules, ['run.status.ends'])),
  ),
  ...rules(completingTexts, {
    'stream.content-type': ({ exchange }) =>
      verify(isEventStream(typeOf(exchange)), 'the content type of a stream', 'text/event-stream', typeOf(exchange)),
    'stream.framing.complete': eachEvent('an empty line at its end', ({ closed }) => closed),
    'stream.framing.event-line': eachEvent('an `event:` line', isNamed),
    'stream.framing.data-line': eachEvent('a `data:` line', hasData),
    'stream.framing.data-json': eachEvent('JSON on its `data:` line', (event) => !hasData(event) || hasJson(event)),
  }),
  ...rules(completing, {
    'stream.metadata.sent': ({ names }) =>
      verifyIncludes(names.includes('metadata'), 'the events of a stream', '`metadata`', names),
    'stream.metadata.first': ({ metadata, names }) =>
      metadata.length > 0 && verify(names[0] === 'metadata', 'the first event of a stream', 'metadata', names),
    'stream.metadata.once': ({ metadata, names }) => {
      const ids = new Set(metadata.map((data) => textAt(data, 'run_id')))
      const received = ids.size > 1 ? `${show(names)} of the runs ${show([...ids])}` : names
      const isOnce = metadata.length === 1
      return metadata.length > 0 && verify(isOnce, 'the `metadata` events of a stream', 'one event', received)
    },
    'stream.metadata.data-object': ({ metadata }) =>
      metadata.length > 0 && verify(metadata.every(isObject), 'the data of `metadata` events', 'an object', metadata),
  }),
]
