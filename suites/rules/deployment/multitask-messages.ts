import type { RequirementId } from '../../catalog/generated/ids.ts'
import { delayOf } from '../../model/bounds.ts'
import { foreignTexts } from '../../model/conversations.ts'
import type { DeploymentModel, Run, Thread } from '../../model/deployment.ts'
import { derive, select } from '../../model/endpoint.ts'
import { concurrencyOf, type Period } from '../../model/exchange.ts'
import {
  type History,
  type HistoryState,
  hasConcurrentRuns,
  histories,
  interruptionsBefore,
  isInterrupting,
  isQueued,
  type StrategyTurn,
  wasActiveAtInterruptsElsewhere,
  wasActiveAtReject,
} from '../../model/histories.ts'
import { finalStatus, hadEnded } from '../../model/run-ends.ts'
import { at, show } from '../../values/json.ts'
import { shortTexts, showTexts } from '../../values/messages.ts'
import { isFinal } from '../../values/run-status.ts'
import { type Evaluate, type Mismatch, mismatch, verify, verifyIncludes, verifyNone } from '../rule.ts'

/** How to evaluate requirements about the messages of a thread after all runs that must succeed have ended. */
export type MessageRules = Partial<Record<RequirementId, Evaluate<DeploymentModel, HistoryState>>>

const textsOf = ({ inputs, outputs }: StrategyTurn): readonly string[] => [...inputs, ...outputs]

const verifyTexts = (condition: boolean, expected: string, { texts }: HistoryState): Mismatch | undefined =>
  verify(condition, 'the messages of the thread', expected, shortTexts(texts))

function verifyIncluded(
  expected: readonly string[],
  state: HistoryState,
  name = 'the messages of the thread',
): Mismatch | undefined {
  const present = new Set(state.texts)
  const missing = expected.filter((text) => !present.has(text))
  const received = showTexts(state.exchange.json, shortTexts(state.texts))
  return verifyIncludes(missing.length === 0, name, show(shortTexts(missing)), received)
}

/** Verifies that a state contains each of the expected texts once. */
function verifyOnce(expected: readonly string[], state: HistoryState): Mismatch | undefined {
  const received = state.texts.filter((text) => expected.includes(text))
  const missing = expected.filter((text) => !received.includes(text))
  const repeated = [...new Set(received.filter((text, index) => received.indexOf(text) !== index))]
  const problems = [
    ...(missing.length > 0 ? [`no ${show(shortTexts(missing))}`] : []),
    ...(repeated.length > 0 ? [`more than one of ${show(shortTexts(repeated))}`] : []),
  ]
  const among = `${problems.join(' and ')} among ${show(shortTexts(state.texts))}`
  const all = `each of the ${expected.length} messages of its runs once`
  return verifyIncludes(problems.length === 0, 'the state of the thread', all, among)
}

/** Verifies that a state contains the expected texts once each, in this order. Optional ones may be missing. */
function verifyOrder(expected: readonly string[], state: HistoryState, optional: readonly string[] = []) {
  const [all, present] = [new Set(expected), new Set(state.texts)]
  const required = expected.filter((text) => !optional.includes(text) || present.has(text))
  const received = state.texts.filter((text) => all.has(text))
  const first = received.findIndex((text, index) => text !== required[index])
  const wrongCount = verifyOnce(required, state)
  if (wrongCount !== undefined || first === -1) return wrongCount
  const [earlier, later] = [show(required[first]), show(received[first])]
  const among = `${later} before ${earlier} among ${show(received)}`
  return mismatch('the messages of the runs in the thread', `${earlier} before ${later}`, among)
}

const indexesOf = (texts: readonly string[], state: HistoryState): readonly number[] =>
  texts.map((text) => state.texts.indexOf(text)).filter((index) => index >= 0)

const isAscending = (indexes: readonly number[]): boolean =>
  indexes.every((value, index) => index === 0 || value > Number(indexes[index - 1]))

/** Whether all later texts come after all earlier ones. */
const isAfter = (later: readonly string[], earlier: readonly string[], state: HistoryState): boolean =>
  Math.min(...indexesOf(later, state)) > Math.max(...indexesOf(earlier, state))

/** Minimum number of other threads with concurrent queues for requirements about many threads. */
const minOtherThreads = 3

/** Queues of runs that do not sleep, each with the period in which its runs were created. */
function* shortQueues(model: DeploymentModel): Iterable<Period & Pick<History, 'thread'>> {
  for (const history of select(model, histories)) {
    const { strategy, turns, thread } = history
    if (strategy !== 'enqueue' || turns.length < 2) continue
    if (turns.some(({ run }) => delayOf(model, run.creation) !== undefined)) continue
    const [first] = thread.runCreations
    yield { thread, sentAt: first?.sentAt ?? 0, endedAt: thread.runCreations.at(-1)?.endedAt ?? 0 }
  }
}

/** Threads with a short queue while several other threads had one. */
function amongManyThreads(model: DeploymentModel): ReadonlySet<Thread> {
  const queues = select(model, shortQueues)
  const concurrentWith = concurrencyOf(queues)
  return new Set(queues.filter((queue) => concurrentWith(queue).length > minOtherThreads).map(({ thread }) => thread))
}

type Situation = 'at-the-same-time' | 'used-thread' | 'many-threads' | 'queue' | 'unclear'

/** Returns the kind of queue whose messages a state shows; undefined unless all its runs succeeded. */
function situationOf(state: HistoryState, model: DeploymentModel): Situation | undefined {
  const { strategy, turns, isConcurrent, firstOnUsedThread } = state
  if (strategy !== 'enqueue' || !turns.every(({ isDone }) => isDone)) return undefined
  if (!hasConcurrentRuns(state)) return undefined
  if (isConcurrent) return 'at-the-same-time'
  if (firstOnUsedThread > 0 && turns.length > firstOnUsedThread) return 'used-thread'
  if (derive(model, amongManyThreads).has(state.thread)) return 'many-threads'
  // If a run after the second may have found the queue empty, the situation is unclear.
  return turns.slice(2).every((turn) => isQueued(model, turn)) ? 'queue' : 'unclear'
}

/** Creates an evaluation for states that show a queue, called with the texts of the first run and of each queued run. */
function inQueue(
  evaluate: (
    state: HistoryState,
    first: readonly string[],
    queued: readonly (readonly string[])[],
  ) => Mismatch | undefined | false,
) {
  return (state: HistoryState, model: DeploymentModel) => {
    const [first = [], ...queued] = state.turns.map(textsOf)
    return situationOf(state, model) === 'queue' && evaluate(state, first, queued)
  }
}

/** Like `inQueue`, for the order of messages: applies only if no message is missing or repeated. */
const inCompleteQueue: typeof inQueue = (evaluate) =>
  inQueue((state, first, queued) => {
    const isComplete = verifyIncluded(first, state) === undefined && verifyOnce(queued.flat(), state) === undefined
    return isComplete && evaluate(state, first, queued)
  })

/** Messages of runs that were queued behind an executing run. */
export const queueMessages: MessageRules = {
  'multitask.enqueue.earlier-outputs': inQueue((state, first) => verifyIncluded(first, state)),
  'multitask.enqueue.all-messages': inQueue((state, _, queued) => verifyOnce(queued.flat(), state)),
  'multitask.enqueue.after-earlier': inCompleteQueue((state, first, queued) =>
    verifyTexts(isAfter(queued.flat(), first, state), `${show(first)} before those of the queued runs`, state),
  ),
  'multitask.enqueue.order-received': inCompleteQueue((state, _, queued) => {
    const runs = queued.map((texts) => ({ input: texts[0], at: Math.min(...indexesOf(texts, state)) }))
    const inputs = (some: typeof runs) => show(some.map(({ input }) => input))
    const received = inputs(runs.toSorted((a, b) => a.at - b.at))
    return verify(received === inputs(runs), 'the order in which queued runs add messages', inputs(runs), received)
  }),
  'multitask.enqueue.one-at-a-time': inCompleteQueue((state, first, queued) => {
    if (!isAfter(queued.flat(), first, state)) return false
    const all = new Set(queued.flat())
    const expected = state.texts.filter((text) => all.has(text))
    const isContiguous = queued.every((texts) => {
      const indexes = texts.map((text) => expected.indexOf(text))
      return Math.max(...indexes) - Math.min(...indexes) === texts.length - 1
    })
    return verifyTexts(isContiguous, 'those of each queued run together', state)
  }),
  'multitask.enqueue.messages-in-run-order': inCompleteQueue((state, _, queued) =>
    verifyTexts(
      queued.every((texts) => isAscending(indexesOf(texts, state))),
      `in the order ${queued.map((texts) => show(texts)).join(', ')} in each run`,
      state,
    ),
  ),
}

/** Verifies that the state of a queue, some of whose inputs are the same, has each text as often as the runs add it. */
export function verifyRepeatedInputs(state: HistoryState, model: DeploymentModel): Mismatch | undefined | false {
  if (situationOf(state, model) !== 'queue') return false
  const times = (texts: readonly string[], text: string) => texts.filter((each) => each === text).length
  const expected = allTexts(state)
  const wrong = expected.find((text) => times(expected, text) !== times(state.texts, text))
  if (wrong === undefined) return undefined
  const all = `${show(wrong)} ${times(expected, wrong)} times, once for each run that adds it`
  const received = `${times(state.texts, wrong)} of them among ${show(shortTexts(state.texts))}`
  return verifyIncludes(false, 'the messages of the thread', all, received)
}

const allTexts = ({ turns }: HistoryState): readonly string[] => turns.flatMap(textsOf)

/** Messages of runs in queues on used threads, on many threads, and of runs created at the same time. */
export const otherQueueMessages: MessageRules = {
  'multitask.enqueue.at-the-same-time.all-messages': (state, model) =>
    situationOf(state, model) === 'at-the-same-time' && verifyOnce(allTexts(state), state),
  'multitask.enqueue.used-thread.order': (state, model) =>
    situationOf(state, model) === 'used-thread' && verifyOrder(allTexts(state), state),
  'multitask.enqueue.many-threads.all-messages': (state, model) =>
    situationOf(state, model) === 'many-threads' && verifyOrder(allTexts(state), state),
  'multitask.enqueue.many-threads.apart': (state, model) => {
    if (situationOf(state, model) !== 'many-threads') return false
    const foreign = foreignTexts(model, state.thread, state.texts).map((text) => show(text))
    return verifyNone(foreign, 'messages of other threads in a state')
  },
}

/** The interruptions on a thread whose runs all have the strategy `interrupt`, up to a read of its state. */
interface Interruption {
  /** Number of requests that may have interrupted a run. */
  readonly count: number
  /** Runs that were interrupted after their first output. */
  readonly interrupted: readonly StrategyTurn[]
  /** Latest run, if it interrupted another one and succeeded. */
  readonly latest: StrategyTurn | undefined
}

function interruptionIn({ strategy, turns, thread, exchange }: HistoryState): Interruption | undefined {
  const last = turns.findLastIndex(({ isDone }) => isDone)
  if (strategy !== 'interrupt' || last === -1) return undefined
  const latest = turns.at(-1)
  return {
    count: interruptionsBefore(thread, exchange.sentAt),
    interrupted: turns.slice(0, last).filter(({ requiredEnd }) => requiredEnd === 'interrupted'),
    latest: latest?.isDone && isInterrupting(latest) ? latest : undefined,
  }
}

/** Creates an evaluation for states of threads with runs of the strategy `interrupt` only, after one of them succeeded. */
function afterInterruption(
  evaluate: (state: HistoryState, interruption: Interruption) => Mismatch | undefined | false,
) {
  return (state: HistoryState) => {
    const interruption = interruptionIn(state)
    return interruption !== undefined && evaluate(state, interruption)
  }
}

/** First outputs of interrupted runs, which a state showed before the interruption. */
const partialOutputs = (turns: readonly StrategyTurn[]): readonly string[] =>
  turns.flatMap(({ outputs }) => outputs.slice(0, 1))

const verifyPartialOutputs = (isSingle: boolean) =>
  afterInterruption(
    (state, { interrupted, count }) =>
      interrupted.length > 0 && (count === 1) === isSingle && verifyIncluded(partialOutputs(interrupted), state),
  )

/** Messages of runs that were interrupted once, and of runs on other threads. */
export const interruptMessages: MessageRules = {
  'multitask.interrupt.partial-outputs-stay': verifyPartialOutputs(true),
  'multitask.interrupt.new-outputs': afterInterruption(
    (state, { latest }) => latest !== undefined && verifyIncluded(latest.outputs, state),
  ),
  'multitask.interrupt.outputs-follow': (state) => {
    const next = state.turns.findIndex(
      (turn, index) => turn.isDone && state.turns[index - 1]?.requiredEnd === 'interrupted',
    )
    const [earlier, later] = [state.turns[next - 1]?.outputs ?? [], state.turns[next]?.outputs ?? []]
    if (interruptionIn(state)?.count !== 1 || !later.every((text) => state.texts.includes(text))) return false
    const present = earlier.filter((text) => state.texts.includes(text))
    if (present.length === 0) return false
    const expected = `in an order with ${show(present)} before ${show(later)}`
    return verifyTexts(isAfter(later, present, state), expected, state)
  },
  'multitask.interrupt.both-inputs': afterInterruption((state, { interrupted: [first], latest, count }) => {
    return count === 1 && first && latest ? verifyOrder([...first.inputs, ...latest.inputs], state) : false
  }),
  'multitask.interrupt.later-steps-left-out': afterInterruption((state, { interrupted }) => {
    const stopped = interrupted.filter(({ run }) => finalStatus(run) !== undefined && finalStatus(run) !== 'success')
    const skipped = stopped.flatMap(({ outputs }) => outputs.slice(1))
    const isSkipped = skipped.every((text) => !state.texts.includes(text))
    return stopped.length > 0 && verifyTexts(isSkipped, `without ${show(skipped)}`, state)
  }),
  'multitask.interrupt.finished-outputs-stay': (state) => {
    const finished = state.turns.filter(
      (turn, index) =>
        turn.isDone &&
        !turn.isOnBusyThread &&
        state.turns
          .slice(index + 1)
          .some(({ run, strategy }) => strategy === 'interrupt' && hadEnded(turn.run, run.creation.sentAt)),
    )
    const outputs = finished.flatMap((turn) => turn.outputs)
    return state.strategy === 'interrupt' && finished.length > 0 && verifyIncluded(outputs, state)
  },
  'multitask.interrupt.other-threads-outputs': (state, model) => {
    const [only, ...others] = state.turns
    if (state.strategy !== 'interrupt' || !only?.isDone || others.length > 0) return false
    return wasActiveAtInterruptsElsewhere(model, only) && verifyIncluded(only.outputs, state)
  },
}

/** Messages of runs that interrupt each other in turn. */
export const repeatedMessages: MessageRules = {
  'multitask.interrupt.repeated.partial-outputs-stay': verifyPartialOutputs(false),
  'multitask.interrupt.repeated.in-order': afterInterruption((state, { interrupted, latest, count }) => {
    const outputs = [...partialOutputs(interrupted), ...(latest?.outputs ?? [])]
    return (
      count > 1 &&
      latest !== undefined &&
      verifyTexts(isAscending(indexesOf(outputs, state)), `${show(outputs)} in this order`, state)
    )
  }),
}

/** Messages of runs with `reject`. */
export const rejectMessages: MessageRules = {
  'multitask.reject.earlier-outputs': (state) => {
    if (state.strategy !== 'reject') return false
    const earlier = state.turns.filter((turn) => turn.isDone && wasActiveAtReject(turn))
    return earlier.length > 0 && verifyIncluded(earlier.flatMap(textsOf), state)
  },
  'multitask.reject.later-outputs-follow': (state) => {
    const latest = state.turns.at(-1)
    const earlier = state.turns.filter((turn) => turn.isDone && turn !== latest)
    if (state.strategy !== 'reject' || !latest?.isDone || !earlier.some(wasActiveAtReject)) return false
    const texts = earlier.flatMap(textsOf).filter((text) => state.texts.includes(text))
    return verifyOrder([...texts, ...textsOf(latest)], state)
  },
}

/** Messages of threads with runs of several strategies. */
export const mixedMessages: MessageRules = {
  'multitask.governed-by-strategy': (state, model) => {
    const { strategy, turns, isConcurrent } = state
    const known = turns.filter(({ requiredEnd, isDone }) => isDone || requiredEnd === 'interrupted')
    if (strategy !== 'mixed' && situationOf(state, model) !== 'unclear') return false
    if (isConcurrent || !hasConcurrentRuns(state) || known.length === 0) return false
    const interrupted = known.filter(({ isDone }) => !isDone)
    // Of an interrupted run, only the output of its finished step must stay.
    const optional = interrupted.flatMap(({ inputs, outputs }) => [...inputs, ...outputs.slice(1)])
    return verifyOrder(known.flatMap(textsOf), state, optional)
  },
}

/** Whether each record of a run that shows its end shows the status success. */
function hasSucceeded(run: Run): boolean {
  return run.views.every(({ record }) => !isFinal(at(record, 'status')) || at(record, 'status') === 'success')
}

/** Messages of runs that succeeded although their strategy does not say how they end, such as runs requested concurrently. */
export const unspecifiedEndMessages: MessageRules = {
  'run.status.results-in-state': (state) => {
    // A refused run may have a record, too: only an input in the state shows that a run has executed.
    const executed = state.turns.filter(
      ({ requiredEnd, run, input = '' }) =>
        requiredEnd === 'unknown' && hadEnded(run, state.exchange.sentAt) && state.texts.includes(input),
    )
    const outputs = executed.filter(({ run }) => hasSucceeded(run)).flatMap((turn) => turn.outputs)
    return outputs.length > 0 && verifyIncluded(outputs, state, 'the messages after runs with the status `success`')
  },
}
