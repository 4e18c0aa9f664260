import { isObject } from '../../catalog/facts.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { delayOf } from '../../model/bounds.ts'
import { type DeploymentModel, keyOf, threadOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import { concurrencyOf, type Exchange } from '../../model/exchange.ts'
import { testGraphOf } from '../../model/graphs.ts'
import { streamRun } from '../../model/operations.ts'
import { finalStatus } from '../../model/run-ends.ts'
import { type RunStream, showError, streams } from '../../model/streams.ts'
import { inputRole, inputText, testGraphNodes } from '../../model/test-graphs.ts'
import { at, listAt, show } from '../../values/json.ts'
import { textOf } from '../../values/messages.ts'
import { dataOf, type NodeUpdate, nodeUpdates } from '../../values/stream-data.ts'
import { failureOf, type Mismatch, type Rule, rules, type Subject, verify, verifyIncludes } from '../rule.ts'
import { inputFailure, keptInputRules } from './messages.ts'
import { interruptedElsewhere } from './multitask-ends.ts'

/** A stream of a test graph with the mode `updates`. */
interface GraphStream extends RunStream {
  readonly graph: NonNullable<RunStream['graph']>
  /** Names of the nodes in the order of their updates. */
  readonly nodes: readonly string[]
  /** Names of the nodes that finish, in order. */
  readonly finishingNodes: readonly string[]
  /** Texts of the messages in all updates. */
  readonly texts: readonly string[]
  /** Inputs of earlier runs on the thread, and of streams on other threads that had ended. */
  readonly earlier: readonly string[]
  /** Inputs of other streams at the same time, on other threads. */
  readonly concurrent: readonly string[]
  /** Whether a text is the input of one of these or of any other stream. */
  readonly isOther: (text: string) => boolean
}

function* graphStreams(model: DeploymentModel): Iterable<GraphStream> {
  const requests = model.exchanges.filter(({ operation }) => operation === streamRun)
  const threadIn = ({ params }: Exchange) => keyOf(params['thread_id'])
  const byInput = Map.groupBy(requests, ({ request }) => inputText(request))
  const concurrentWith = concurrencyOf(requests)
  for (const stream of select(model, streams)) {
    const { graph, modes, thread, exchange, updates, input } = stream
    if (graph === undefined || !modes?.includes('updates')) continue
    const earlier = thread.runCreations.filter(({ id }) => id < exchange.id)
    const isElsewhere = (other: Exchange) => threadIn(other) !== thread.id
    const inputsOf = (exchanges: readonly Exchange[]) =>
      // An empty input is a part of every other one.
      exchanges.flatMap(({ request }) => inputText(request) || []).filter((text) => text !== input)
    const earlierInputs = inputsOf(earlier)
    // The run of a stream whose client left may go on.
    const ended = requests.filter(
      (other) => isElsewhere(other) && other.fate === 'answered' && other.endedAt <= exchange.sentAt,
    )
    yield {
      ...stream,
      graph,
      nodes: updates.map(({ node }) => node),
      finishingNodes: Object.keys(testGraphNodes[graph]),
      texts: updates.flatMap(textsIn).filter((text) => text !== ''),
      setup: [...stream.setup, ...earlier],
      earlier: [...earlierInputs, ...inputsOf(ended)],
      concurrent: inputsOf(concurrentWith(exchange).filter(isElsewhere)),
      isOther: (text) =>
        text !== '' &&
        text !== input &&
        (earlierInputs.includes(text) || byInput.get(text)?.some(isElsewhere) === true),
    }
  }
}

/**
 * Streams of the graph that fails. How they end is unspecified, and servers may break the connection: then only what arrived
 * before decides.
 */
function* failingStreams(model: DeploymentModel): Iterable<Subject & Pick<GraphStream, 'thread' | 'nodes'>> {
  yield* select(model, graphStreams).filter(({ graph }) => graph === 'fail')
  for (const exchange of model.exchanges) {
    const { operation, intent, fate, events } = exchange
    const thread = threadOf(model, exchange)
    const isOnlyRun = thread?.requests.length === 1 && operation === streamRun && intent === 'documented'
    if (!isOnlyRun || fate !== 'broken' || testGraphOf(model, exchange) !== 'fail') continue
    const nodes = nodeUpdates(events).map(({ node }) => node)
    if (nodes.length > 0) yield { exchange, setup: [thread.creation], thread, nodes }
  }
}

function textsIn({ value }: NodeUpdate): readonly string[] {
  return listAt(value, 'messages').flatMap((message) => textOf(message) ?? [])
}

function isNode({ finishingNodes, graph }: GraphStream, node: string): boolean {
  return finishingNodes.includes(node) || (graph === 'fail' && node === 'boom')
}

/** Streams whose updates have only names of nodes as keys. */
function keyedStreams(model: DeploymentModel): readonly GraphStream[] {
  return select(model, streamsWithUpdates).filter(({ nodes }) => nodes.length > 0)
}

/** Streams with updates that have only names of nodes as keys, or no keys. */
function* streamsWithUpdates(model: DeploymentModel): Iterable<GraphStream> {
  for (const stream of select(model, graphStreams)) {
    const data = dataOf(stream.exchange.events, 'updates')
    if (data.length > 0 && data.every(isObject) && stream.nodes.every((node) => isNode(stream, node))) yield stream
  }
}

/** Texts in the updates of a stream that a test graph produces for some inputs. */
function textsFor({ graph, texts }: GraphStream, isInput: (text: string) => boolean): readonly string[] {
  const prefixes = Object.values(testGraphNodes[graph]).filter((prefix) => typeof prefix === 'string')
  return texts.filter((text) =>
    prefixes.some((prefix) => text.startsWith(prefix) && isInput(text.slice(prefix.length))),
  )
}

/** Whether a text is the same in every encoding: printable ASCII without white space around it. */
const isPlain = (text: string): boolean => /^[!-~]([ -~]*[!-~])?$/.test(text)

/** Whether the input of a stream is plain and no text is that of another run. */
function isClear(stream: GraphStream): boolean {
  return isPlain(stream.input ?? '') && textsFor(stream, stream.isOther).length === 0
}

const hasInput = ({ texts, input = '' }: GraphStream): boolean => texts.some((text) => text.includes(input))

/** Texts in the updates of a stream that repeat its input, if that is plain apart from white space around it. */
export function ownTexts({ updates, input = '' }: RunStream): readonly string[] {
  return isPlain(input.trim()) ? updates.flatMap(textsIn).filter((text) => text.includes(input.trim())) : []
}

/** The update of a node that finished. */
interface Update extends GraphStream {
  readonly update: NodeUpdate
  /** Prefix of the text of its message, before the input; null if it has no message. */
  readonly prefix: string | null | undefined
  readonly messages: unknown
}

function* updates(model: DeploymentModel): Iterable<Update> {
  for (const stream of select(model, keyedStreams)) {
    for (const update of stream.updates.filter(({ node }) => stream.finishingNodes.includes(node))) {
      const prefix = testGraphNodes[stream.graph][update.node]
      yield { ...stream, update, prefix, messages: at(update.value, 'messages') }
    }
  }
}

const ownText = ({ prefix, input }: Update): string => `${prefix}${input}`
const mustHaveMessages = ({ prefix, update }: Update): boolean => prefix !== null && isObject(update.value)

/** Whether all messages of an update have texts, and its node produces a known text. */
function hasTexts(each: Update): boolean {
  const { prefix, messages, update, texts } = each
  const isKnown = typeof prefix === 'string' && Array.isArray(messages) && isClear(each)
  return isKnown && textsIn(update).length === messages.length && (texts.length === 0 || hasInput(each))
}

/** Whether the input is not plain ASCII, and the update starts with its first word: the node received the input. */
function hasUnusualText({ prefix, input = '', update }: Update): boolean {
  const [start = ''] = input.split(' ')
  const isUnusual = /[^ -~]/.test(input) && isPlain(start) && typeof prefix === 'string'
  return isUnusual && textsIn(update).some((text) => text.startsWith(`${prefix}${start}`))
}

/** Shortest sleep between two nodes that the arrival times of their updates reveal, in milliseconds. */
const shortestSleep = 50
/** Number of streams with a late update that cannot be a coincidence. */
const tries = 3

/** A stream of `slow` with an update during the sleep; if there is none, of several the one with the longest sleep. */
function* sleeps(model: DeploymentModel) {
  const known = select(model, keyedStreams).flatMap((stream) => {
    const ms = delayOf(model, stream.exchange)
    const [first, last] = ['before', 'after'].map((name) => stream.updates.find(({ node }) => node === name)?.atMs)
    if (ms === undefined || ms < shortestSleep || first === undefined || last === undefined) return []
    return [{ ...stream, ms, isApart: last - first >= ms / 2 }]
  })
  const slowest = known.find(({ isApart }) => isApart) ?? known.toSorted((a, b) => b.ms - a.ms)[0]
  if (slowest !== undefined && (slowest.isApart || known.length >= tries)) yield slowest
}

/** Streams whose request does not ask for `updates`. */
function* otherStreams(model: DeploymentModel) {
  for (const stream of select(model, streams)) if (!stream.modes?.includes('updates')) yield stream
}

const verifyUpdatesSent = (stream: GraphStream) =>
  verifyIncludes(
    stream.names.includes('updates'),
    'the events of a stream',
    '`updates`',
    show(stream.names) + showError(stream),
  )

const verifyNodes = (condition: boolean, expected: string, stream: GraphStream) =>
  verify(
    condition,
    `the updates of ${stream.graph}`,
    `${expected} ${stream.finishingNodes.join(', ')}`,
    show(stream.nodes) + showError(stream),
  )

const verifyValue = (condition: boolean, expected: string, { node, value }: NodeUpdate) =>
  verify(condition, `the value of the node \`${node}\` in an update`, expected, value)

/** Verifies that no text of a stream is that of a run with another input. */
function verifyNotOf(others: readonly string[], stream: GraphStream): Mismatch | undefined | false {
  if (others.length === 0 || stream.texts.length === 0) return false
  const foreign = textsFor(stream, (text) => others.includes(text))
  return verify(
    foreign.length === 0,
    'the messages in updates',
    `of the run with the input ${show(stream.input)}`,
    foreign,
  )
}

/** Returns the requirement that fails because a run on another thread stopped the run of a stream. */
function stoppedElsewhere(
  { thread, exchange }: Pick<GraphStream, 'thread' | 'exchange'>,
  model: DeploymentModel,
): RequirementId | undefined {
  const run = thread.runOf(exchange)
  // A run that nobody read may have been stopped, too.
  return run && interruptedElsewhere({ run, status: finalStatus(run) ?? 'interrupted' }, model)
}

const secondRunRules = rules(
  keyedStreams,
  { 'stream.updates.second-run': (stream) => verifyNotOf(stream.earlier, stream) },
  inputFailure,
)

/** Rules that find updates of other runs. If a stream has those of an earlier one, they need not be concurrent. */
export const ownUpdateRules = [
  ...secondRunRules,
  ...rules(
    keyedStreams,
    { 'stream.updates.side-by-side': (stream) => verifyNotOf(stream.concurrent, stream) },
    failureOf(secondRunRules),
  ),
]

/** Returns the requirement that fails because the run has another input, or the updates are those of another run. */
const textFailure = failureOf([...keptInputRules, ...ownUpdateRules])

const failing = 'the updates of a run whose node boom fails'

/** Rules about the stream of a run that fails. */
export const failingStreamRules = rules(
  failingStreams,
  {
    'stream.updates.before-failure': ({ nodes }, model) =>
      select(model, keyedStreams).some((other) => other.nodes.includes('first')) &&
      verify(nodes.includes('before'), failing, 'one of before', nodes),
    'stream.updates.none-for-failed': ({ nodes }) => verify(!nodes.includes('boom'), failing, 'none of boom', nodes),
  },
  stoppedElsewhere,
)

/** Rules about `updates` events. */
export const streamUpdateRules: readonly Rule<DeploymentModel>[] = [
  ...rules(
    graphStreams,
    {
      'stream.updates.sent': (stream) =>
        stream.modes?.length === 1 && stream.graph !== 'fail' && verifyUpdatesSent(stream),
      'stream.updates.among-modes': (stream, model) =>
        stream.modes?.length !== 1 &&
        select(model, graphStreams).some(({ modes, nodes }) => modes?.length === 1 && nodes.length > 0) &&
        verifyUpdatesSent(stream),
      'stream.updates.data-object': ({ exchange }) => {
        const data = dataOf(exchange.events, 'updates')
        return data.length > 0 && verify(data.every(isObject), 'the data of `updates` events', 'objects', data)
      },
      'stream.updates.node-names': (stream) =>
        stream.nodes.length > 0 &&
        verifyNodes(
          stream.nodes.every((node) => isNode(stream, node)),
          'keyed by',
          stream,
        ),
    },
    stoppedElsewhere,
  ),
  ...rules(otherStreams, {
    'stream.updates.only-if-asked': ({ names }) =>
      verify(!names.includes('updates'), 'the events of a stream without the mode `updates`', 'no `updates`', names),
  }),
  ...rules(
    streamsWithUpdates,
    {
      'stream.updates.each-node': (stream) => {
        const hasEach = stream.finishingNodes.every((node) => stream.nodes.includes(node))
        return stream.graph !== 'fail' && verifyNodes(hasEach, 'one each of', stream)
      },
    },
    stoppedElsewhere,
  ),
  ...rules(keyedStreams, {
    'stream.updates.once-a-node': (stream) =>
      verifyNodes(new Set(stream.nodes).size === stream.nodes.length, 'no two of the same of', stream),
    'stream.updates.in-order': (stream) => {
      const indexes = stream.finishingNodes.map((node) => stream.nodes.indexOf(node)).filter((index) => index >= 0)
      const isInOrder = indexes.every((value, index) => index === 0 || value > (indexes[index - 1] ?? 0))
      return verifyNodes(isInOrder, 'in the order', stream)
    },
  }),
  ...ownUpdateRules,
  ...rules(updates, {
    'stream.updates.value-object': ({ prefix, update }) =>
      prefix !== null && verifyValue(isObject(update.value), 'an object', update),
    'stream.updates.messages-present': (each) =>
      mustHaveMessages(each) && verifyValue(each.messages !== undefined, 'an object with `messages`', each.update),
    'stream.updates.messages-array': (each) =>
      mustHaveMessages(each) &&
      each.messages !== undefined &&
      verifyValue(Array.isArray(each.messages), 'an object with an array `messages`', each.update),
    'stream.updates.messages-objects': ({ messages, update }) =>
      listAt(messages).length > 0 &&
      verifyValue(listAt(messages).every(isObject), 'an object with message objects', update),
    'stream.updates.messages-of-node': (each) => {
      const hasOwn = textsIn(each.update).includes(ownText(each))
      return hasTexts(each) && verifyValue(hasOwn, `an object with the message ${ownText(each)}`, each.update)
    },
    'stream.updates.messages-only-of-node': (each) => {
      const texts = textsIn(each.update)
      if (each.prefix === null) return isClear(each) && verifyValue(texts.length === 0, 'no messages', each.update)
      const hasOwn = hasTexts(each) && texts.includes(ownText(each))
      return hasOwn && verifyValue(texts.length === 1, `an object whose only message is ${ownText(each)}`, each.update)
    },
  }),
  ...rules(
    keyedStreams,
    {
      'stream.request.input': (stream) =>
        stream.graph !== 'whoami' &&
        stream.texts.length > 0 &&
        inputRole(stream.exchange.request) === 'human' &&
        isClear(stream) &&
        verifyIncludes(hasInput(stream), 'the messages of the run', `the input ${show(stream.input)}`, stream.texts),
    },
    textFailure,
  ),
  ...rules(
    updates,
    {
      'stream.framing.text': (each) =>
        hasUnusualText(each) &&
        verifyIncludes(
          textsIn(each.update).includes(ownText(each)),
          'the texts in the stream',
          show(ownText(each)),
          each.texts,
        ),
    },
    textFailure,
  ),
  ...rules(sleeps, {
    'stream.updates.progressive': ({ isApart, ms, updates }) => {
      const arrivals = updates.map(({ node, atMs }) => `${node} at ${Math.round(atMs)} ms`)
      return verify(isApart, `the first update of a run that sleeps ${ms} ms`, 'sent before it sleeps', arrivals)
    },
  }),
]
