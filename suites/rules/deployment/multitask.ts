import type { RequirementId } from '../../catalog/generated/ids.ts'
import { checkedEarliestEnd, earliestEnd, runAhead } from '../../model/bounds.ts'
import { type DeploymentModel, threadOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import {
  historyStates,
  interrupters,
  interruptionsBefore,
  repeatedInputStates,
  strategyOf,
} from '../../model/histories.ts'
import { mayBeBusy, viewsAfterCreation } from '../../model/run-ends.ts'
import { at } from '../../values/json.ts'
import { isExecuting, isFinal, notFinal } from '../../values/run-status.ts'
import { responds } from '../common.ts'
import { type Case, deciding, equal, failureOf, type Rule, rule, rules, type Subject, verify } from '../rule.ts'
import { joinRules } from './joins.ts'
import { messageRules } from './messages.ts'
import { endRules } from './multitask-ends.ts'
import {
  interruptMessages,
  type MessageRules,
  mixedMessages,
  otherQueueMessages,
  queueMessages,
  rejectMessages,
  repeatedMessages,
  unspecifiedEndMessages,
  verifyRepeatedInputs,
} from './multitask-messages.ts'
import { accepts, attempts, isDecided, otherThreadRules, requestRules } from './multitask-requests.ts'
import { runStatusRules } from './run-status.ts'
import { listsEveryRun, reads, runRules, smallLists } from './runs.ts'
import { serviceRules } from './service.ts'
import { streamRunRules } from './stream-runs.ts'

/** Requirements because of which a run has another status than its strategy requires. */
const statusCauses: readonly RequirementId[] = [
  'service.graphs.by-name',
  'service.assistant.executes-its-graph',
  'run.status.not-final-while-executing',
  'run.status.ends',
  'run.status.success',
]

/** Requirements because of which a state has other messages than the strategies require. */
const messageCauses: readonly RequirementId[] = [
  'message.input.stored',
  'message.input.content-kept',
  'message.input.unicode-kept',
  'message.input.reaches-graph',
  'message.input.several-stored',
  'message.answer.stored',
  'message.answer.content-kept',
  'message.no-others',
  'message.order.input-first',
  'message.order.of-nodes',
  'message.order.of-runs',
  'service.run.updates-state',
  'service.thread.keeps-conversation',
  'run.status.results-in-state',
]

/** Returns the first of some requirements that fails also for runs on idle threads: strategies are not the cause. */
const plainFailure = (causes: readonly RequirementId[]) =>
  failureOf(deciding([...messageRules, ...serviceRules, ...runStatusRules], causes), isPlain)

const statusFailure = plainFailure(statusCauses)
const messageFailure = plainFailure([...statusCauses, ...messageCauses])

/** Whether a failure shows a thread with at most two runs, each of which was created while the thread was idle. */
function isPlain({ subject: { exchange } }: Case, model: DeploymentModel): boolean {
  const thread = threadOf(model, exchange)
  if (thread === undefined || thread.requests.length > 2) return false
  return thread.requests.every((each) => ['enqueue', undefined].includes(strategyOf(each)) && !mayBeBusy(thread, each))
}

/** Records of runs that were created while another run of the thread may have been active. */
function* createdBehind(model: DeploymentModel) {
  for (const attempt of select(model, attempts)) {
    const { exchange, isIdle, thread, strategy } = attempt
    const status = at(exchange.json, 'status')
    if (!exchange.accepted || isIdle || thread.hasUnknownEffects || typeof status !== 'string') continue
    yield { ...attempt, status, strategy }
  }
}

const pendingRules = rules(
  createdBehind,
  {
    'multitask.enqueue.pending': ({ strategy, status }) =>
      strategy === 'enqueue' && equal('the status of a queued run in the response to its creation', status, 'pending'),
    'multitask.interrupt.new-run-pending': ({ strategy, status }) =>
      strategy === 'interrupt' && equal('the status of a new run that interrupts', status, 'pending'),
  },
  // Also the first run of a thread has another status, or the response shows an earlier run.
  failureOf(
    deciding(runRules, ['run.create.status-pending', 'run.create.fresh-id']),
    ({ requirement, subject: { exchange } }, model) =>
      requirement === 'run.create.fresh-id' || threadOf(model, exchange)?.runCreations[0] === exchange,
  ),
)

/** Records of queued runs in responses that end before the run ahead can have ended. */
function* queuedViews(model: DeploymentModel) {
  for (const run of model.runs.values()) {
    const ahead = runAhead(run)
    const bound = ahead && checkedEarliestEnd(model, ahead)
    if (ahead === undefined || bound === undefined) continue
    for (const { exchange, record } of viewsAfterCreation(run)) {
      const status = at(record, 'status')
      const setup = [run.thread.creation, ahead.creation, run.creation]
      if (exchange.endedAt < bound && typeof status === 'string') yield { exchange, setup, status }
    }
  }
}

const queuedRules = rules(
  queuedViews,
  {
    'multitask.enqueue.not-final-while-queued': ({ status }) =>
      verify(!isFinal(status), 'the status of a run that waits for another', notFinal, status),
    'multitask.enqueue.pending-while-queued': ({ status }) =>
      !isFinal(status) && equal('the status of a run that waits for another', status, 'pending'),
  },
  statusFailure,
)

/** Number of attempts, each with a longer sleep, after which a late response is a failure: a single sleep may be too short. */
const manyTries = 2

interface TimedResponse extends Subject {
  readonly isInTime: boolean
  /** Time from the end of the sleep of the earlier run to the response, in milliseconds. */
  readonly lateMs: number
}

/** Creations of runs behind a sleeping one: the first with a response in time; if there is none, the last one. */
function* responsesInTime(model: DeploymentModel): Iterable<TimedResponse> {
  const late: TimedResponse[] = []
  for (const { exchange, setup, thread, strategy } of select(model, attempts)) {
    const run = thread.runOf(exchange)
    const ahead = run && strategy === 'enqueue' ? runAhead(run) : undefined
    const bound = ahead && earliestEnd(model, ahead)
    if (ahead === undefined || bound === undefined || exchange.sentAt > bound) continue
    const isInTime =
      exchange.endedAt < bound ||
      ahead.views.some((view) => view.exchange.sentAt >= exchange.endedAt && isExecuting(view.record))
    const response = { exchange, setup, isInTime, lateMs: Math.round(exchange.endedAt - bound) }
    if (isInTime) return yield response
    late.push(response)
  }
  const last = late.at(-1)
  if (last !== undefined && late.length >= manyTries) yield last
}

// If requests behind a run are refused, those that are accepted came at its end.
const atOnceRules = rules(
  responsesInTime,
  {
    'multitask.enqueue.answered-at-once': ({ isInTime, lateMs }) =>
      verify(
        isInTime,
        'the response to the creation of a queued run',
        'one before the earlier run has ended',
        `one ${lateMs} ms after the end of its sleep`,
      ),
  },
  failureOf(deciding(requestRules, ['multitask.enqueue.accepted'])),
)

/** Reads of runs by their creators after requests that may have interrupted them. */
function* readsAfterInterruption(model: DeploymentModel) {
  for (const read of select(model, reads)) {
    const { run, exchange } = read
    const isAfter = interrupters(run).some(({ accepted, endedAt }) => accepted && endedAt <= exchange.sentAt)
    const count = interruptionsBefore(run.thread, exchange.sentAt)
    if (isAfter && !run.thread.hasUnknownEffects) yield { ...read, count }
  }
}

const singleRunRules = [...runRules, ...joinRules]

const keptRunRules = deciding(singleRunRules, ['run.status.kept', 'run.get.answers-run'])
const keptFailure = failureOf(keptRunRules)
const finalStatusFailure = failureOf(
  deciding(singleRunRules, ['run.status.keeps-final', 'run.list.current-status', 'run.status.success-after-join']),
)

const earlierKept = rule('multitask.interrupt.earlier-kept', {
  each: readsAfterInterruption,
  when: ({ count }) => count === 1,
  evaluate: (subject, model) => keptFailure(subject, model) ?? responds(subject, 'a run'),
})

/** Records of runs that had ended before a run with `interrupt` was created. */
function* viewsAfterInterrupt(model: DeploymentModel) {
  for (const run of model.runs.values()) {
    const { thread, creation } = run
    const views = viewsAfterCreation(run)
    const end = views.find(({ record }) => isFinal(at(record, 'status')))
    const interrupt = thread.runCreations.find(
      (each) => strategyOf(each) === 'interrupt' && each.accepted && end && each.sentAt >= end.exchange.endedAt,
    )
    if (end === undefined || interrupt === undefined || thread.hasUnknownEffects) continue
    const setup = [thread.creation, creation, end.exchange, interrupt]
    for (const { exchange, record } of views) {
      const status = at(record, 'status')
      if (exchange.sentAt >= interrupt.endedAt && typeof status === 'string')
        yield { exchange, setup, status, before: at(end.record, 'status') }
    }
  }
}

const earlierKeptFailure = failureOf([...keptRunRules, earlierKept])
const eachKept = rule('multitask.interrupt.repeated.each-kept', {
  each: readsAfterInterruption,
  when: ({ count }) => count > 1,
  evaluate: (subject, model) => earlierKeptFailure(subject, model) ?? responds(subject, 'a run'),
})
const lossFailure = failureOf([earlierKept, eachKept])

const keptRules = [
  earlierKept,
  eachKept,
  rule('multitask.interrupt.earlier-listed', {
    each: smallLists,
    when: ({ thread, exchange }) => interruptionsBefore(thread, exchange.sentAt) >= 1,
    evaluate: (list, model) => lossFailure(list, model) ?? listsEveryRun(list),
  }),
  rule('multitask.interrupt.finished-status-stays', {
    each: viewsAfterInterrupt,
    evaluate: (view, model) =>
      finalStatusFailure(view, model) ??
      equal('the status of a run that had ended before the interruption', view.status, view.before),
  }),
]

/** Creates rules about how runs end and about the messages after them; failures of plain runs and of `causes` block them. */
function outcomeRules(
  ends: readonly RequirementId[],
  messages: MessageRules,
  causes: readonly Rule<DeploymentModel>[] = [],
  each = historyStates,
): readonly Rule<DeploymentModel>[] {
  const causeFailure = failureOf(causes)
  return [
    ...endRules(ends, (item, model) => statusFailure(item, model) ?? causeFailure(item, model)),
    ...rules(each, messages, (item, model) => messageFailure(item, model) ?? causeFailure(item, model)),
  ]
}

const differingRules = outcomeRules(['multitask.enqueue.earlier-succeeds', 'multitask.enqueue.executes'], queueMessages)
const repeated: MessageRules = { 'multitask.enqueue.all-messages': verifyRepeatedInputs }
const queueRules = [...differingRules, ...outcomeRules([], repeated, differingRules, repeatedInputStates)]

const interruptRules = [
  ...keptRules,
  ...outcomeRules(
    [
      'multitask.interrupt.earlier-interrupted',
      'multitask.interrupt.new-run-succeeds',
      'multitask.interrupt.other-threads-status',
    ],
    interruptMessages,
  ),
]

const plainRules = [
  ...requestRules,
  ...otherThreadRules,
  ...pendingRules,
  ...queuedRules,
  ...queueRules,
  ...outcomeRules(
    ['multitask.enqueue.at-the-same-time.each-executes', 'multitask.enqueue.used-thread.executes'],
    otherQueueMessages,
    queueRules,
  ),
  ...interruptRules,
  ...outcomeRules(
    ['multitask.interrupt.repeated.each-interrupted', 'multitask.interrupt.repeated.last-succeeds'],
    repeatedMessages,
    interruptRules,
  ),
  ...outcomeRules(
    [
      'multitask.reject.earlier-succeeds',
      'multitask.reject.later-run-succeeds',
      'multitask.reject.other-threads-succeed',
    ],
    rejectMessages,
  ),
]

/** Rules about several runs on one thread. */
export const multitaskRules: readonly Rule<DeploymentModel>[] = [
  ...plainRules,
  ...atOnceRules,
  ...outcomeRules(['multitask.governed-by-strategy'], mixedMessages, [...plainRules, ...streamRunRules]),
  ...outcomeRules([], unspecifiedEndMessages, [...plainRules, ...streamRunRules]),
  ...rules(
    attempts,
    {
      'multitask.governed-by-strategy': accepts(
        (attempt) => attempt.strategy === 'reject' && attempt.isIdle && attempt.isMixed && isDecided(attempt),
      ),
    },
    failureOf(plainRules),
  ),
]
