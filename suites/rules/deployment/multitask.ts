import { type Case, equal, type Rule, rules, type Subject, unless, verify } from '../../evaluate/rule.ts'
import { at } from '../../harness/json.ts'
import { isExecuting } from '../../harness/run-status.ts'
import { earliestEnd, runAhead } from '../../model/bounds.ts'
import { type DeploymentModel, threadOf } from '../../model/deployment.ts'
import { select } from '../../model/endpoint.ts'
import { historyStates, requests, strategyOf } from '../../model/histories.ts'
import { mayBeBusy } from '../../model/quiet.ts'
import { shown } from '../common.ts'
import { messageRules } from './messages.ts'
import { endRules } from './multitask-ends.ts'
import { otherQueueMessages, queueMessages } from './multitask-messages.ts'
import { runStatusRules } from './run-status.ts'
import { isAcceptedElsewhere, serviceRules } from './service.ts'

const createRun = 'POST /threads/{thread_id}/runs'

/** Blocks by a requirement that fails for runs that met no other run: strategies are not the cause. */
const unlessPlainRunsFail = unless([...messageRules, ...serviceRules, ...runStatusRules], isPlain)

/** Whether a failure shows a thread with at most two runs, each of which met no other. */
function isPlain({ subject: { exchange } }: Case, model: DeploymentModel): boolean {
  const thread = threadOf(model, exchange)
  if (thread === undefined || requests(thread).length > 2) return false
  return requests(thread).every((each) => ['enqueue', undefined].includes(strategyOf(each)) && !mayBeBusy(thread, each))
}

/** Requests for a run that the server may not refuse for the form that they have. */
function* attempts(model: DeploymentModel) {
  for (const exchange of model.attempts(createRun)) {
    const thread = threadOf(model, exchange)
    const strategy = strategyOf(exchange)
    if (thread === undefined || strategy === undefined) continue
    if (thread.exchanges.some(({ intent }) => intent !== 'documented')) continue
    if (!exchange.accepted && !isAcceptedElsewhere(model, exchange)) continue
    const earlier = requests(thread).filter(({ sentAt }) => sentAt < exchange.sentAt)
    const isIdle = !mayBeBusy(thread, exchange)
    const isMixed = earlier.some((each) => strategyOf(each) !== strategy)
    const setup = [thread.created, ...earlier]
    yield { exchange, setup, thread, strategy, isIdle, isMixed, isFirst: earlier.length === 0 }
  }
}

type Attempt = ReturnType<typeof attempts> extends Iterable<infer Item> ? Item : never

const accepts = (isCase: (attempt: Attempt, model: DeploymentModel) => boolean) => {
  return (attempt: Attempt, model: DeploymentModel) =>
    isCase(attempt, model) &&
    verify(attempt.exchange.accepted, 'the response to run creation', 'a 2xx response', shown(attempt.exchange))
}

const requestRules = rules(attempts, {
  'multitask.enqueue.accepted': accepts(({ strategy, isIdle }) => strategy === 'enqueue' && !isIdle),
})

/** Records of runs that were created while another run of the thread may have been active. */
function* createdBehind(model: DeploymentModel) {
  for (const attempt of select(model, attempts)) {
    const { exchange, isIdle, thread, strategy } = attempt
    const status = at(exchange.json, 'status')
    if (!exchange.accepted || isIdle || thread.tainted || typeof status !== 'string') continue
    const [first] = thread.creations
    const isCausedByFirst = at(first?.json, 'status') !== 'pending'
    yield { ...attempt, status, strategy, isCausedByFirst }
  }
}

type CreatedBehind = ReturnType<typeof createdBehind> extends Iterable<infer Item> ? Item : never

const pendingRules = rules(
  createdBehind,
  {
    'multitask.enqueue.pending': ({ strategy, status }) =>
      strategy === 'enqueue' && equal('the status of a queued run in the response to its creation', status, 'pending'),
  },
  // The first run of a thread meets no other.
  (item) => ((item as CreatedBehind).isCausedByFirst ? 'run.create.status-pending' : undefined),
)

/** Number of sleeps, each longer than the one before, during which no creation returned: one may be too short. */
const manyTries = 2

/** Creations of runs behind a sleeping one: the first that returned in time, or else the last one. */
function* answersInTime(model: DeploymentModel): Iterable<Subject & { readonly isInTime: boolean }> {
  const late: (Subject & { readonly isInTime: boolean })[] = []
  for (const { exchange, setup, thread, strategy } of select(model, attempts)) {
    const run = thread.runs.find(({ created }) => created === exchange)
    const ahead = run && strategy === 'enqueue' ? runAhead(run) : undefined
    const bound = ahead && earliestEnd(model, ahead)
    if (ahead === undefined || bound === undefined || exchange.sentAt > bound) continue
    const isInTime =
      exchange.endedAt < bound ||
      ahead.views.some((view) => view.exchange.sentAt >= exchange.endedAt && isExecuting(view.record))
    if (isInTime) return yield { exchange, setup, isInTime }
    late.push({ exchange, setup, isInTime })
  }
  const last = late.at(-1)
  if (last !== undefined && late.length >= manyTries) yield last
}

const atOnceRules = rules(answersInTime, {
  'multitask.enqueue.answered-at-once': ({ isInTime }) =>
    verify(
      isInTime,
      'the creation of a queued run',
      'one that returns before the earlier run has ended',
      'a later return',
    ),
})

const queueRules = [
  ...endRules(['multitask.enqueue.earlier-succeeds', 'multitask.enqueue.executes'], unlessPlainRunsFail),
  ...rules(historyStates, queueMessages, unlessPlainRunsFail),
]

const unlessQueuesFail = unless(queueRules)
const guardQueues = (item: unknown, model: DeploymentModel) =>
  unlessPlainRunsFail(item, model) ?? unlessQueuesFail(item, model)

const otherQueueRules = [
  ...endRules(
    ['multitask.enqueue.at-the-same-time.each-executes', 'multitask.enqueue.used-thread.executes'],
    guardQueues,
  ),
  ...rules(historyStates, otherQueueMessages, guardQueues),
]

/** Rules about runs that meet other runs on a thread. */
export const multitaskRules: readonly Rule<DeploymentModel>[] = [
  ...requestRules,
  ...pendingRules,
  ...atOnceRules,
  ...queueRules,
  ...otherQueueRules,
]
