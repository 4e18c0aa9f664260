import { isDeepStrictEqual } from 'node:util'
import { isObject, isSame } from '../../catalog/facts.ts'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { idsMatching } from '../../catalog/patterns.ts'
import { type DeploymentModel, keyOf, type Run, type RunSource } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import type { Exchange } from '../../model/exchange.ts'
import { hasTestGraphs } from '../../model/graphs.ts'
import { createRun, streamRun } from '../../model/operations.ts'
import { finalStatus, hadEnded, writtenStates } from '../../model/run-ends.ts'
import { at, listAt, show, textAt } from '../../values/json.ts'
import { textOf } from '../../values/messages.ts'
import { settlingMs } from '../../values/settling-time.ts'
import { nodeUpdates } from '../../values/stream-data.ts'
import { isSameTime, timeOf } from '../../values/timestamps.ts'
import { nameOf } from '../common.ts'
import { type Case, failureOf, type Mismatch, mismatch, type Rule, rule, rules, type Subject, verify } from '../rule.ts'
import { messageFieldRules } from './message-fields.ts'
import {
  interruptMessages,
  otherQueueMessages,
  queueMessages,
  rejectMessages,
  repeatedMessages,
} from './multitask-messages.ts'
import { latestRules } from './states.ts'
import { streamFieldRules } from './stream-fields.ts'
import { ownUpdateRules } from './stream-updates.ts'
import { streamRules } from './streams.ts'

/** Reads a value that must be equal in two records; returns undefined if the record does not contain it. */
type Reading = (record: unknown) => unknown

/** Reads a value; null is as good as absent. */
const value =
  (...path: readonly string[]): Reading =>
  (record) =>
    at(record, ...path) ?? undefined

const text =
  (...path: readonly string[]): Reading =>
  (record) =>
    textAt(record, ...path)
const time =
  (name: string): Reading =>
  (record) =>
    timeOf(at(record, name)) === undefined ? undefined : at(record, name)

/**
 * Verifies that a later record has the values of an earlier one. A value that one of them lacks fails another requirement.
 *
 * @example
 * verifySame('a stored message', 'the one in an earlier state', ofMessage, earlier, later)
 */
function verifySame(
  name: string,
  expected: string,
  readings: Readonly<Record<string, Reading>>,
  earlier: unknown,
  later: unknown,
): Mismatch | undefined {
  const differing = Object.entries(readings).filter(([, read]) => {
    const [before, after] = [read(earlier), read(later)]
    const isEqual = isDeepStrictEqual(before, after) || isSame(before, after) || isSameTime(before, after)
    return before !== undefined && after !== undefined && !isEqual
  })
  const differences = differing.map(([key, read]) => [key, aroundDifference(read(earlier), read(later))] as const)
  const shown = (index: 0 | 1) => show(Object.fromEntries(differences.map(([key, pair]) => [key, pair[index]])))
  return verify(differing.length === 0, name, `${expected}, ${shown(0)}`, shown(1))
}

/** Characters of a long text that are shown before, and after, the place at which it differs from another one. */
const context = 60

/** Returns two values, and of two long texts the parts around the first difference. */
function aroundDifference(before: unknown, after: unknown): readonly [unknown, unknown] {
  if (typeof before !== 'string' || typeof after !== 'string' || before.length <= 5 * context) return [before, after]
  let start = 0
  while (before[start] === after[start] && start < before.length) start += 1
  const from = Math.max(0, start - context)
  const part = (text: string) => `${from > 0 ? '…' : ''}${text.slice(from, start + context)}…`
  return [part(before), part(after)]
}

const ofRun: Readonly<Record<string, Reading>> = {
  thread_id: text('thread_id'),
  assistant_id: text('assistant_id'),
  created_at: time('created_at'),
  multitask_strategy: text('multitask_strategy'),
  // Authorization handlers write it when a run is created.
  'metadata.owner': text('metadata', 'owner'),
  'kwargs.config.configurable.run_id': text('kwargs', 'config', 'configurable', 'run_id'),
  'kwargs.config.configurable.thread_id': text('kwargs', 'config', 'configurable', 'thread_id'),
  'kwargs.config.configurable.assistant_id': text('kwargs', 'config', 'configurable', 'assistant_id'),
  'kwargs.config.configurable.graph_id': text('kwargs', 'config', 'configurable', 'graph_id'),
}

/** Later records of runs, and the first record of the same run. */
function* laterRecords(model: DeploymentModel) {
  for (const run of model.runs.values()) {
    if (run.thread.hasUnknownEffects || run.creation.intent !== 'documented') continue
    const views = run.views.filter(({ record }) => keyOf(at(record, 'run_id')) === keyOf(run.id))
    for (const view of views) {
      // A streamed run has no record of its creation. Compare reads with reads and lists with lists: either may be wrong.
      const isPlain = run.creation.operation === createRun
      const first = isPlain ? views[0] : views.find(({ source }) => source === view.source)
      const setup = [run.thread.creation, run.creation, first?.exchange]
      if (first !== undefined && view !== first)
        yield { exchange: view.exchange, setup, record: view.record, first, source: view.source }
    }
  }
}

function runRule(requirement: RequirementId, source: RunSource): Rule<DeploymentModel> {
  return rule(requirement, {
    each: laterRecords,
    when: (later) => later.source === source,
    evaluate: ({ exchange, record, first }) => {
      const place = first.source === 'creation' ? 'of its creation' : `in an earlier ${nameOf(first.exchange)}`
      return verifySame(`the values of a run in ${nameOf(exchange)}`, `those ${place}`, ofRun, first.record, record)
    },
  })
}

/** A read of the state of an idle thread, with the run that wrote the state. */
interface IdleRead extends Subject {
  readonly state: unknown
  readonly writer: Run
  /** Whether the run had ended at least `settlingMs` before. */
  readonly isSettled: boolean
}

function* idleReads(model: DeploymentModel): Iterable<IdleRead> {
  for (const { exchange, writer, thread } of select(model, writtenStates)) {
    if (!thread.isPrivate || !isObject(exchange.json)) continue
    const isSettled = hadEnded(writer, exchange.sentAt - settlingMs)
    yield { exchange, setup: [thread.creation, writer.creation], state: exchange.json, writer, isSettled }
  }
}

/** Selects idle reads, each with the first read of the same state for which `isFirst` is true. */
function pairs(isFirst: (read: IdleRead) => boolean) {
  return function* each(model: DeploymentModel) {
    for (const reads of Map.groupBy(select(model, idleReads), ({ writer }) => writer).values()) {
      const first = reads.find(isFirst)
      if (first === undefined) continue
      for (const { exchange, setup = [], state } of reads) {
        if (exchange.sentAt >= first.exchange.endedAt)
          yield { exchange, setup: [...setup, first.exchange], state, first: first.state }
      }
    }
  }
}

const ofCheckpoint: Readonly<Record<string, Reading>> = {
  checkpoint_id: text('checkpoint_id'),
  parent_checkpoint_id: text('parent_checkpoint_id'),
  created_at: time('created_at'),
  next: value('next'),
  'number of tasks': (state) => (Array.isArray(at(state, 'tasks')) ? listAt(state, 'tasks').length : undefined),
  ...Object.fromEntries(
    ['step', 'run_id', 'source', 'user_id', 'graph_id', 'thread_id', 'created_by', 'assistant_id'].map((name) => [
      `metadata.${name}`,
      value('metadata', name),
    ]),
  ),
  'names in metadata.writes': (state) => {
    const writes = at(state, 'metadata', 'writes')
    return isObject(writes) ? Object.keys(writes).sort() : undefined
  },
}

/** The fields of a message except its content, which other rules compare as text. */
const partsOfMessage: Readonly<Record<string, Reading>> = {
  type: value('type'),
  name: value('name'),
  tool_call_id: value('tool_call_id'),
  status: value('status'),
  // Null must not replace another value.
  artifact: (message) => at(message, 'artifact'),
  usage_metadata: (message) => {
    const usage = at(message, 'usage_metadata')
    return isObject(usage) ? pick(usage, ['input_tokens', 'output_tokens', 'total_tokens']) : usage
  },
  tool_calls: (message) => {
    const calls = at(message, 'tool_calls')
    return Array.isArray(calls) ? calls.map((call) => pick(call, ['name', 'args', 'id'])) : undefined
  },
}

const pick = (value: unknown, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, at(value, name) ?? null]))

const ofMessage: Readonly<Record<string, Reading>> = { content: value('content'), ...partsOfMessage }

/** The ids and the fields of the messages of a state that must not change. */
function messagesOf(state: unknown): readonly unknown[] | undefined {
  const messages = at(state, 'values', 'messages')
  if (!Array.isArray(messages)) return undefined
  const readings = Object.entries({ id: value('id'), ...ofMessage })
  return messages.map((message) =>
    Object.fromEntries(readings.flatMap(([name, read]) => (read(message) == null ? [] : [[name, read(message)]]))),
  )
}

/** Verifies that the messages of a state are those of an earlier one. Shows the first that differs. */
function verifyMessages(first: unknown, state: unknown): Mismatch | undefined {
  const [before, after] = [messagesOf(first), messagesOf(state)]
  if (before === undefined || after === undefined || isDeepStrictEqual(before, after)) return undefined
  const length = Math.max(before.length, after.length)
  const indexes = Array.from({ length }, (_, index) => index)
  const index = indexes.findIndex((each) => !isDeepStrictEqual(before[each], after[each]))
  const [expected, received] = [before, after].map((messages) => (index in messages ? show(messages[index]) : 'absent'))
  const place = `message ${index + 1} of ${length} in the state of an idle thread`
  return mismatch(place, `${expected}, as in an earlier read`, received)
}

/** The messages of a state by id; undefined if an id is missing or not unique. */
function messagesById(state: unknown): ReadonlyMap<string, unknown> | undefined {
  const messages = at(state, 'values', 'messages')
  if (!Array.isArray(messages)) return undefined
  const byId = new Map(messages.flatMap((message) => [[textAt(message, 'id') ?? '', message] as const]))
  return byId.has('') || byId.size < messages.length ? undefined : byId
}

/** Messages of idle threads, with the same message in an earlier state. A graph that is not a test graph may change messages. */
function* laterMessages(model: DeploymentModel) {
  if (!hasTestGraphs(model)) return
  const byThread = Map.groupBy(select(model, idleReads), ({ writer }) => writer.thread)
  for (const reads of byThread.values()) {
    const known = new Map<string, { readonly message: unknown; readonly exchange: Exchange }>()
    for (const { exchange, setup = [], state } of reads) {
      for (const [key, message] of messagesById(state) ?? []) {
        const earlier = known.get(key)
        if (earlier === undefined) known.set(key, { message, exchange })
        else if (earlier.exchange.endedAt <= exchange.sentAt)
          yield { exchange, setup: [...setup, earlier.exchange], message, other: earlier.message, mustShow: key }
      }
    }
  }
}

/** Messages in updates of streams that succeeded, with the messages in the state after the run. */
function* updatedMessages(model: DeploymentModel) {
  if (!hasTestGraphs(model)) return
  for (const { exchange: read, state, writer } of select(model, idleReads)) {
    const { creation: exchange, thread } = writer
    const stored = messagesById(state)
    if (exchange.operation !== streamRun || finalStatus(writer) !== 'success' || stored === undefined) continue
    for (const { value } of nodeUpdates(exchange.events)) {
      for (const message of listAt(value, 'messages')) {
        const key = textAt(message, 'id')
        if (key !== undefined) yield { exchange, setup: [thread.creation, read], message, key, stored }
      }
    }
  }
}

const keptRules = rules(laterMessages, {
  'message.kept': ({ message, other, mustShow }) =>
    verifySame(`the message ${mustShow}`, 'the one in an earlier state', ofMessage, other, message),
})

const replacesMessages = failureOf(keptRules, ({ mismatch: { received } = { received: '' } }) =>
  received.includes('"content"'),
)

/** Requirements that fail if messages are missing. */
const losses: ReadonlySet<string> = new Set([
  ...idsMatching([
    'service.thread.keeps-conversation',
    'state.idle.messages',
    'message.*.stored',
    'message.input.several-stored',
    'stream.updates.as-stored',
    'stream.updates.parts-as-stored',
    'stream.updates.id-as-stored',
  ]),
  ...[queueMessages, otherQueueMessages, interruptMessages, repeatedMessages, rejectMessages].flatMap(Object.keys),
])

/** Returns the requirement that fails because later messages replace earlier ones, which are then missing. */
export function replacedMessage(failing: Case, model: DeploymentModel) {
  return losses.has(failing.requirement) ? replacesMessages(failing, model) : undefined
}

/** Rules that compare several responses about the same run, state or message. */
export const consistencyRules: readonly Rule<DeploymentModel>[] = [
  runRule('run.get.as-created', 'read'),
  runRule('run.list.as-created', 'list'),
  ...rules(
    pairs(({ writer }) => finalStatus(writer) === 'success'),
    {
      'state.idle.messages': ({ state, first }) => verifyMessages(first, state),
    },
  ),
  ...rules(
    pairs(({ isSettled }) => isSettled),
    {
      'state.idle.checkpoint': ({ state, first }) =>
        verifySame('the state of an idle thread', 'the one of an earlier read', ofCheckpoint, first, state),
    },
  ),
  ...keptRules,
  ...rules(
    updatedMessages,
    {
      'stream.updates.id-as-stored': ({ message, key, stored }) => {
        // Whether the message is stored at all is a requirement of its own.
        const isStored = [...stored.values()].some((other) => textOf(other) === textOf(message))
        return isStored && verify(stored.has(key), 'the id of a message in an update', 'that of a stored message', key)
      },
    },
    failureOf([...ownUpdateRules, ...latestRules]),
  ),
  ...rules(
    updatedMessages,
    {
      'stream.updates.parts-as-stored': ({ message, key, stored }) =>
        stored.has(key) &&
        verifySame('a message in an update', 'as in the state', partsOfMessage, stored.get(key), message),
    },
    failureOf([...streamFieldRules, ...messageFieldRules, ...streamRules]),
  ),
]
