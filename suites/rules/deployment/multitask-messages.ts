import { isDeepStrictEqual } from 'node:util'
import type { RequirementId } from '../../catalog/generated/ids.ts'
import { type Mismatch, verify } from '../../evaluate/rule.ts'
import { show } from '../../harness/json.ts'
import { delayOf } from '../../model/bounds.ts'
import { sourcesOf } from '../../model/conversations.ts'
import type { DeploymentModel } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import {
  type History,
  type HistoryState,
  histories,
  interruptionsBefore,
  isInterrupting,
  isQueued,
  metInterrupts,
  metRequest,
  type Turn,
} from '../../model/histories.ts'
import { finalStatus, isOver } from '../../model/quiet.ts'

/** Requirements about the messages of a thread on which every run was over. */
export type MessageRules = Partial<
  Record<RequirementId, (state: HistoryState, model: DeploymentModel) => Mismatch | undefined | false>
>

const textsOf = ({ input, outputs }: Turn): readonly string[] => [input, ...outputs]

const verifyTexts = (condition: boolean, expected: string, { texts }: HistoryState): Mismatch | undefined =>
  verify(condition, 'the messages of the thread', expected, texts)

function includesAll(expected: readonly string[], state: HistoryState): Mismatch | undefined {
  const there = new Set(state.texts)
  return verifyTexts(
    expected.every((text) => there.has(text)),
    `${show(expected)} among them`,
    state,
  )
}

function holdsOnce(expected: readonly string[], state: HistoryState): Mismatch | undefined {
  const wanted = new Set(expected)
  const shown = state.texts.filter((text) => wanted.has(text))
  const isOnce = shown.length === wanted.size && new Set(shown).size === wanted.size
  return verifyTexts(isOnce, `each of ${show(expected)} once`, state)
}

/** Expects those of some texts that a state holds in this order, and all of them apart from some. */
function holdsInOrder(expected: readonly string[], state: HistoryState, optional: readonly string[] = []) {
  const [known, there] = [new Set(expected), new Set(state.texts)]
  const wanted = expected.filter((text) => !optional.includes(text) || there.has(text))
  const shown = state.texts.filter((text) => known.has(text))
  return verifyTexts(isDeepStrictEqual(shown, wanted), `${show(wanted)} in this order`, state)
}

const placesOf = (texts: readonly string[], state: HistoryState): readonly number[] =>
  texts.map((text) => state.texts.indexOf(text)).filter((place) => place >= 0)

const isAscending = (places: readonly number[]): boolean =>
  places.every((place, index) => index === 0 || place > Number(places[index - 1]))

/** Whether the first of some texts comes after the last of others. */
const follow = (later: readonly string[], earlier: readonly string[], state: HistoryState): boolean =>
  Math.min(...placesOf(later, state)) > Math.max(...placesOf(earlier, state))

/** Number of other threads with queues at the same time from which on a thread is one of many. */
const manyThreads = 3

/** Queues of runs that take no time, each with the time during which it was filled. */
function* shortQueues(model: DeploymentModel) {
  for (const history of select(model, histories)) {
    const { strategy, turns, thread } = history
    if (strategy !== 'enqueue' || turns.length < 2) continue
    if (turns.some(({ run }) => delayOf(model, run.created) !== undefined)) continue
    const [first] = thread.creations
    yield { thread, from: first?.sentAt ?? 0, to: thread.creations.at(-1)?.endedAt ?? 0 }
  }
}

function isOneOfMany(model: DeploymentModel, { thread }: History): boolean {
  const queues = select(model, shortQueues)
  const own = queues.find((queue) => queue.thread === thread)
  return own !== undefined && queues.filter(({ from, to }) => from < own.to && own.from < to).length > manyThreads
}

type Situation = 'at-the-same-time' | 'used-thread' | 'many-threads' | 'queue' | 'unclear'

/** The situation of a state that shows the messages of queued runs that all succeeded. */
function queueIn(state: HistoryState, model: DeploymentModel): Situation | undefined {
  const { strategy, turns, isConcurrent, secondRound } = state
  if (strategy !== 'enqueue' || !turns.every(({ isDone }) => isDone)) return undefined
  if (!turns.some(({ isBehind }) => isBehind)) return undefined
  if (isConcurrent) return 'at-the-same-time'
  if (secondRound > 0 && turns.length > secondRound) return 'used-thread'
  if (isOneOfMany(model, state)) return 'many-threads'
  // The queue may have been empty when a later run was created.
  return turns.slice(2).every((turn) => isQueued(model, turn)) ? 'queue' : 'unclear'
}

/** Creates an entry of a table: about the first run of a queue, and the others. */
function inQueue(
  evaluate: (
    state: HistoryState,
    first: readonly string[],
    queued: readonly (readonly string[])[],
  ) => Mismatch | undefined | false,
) {
  return (state: HistoryState, model: DeploymentModel) => {
    const [first = [], ...queued] = state.turns.map(textsOf)
    return queueIn(state, model) === 'queue' && evaluate(state, first, queued)
  }
}

/** Creates an entry about the order of messages: nothing is missing, nothing is there twice. */
const inWholeQueue: typeof inQueue = (evaluate) =>
  inQueue((state, first, queued) => {
    const isWhole = includesAll(first, state) === undefined && holdsOnce(queued.flat(), state) === undefined
    return isWhole && evaluate(state, first, queued)
  })

/** Messages of runs that were queued behind an executing run. */
export const queueMessages: MessageRules = {
  'multitask.enqueue.earlier-outputs': inQueue((state, first) => includesAll(first, state)),
  'multitask.enqueue.all-messages': inQueue((state, _, queued) => holdsOnce(queued.flat(), state)),
  'multitask.enqueue.after-earlier': inWholeQueue((state, first, queued) =>
    verifyTexts(follow(queued.flat(), first, state), `${show(first)} before those of the queued runs`, state),
  ),
  'multitask.enqueue.order-received': inWholeQueue((state, _, queued) => {
    const places = queued.map((texts) => Math.min(...placesOf(texts, state)))
    const inputs = show(queued.map(([input]) => input))
    return verifyTexts(isAscending(places), `those of the runs ${inputs} in this order`, state)
  }),
  'multitask.enqueue.one-at-a-time': inWholeQueue((state, first, queued) => {
    if (!follow(queued.flat(), first, state)) return false
    const all = new Set(queued.flat())
    const expected = state.texts.filter((text) => all.has(text))
    const isTogether = queued.every((texts) => {
      const places = texts.map((text) => expected.indexOf(text))
      return Math.max(...places) - Math.min(...places) === texts.length - 1
    })
    return verifyTexts(isTogether, 'those of each queued run together', state)
  }),
  'multitask.enqueue.messages-in-run-order': inWholeQueue((state, _, queued) =>
    verifyTexts(
      queued.every((texts) => isAscending(placesOf(texts, state))),
      `in the order ${queued.map((texts) => show(texts)).join(', ')} in each run`,
      state,
    ),
  ),
}

const allTexts = ({ turns }: HistoryState): readonly string[] => turns.flatMap(textsOf)

/** Messages of further queues. */
export const otherQueueMessages: MessageRules = {
  'multitask.enqueue.at-the-same-time.all-messages': (state, model) =>
    queueIn(state, model) === 'at-the-same-time' && holdsOnce(allTexts(state), state),
  'multitask.enqueue.used-thread.order': (state, model) =>
    queueIn(state, model) === 'used-thread' && holdsInOrder(allTexts(state), state),
  'multitask.enqueue.many-threads.all-messages': (state, model) =>
    queueIn(state, model) === 'many-threads' && holdsInOrder(allTexts(state), state),
  'multitask.enqueue.many-threads.apart': (state, model) => {
    const foreign = state.texts.filter((text) => sourcesOf(model, text)?.has(state.thread) === false)
    if (queueIn(state, model) !== 'many-threads') return false
    return verify(foreign.length === 0, 'messages of other threads in a state', 'none', foreign)
  },
}

/** A state of a thread on which all runs have `interrupt`, once a later run has succeeded. */
interface Interruption {
  readonly count: number
  /** Runs that were interrupted after their first output. */
  readonly interrupted: readonly Turn[]
  /** Run that interrupted another, if it was the latest one. */
  readonly latest: Turn | undefined
}

function interruptionIn({ strategy, turns, thread, exchange }: HistoryState): Interruption | undefined {
  const last = turns.findLastIndex(({ isDone }) => isDone)
  if (strategy !== 'interrupt' || last === -1) return undefined
  const latest = turns.at(-1)
  return {
    count: interruptionsBefore(thread, exchange.sentAt),
    interrupted: turns.slice(0, last).filter(({ fate }) => fate === 'interrupted'),
    latest: latest?.isDone && isInterrupting(latest) ? latest : undefined,
  }
}

/** Creates an entry of a table: about states after an interruption. */
function afterInterruption(
  evaluate: (state: HistoryState, interruption: Interruption) => Mismatch | undefined | false,
) {
  return (state: HistoryState) => {
    const interruption = interruptionIn(state)
    return interruption !== undefined && evaluate(state, interruption)
  }
}

/** First outputs of interrupted runs: a state showed them before the interruption. */
const partialOutputs = (turns: readonly Turn[]): readonly string[] =>
  turns.flatMap(({ outputs }) => outputs.slice(0, 1))

const holdsPartialOutputs = (isOnce: boolean) =>
  afterInterruption(
    (state, { interrupted, count }) =>
      interrupted.length > 0 && (count === 1) === isOnce && includesAll(partialOutputs(interrupted), state),
  )

/** Messages of runs that were interrupted once, and of runs on other threads. */
export const interruptMessages: MessageRules = {
  'multitask.interrupt.partial-outputs-stay': holdsPartialOutputs(true),
  'multitask.interrupt.new-outputs': afterInterruption(
    (state, { latest }) => latest !== undefined && includesAll(latest.outputs, state),
  ),
  'multitask.interrupt.outputs-follow': (state) => {
    const next = state.turns.findIndex((turn, index) => turn.isDone && state.turns[index - 1]?.fate === 'interrupted')
    const [earlier, later] = [state.turns[next - 1]?.outputs ?? [], state.turns[next]?.outputs ?? []]
    if (interruptionIn(state)?.count !== 1 || !later.every((text) => state.texts.includes(text))) return false
    if (placesOf(earlier, state).length === 0) return false
    return verifyTexts(
      follow(later, earlier, state),
      `${show(earlier)}, as far as it is there, before ${show(later)}`,
      state,
    )
  },
  'multitask.interrupt.both-inputs': afterInterruption((state, { interrupted: [first], latest, count }) => {
    return count === 1 && first && latest ? holdsInOrder([first.input, latest.input], state) : false
  }),
  'multitask.interrupt.later-steps-left-out': afterInterruption((state, { interrupted }) => {
    const stopped = interrupted.filter(
      ({ run }) => !['success', undefined].some((status) => status === finalStatus(run)),
    )
    const left = stopped.flatMap(({ outputs }) => outputs.slice(1))
    const isLeftOut = left.every((text) => !state.texts.includes(text))
    return stopped.length > 0 && verifyTexts(isLeftOut, `without ${show(left)}`, state)
  }),
  'multitask.interrupt.finished-outputs-stay': (state) => {
    const finished = state.turns.filter(
      (turn, index) =>
        turn.isDone &&
        !turn.isBehind &&
        state.turns
          .slice(index + 1)
          .some(({ run, strategy }) => strategy === 'interrupt' && isOver(turn.run, run.created.sentAt)),
    )
    const outputs = finished.flatMap((turn) => turn.outputs)
    return state.strategy === 'interrupt' && finished.length > 0 && includesAll(outputs, state)
  },
  'multitask.interrupt.other-threads-outputs': (state, model) => {
    const [only, ...others] = state.turns
    if (state.strategy !== 'interrupt' || !only?.isDone || others.length > 0) return false
    return metInterrupts(model, only) && includesAll(only.outputs, state)
  },
}

/** Messages of runs that interrupt each other in turn. */
export const repeatedMessages: MessageRules = {
  'multitask.interrupt.repeated.partial-outputs-stay': holdsPartialOutputs(false),
  'multitask.interrupt.repeated.in-order': afterInterruption((state, { interrupted, latest, count }) => {
    const outputs = [...partialOutputs(interrupted), ...(latest?.outputs ?? [])]
    return (
      count > 1 &&
      latest !== undefined &&
      verifyTexts(isAscending(placesOf(outputs, state)), `${show(outputs)} in this order`, state)
    )
  }),
}

/** Messages of runs with `reject`. */
export const rejectMessages: MessageRules = {
  'multitask.reject.earlier-outputs': (state) => {
    if (state.strategy !== 'reject') return false
    const met = state.turns.filter((turn) => turn.isDone && metRequest(turn))
    return met.length > 0 && includesAll(met.flatMap(textsOf), state)
  },
  'multitask.reject.later-outputs-follow': (state) => {
    const latest = state.turns.at(-1)
    const earlier = state.turns.filter((turn) => turn.isDone && turn !== latest)
    if (state.strategy !== 'reject' || !latest?.isDone || !earlier.some(metRequest)) return false
    const texts = earlier.flatMap(textsOf).filter((text) => state.texts.includes(text))
    return holdsInOrder([...texts, ...textsOf(latest)], state)
  },
}

/** Messages of threads on which strategies meet. */
export const mixedMessages: MessageRules = {
  'multitask.governed-by-strategy': (state, model) => {
    const { strategy, turns, isConcurrent } = state
    const known = turns.filter(({ fate, isDone }) => isDone || fate === 'interrupted')
    if (strategy !== 'mixed' && queueIn(state, model) !== 'unclear') return false
    if (isConcurrent || turns.length < 2 || known.length === 0) return false
    const interrupted = known.filter(({ isDone }) => !isDone)
    // Of an interrupted run, only the output of its finished step is sure to stay.
    const optional = interrupted.flatMap(({ input, outputs }) => [input, ...outputs.slice(1)])
    return holdsInOrder(known.flatMap(textsOf), state, optional)
  },
}
